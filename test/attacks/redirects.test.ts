/** Redirects and outgoing requests that lead where nothing should go, or tell what nobody should learn. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardedFetch } from '../../src/http/outgoing/guarded-fetch.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { casesOf } from '../effort.ts'
import { createWorld } from '../world.ts'
import { cpuTime } from '../cpu.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

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

test('a bulk update of redirects looks for loops in linear time, and other writers do not wait for it', async () => {
  const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Start\n' }), 'Many')
  const { siteId, address } = await publish(world, spaceId, 'Many')
  const at = `/v1/orgs/${world.organizationId}/sites/${siteId}/redirects`
  const put = async (redirects: { source: string; url: string; captureWildcard?: boolean }[]) => {
    const items = redirects.map(({ url, ...one }) => ({ ...one, destination: { kind: 'external', url } }))
    const { status, body, text } = await ada(`PUT ${at}`, { redirects: items })
    assert.equal(status, 200, text)
    return body.results as { status: string }[]
  }
  const many = (source: (i: number) => string, url: (i: number) => string, captureWildcard = false) =>
    Array.from({ length: 500 }, (_, i) => ({ source: source(i), url: url(i), captureWildcard }))
  const deep = `/${'%C3%A9%C3%A8'.repeat(8)}/a/b/c/d/e/f/g`
  for (let b = 0; b < Math.ceil(casesOf(180) / 22); b++)
    await put(
      many(
        (i) => `${deep}/r${b}-${i}`,
        (i) => `https://example.com/${b}-${i}`,
      ),
    )

  const before = cpuTime()
  const { ms } = await longestHold(() =>
    put(
      many(
        (i) => `/w${i}/*`,
        (i) => `https://example.com/q${i}`,
        true,
      ),
    ),
  )
  assert(ms < LONGEST_HOLD_MS, `held for ${ms} ms`)
  assert(cpuTime() - before < 1000, `${cpuTime() - before} ms`)

  // Each of these wildcards leads to all the paths that have redirects.
  const done = { isOver: false }
  const update = longestHold(() =>
    put(
      many(
        (i) => `/w${i}/*`,
        () => `${address}${deep.slice(1)}`,
        true,
      ),
    ),
  ).finally(() => {
    done.isOver = true
  })
  let writes = 0
  for (; !done.isOver; writes++)
    assert.equal((await ada(`PATCH /v1/spaces/${spaceId}`, { title: `Many ${writes}` })).status, 200)
  const held = await update
  // On PostgreSQL, transactions do not wait for one another, and each takes longer.
  if (!process.env.LECTERN_TEST_POSTGRES) assert(writes > 2, `${writes} writes`)
  assert(held.ms < LONGEST_HOLD_MS, `held for ${held.ms} ms`)
  assert(held.value.every(({ status }) => status === 'updated'))
})
