/**
 * Secrets in URLs: the log, which many people and programs read, has none of them. `serve.test.ts` reads that of a server.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathMasker } from '../../src/http/request/secret-paths.ts'
import { loadRoutes } from '../../src/server/routes.ts'

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
