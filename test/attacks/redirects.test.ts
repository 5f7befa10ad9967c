/** Redirects and outgoing requests that lead where nothing should go, or tell what nobody should learn. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardedFetch } from '../../src/http/fetch.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world

const REDIRECTS = {
  'a%zz': 'target.md',
  'b%zz': 'https://example.com/%zz',
  k: '/a%zz.md',
  bracket: 'http://[bad',
  percent: 'https://%zz/',
  script: 'javascript:alert(1)',
  relative: '//evil.example/%zz',
  space: 'https://exa mple.com',
}

test('every redirect is answered, and those that lead nowhere are reported by the import', async () => {
  const { spaceId, result } = await spaceWith(
    world,
    archiveOf({
      'README.md': '# Start\n',
      'target.md': '# Target\n',
      'a%zz.md': '# Percent\n',
      'SUMMARY.md': '* [Start](README.md)\n* [Target](target.md)\n* [Percent](a%zz.md)\n',
      '.gitbook.yaml': `redirects: ${JSON.stringify(REDIRECTS)}\n`,
    }),
  )
  const problems = (result.body.problems as { message: string }[]).map(({ message }) => message)
  for (const from of ['bracket', 'percent', 'script', 'relative', 'space'])
    assert(
      problems.some((message) => message.startsWith(`the redirect of "${from}"`)),
      from,
    )

  const { address } = await publish(world, spaceId, 'Manual')
  const home = `/sites/docs${new URL(address).pathname}`
  const statusOf = async (path: string) => (await world.nobody(`GET ${home}${path}`)).status
  assert.equal((await world.nobody(`GET ${home}a%zz`)).headers.get('location'), `${home}target`)
  assert.equal((await world.nobody(`GET ${home}b%zz`)).headers.get('location'), 'https://example.com/%zz')
  for (const path of ['a%25zz', 'k', 'k?x=%zz', 'a%zz/']) assert.equal(await statusOf(path), 301, path)
  for (const path of [
    'bracket',
    'percent',
    'script',
    'relative',
    'space',
    '%zz',
    '%00',
    '~/files/%zz/%zz/%zz',
  ])
    assert.equal(await statusOf(path), 404, path)
  for (const path of ['/a%zz', '/v1/a%zz', '/docs/%zz', `/v1/spaces/${spaceId}/content/path/a%zz`])
    assert.equal((await ada(`GET ${path}`)).status, 400, path)
})

test('a refused fetch does not tell what a name resolves to', async () => {
  const limits = { allow: [], maxBytes: 100, timeoutMs: 1000, lookup: async () => ['10.20.30.40'] }
  await assert.rejects(guardedFetch('http://intranet.example.com/', limits), (error: Error) => {
    assert.match(error.message, /is not public/)
    return !error.message.includes('10.20.30.40')
  })
  const space = (await ada(`POST /v1/orgs/${world.organizationId}/spaces`)).body
  const imported = await ada(`POST /v1/spaces/${space.id}/content/import`, {
    url: 'http://ip6-localhost.localdomain:1/a.md',
    source: 'markdown',
  })
  assert(imported.status >= 400, imported.text)
  assert.doesNotMatch(imported.text, /::1/)
})
