import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compare, median, spread, startLectern, startReference } from './measure.ts'
import type { Result } from './result.ts'

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
    { url, headers },
    { url: bytes.url, headers },
    { url: read.url, headers },
    { url, headers: { ...headers, 'if-none-match': etag } },
  ])
  const line = (scenario: string, rates: number[], reference: number[], goal: string): Result => ({
    scenario,
    ours: `${median(rates).toFixed(0)}/s`,
    reference: `${median(reference).toFixed(0)}/s`,
    ratio: median(rates) / median(reference),
    spread: spread(rates),
    goal,
  })
  return [
    line('GET a space / node:http, same bytes', ours, bare, '–'),
    line('GET a space / node:http and one SQLite read', ours, reading, '≥ 0.5'),
    line('GET a space, 304 / node:http and one SQLite read', unchanged, reading, '≥ 0.6'),
  ]
}
