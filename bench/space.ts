import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compare, startLectern, startReference } from './measure.ts'
import { rateLine, type Result } from './result.ts'

/** Authenticated `GET` of a space: token, access and the full resource, and the same as 304. */
export async function space(): Promise<Result[]> {
  await using lectern = await startLectern()
  const { items } = await lectern.call('GET', '/v1/orgs')
  const { id } = await lectern.call('POST', `/v1/orgs/${(items as { id: string }[])[0]?.id}/spaces`, {
    title: 'Bench',
  })
  const url = `${lectern.url}/v1/spaces/${String(id)}`
  const headers = { authorization: `Bearer ${lectern.token}` }

  const answer = await fetch(url, { headers })
  const file = join(lectern.data, 'space.json')
  writeFileSync(file, await answer.text())
  const etag = answer.headers.get('etag') ?? ''
  const sent = JSON.stringify({ 'content-type': 'application/json; charset=utf-8', etag })
  await using bytes = await startReference('reference-bytes.ts', [file, sent])
  await using read = await startReference('reference-read.ts', [file, sent])

  const [ours = [], bare = [], reading = [], unchanged = []] = await compare([
    { server: lectern, url, headers },
    { server: bytes, headers },
    { server: read, headers },
    { server: lectern, url, headers: { ...headers, 'if-none-match': etag } },
  ])
  return [
    rateLine('GET a space / node:http, same bytes', ours, bare, '–'),
    rateLine('GET a space / node:http and one SQLite read', ours, reading, '≥ 0.5'),
    rateLine('GET a space, 304 / node:http and one SQLite read', unchanged, reading, '≥ 0.6'),
  ]
}
