/** Secrets in URLs: the log, which many people and programs read, has none of them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathMasker } from '../../src/http/secret-paths.ts'
import { loadRoutes } from '../../src/routes.ts'
import { startServer, temporaryFolder } from '../process.ts'

const routes = (await loadRoutes()).map(({ route }) => route)
const masked = pathMasker(routes)

test('every path parameter that admits its holder is declared a secret', () => {
  const withCode = routes.filter(({ path }) => /:(inviteId|secret|code|key)\b/.test(path))
  assert(withCode.length >= 4)
  for (const { path, secrets } of withCode) assert.deepEqual(secrets, ['inviteId'], path)
})

test('a secret is masked in every spelling of its path, whatever becomes of the request', () => {
  for (const path of [
    '/v1/orgs/o1/invites/S3CRET',
    '/v1/orgs/o1/invites/S3CRET/',
    '/v1/orgs/o1/invites/S3CRET/more',
    '/v1/orgs//o1/invites//S3CRET',
    '//v1/orgs/o1/invites/S3CRET',
    '/v1/ORGS/o1/Invites/S3CRET',
    '/v1/orgs/o1/%69nvites/S3CRET',
    '/%761/orgs/o1/invites/S3CRET',
    '/v1/orgs/%zz/invites/S3CRET',
    '/v1/orgs/o1/invites/S3CRET#x',
    'http://host/v1/orgs/o1/invites/S3CRET',
    '/v1/orgs/o1/link-invites/S3CRET',
  ])
    assert.match(masked(path), /^(?!.*S3CRET).*\[secret\]/, path)
  for (const path of [
    '/',
    '/v1',
    '/v1/orgs/o1/invites',
    '/v1/orgs/o1/members/m1',
    '/sites/docs/invites/x',
    '*',
    '/%zz',
  ])
    assert.equal(masked(path), path)
})

test('the key of a share link is masked wherever it is in a path', () => {
  const key = `share_${'s3cret'.repeat(4)}ab`
  for (const path of [
    `/handbook/${key}/guide`,
    `/sites/docs/handbook/${key}`,
    `/sites/docs/handbook/${key.slice(0, 20)}`,
    `/sites/docs/handbook/${key.replace('_', '%5F')}/guide`,
    `/handbook/x${key}x/%zz`,
    `http://host/handbook/${key}/`,
    `/v1/orgs/${key}`,
  ])
    assert.match(masked(path), /^(?!.*s3cret).*\[secret\]/, path)
})

test('the log of a server has neither codes in paths nor secrets in queries', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const server = await startServer({ LECTERN_DATA: folder.path, PORT: '0' })
  const { token } = JSON.parse(readFileSync(join(folder.path, 'local.json'), 'utf8')) as { token: string }
  const ask = (method: string, path: string) =>
    new Promise<void>((resolve, reject) => {
      const { hostname, port } = new URL(server.url)
      const headers = { authorization: `Bearer ${token}` }
      request({ host: hostname, port, method, path, headers }, (answer) => answer.resume().on('end', resolve))
        .on('error', reject)
        .end()
    })
  const orgs = await fetch(`${server.url}/v1/orgs`, { headers: { authorization: `Bearer ${token}` } })
  const { items } = (await orgs.json()) as { items: { id: string }[] }
  await ask('POST', `/v1/orgs/${items[0]!.id}/invites/S3CRET`)
  await ask('GET', `/v1/orgs/${items[0]!.id}/invites/S3CRET`)
  await ask('GET', '/v1/storage/unknown?secret=S3CRET')
  await ask('GET', '/v1/spaces/s/files/h/n?signature=S3CRET')
  await ask('GET', '/sites/docs/x?key=S3CRET')
  await ask('GET', '/sites/docs/x/share_S3CRET/page')
  await ask('GET', '/v1/%zz?secret=S3CRET')
  await server.stop()

  const out = server.out()
  assert.doesNotMatch(out, /S3CRET/)
  assert(out.includes(`/v1/orgs/${items[0]!.id}/invites/[secret]`))
})
