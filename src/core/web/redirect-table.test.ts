import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLoop, LONGEST_CHAIN, loopSamples, redirectTable, withSegments } from './redirect-table.ts'

interface Rule {
  id: string
  source: string
  captureWildcard: boolean
  to: string
  isPage: boolean
}

/** Redirects written as `/from /to`. `+` at the end captures the wildcard, and `=` says that a page is at `/to`. */
function rulesOf(...texts: string[]): Rule[] {
  return texts.map((text) => {
    const [, source = '', to = '', mark = ''] = /^(\S+) ([^\s+=]+)([+=]?)$/.exec(text) ?? []
    return { id: source, source, captureWildcard: mark === '+', to, isPage: mark === '=' }
  })
}

/** The sources of the chain that leads back, if the last redirect is added to the others. */
async function loopOf(...texts: string[]): Promise<string[] | undefined> {
  const rules = rulesOf(...texts)
  const chain = await findLoop(redirectTable(rules), rules.at(-1)!, loopSamples(), async ({ rule, rest }) =>
    rule.to.startsWith('/') ? { path: withSegments(rule.to, rest), isPage: rule.isPage } : undefined,
  )
  return chain?.map(({ source }) => source)
}

test('a path matches its own redirect, or the longest wildcard above it', () => {
  const table = redirectTable(rulesOf('/a /1', '/a/* /2', '/a/b/* /3+', '/%C3%A4/B /4', '/* /5+'))
  const found = (path: string) => {
    const match = table.exact(path) ?? table.wildcard(path)
    return match && [match.rule.to, ...match.rest]
  }
  assert.deepEqual(found('a'), ['/1'])
  assert.deepEqual(found('/A/'), ['/1'])
  assert.deepEqual(found('a/x/y'), ['/2'])
  assert.deepEqual(found('a/b'), ['/3'])
  assert.deepEqual(found('a/b/C/%C3%A9'), ['/3', 'C', 'é'])
  assert.deepEqual(found('%c3%84/b'), ['/4'])
  assert.deepEqual(found('x//y'), ['/5', 'x', 'y'])
  assert.deepEqual(found(''), ['/5'])
  assert.equal(redirectTable(rulesOf('/a /1')).wildcard('b'), undefined)
})

test('a wildcard captures no segment that leads out of its destination', () => {
  const table = redirectTable(rulesOf('/a/* /1+'))
  for (const path of ['a/../b', 'a/%2e%2E/b', 'a/.', 'a/b%2Fc'])
    assert.equal(table.wildcard(path), undefined, path)
  assert.equal(withSegments('/to/', ['x?', '\\', '//evil']), '/to/x%3F/%5C/%2F%2Fevil')
})

test('a long path is looked up in a time in proportion to its length', () => {
  const table = redirectTable(rulesOf('/a/* /1'))
  assert.equal(table.wildcard(`b${'/x'.repeat(50_000)}`), undefined)
})

test('a redirect that leads back to itself is found, also through others', async () => {
  assert.deepEqual(await loopOf('/a /a'), ['/a'])
  assert.deepEqual(await loopOf('/a /b', '/b /A'), ['/b', '/a'])
  assert.deepEqual(await loopOf('/a /b', '/b /c=', '/c /a'), ['/c', '/a', '/b'])
  assert.deepEqual(await loopOf('/a/* /b+', '/b/* /a+'), ['/b/*', '/a/*'])
  assert.deepEqual(await loopOf('/a/x /b/x', '/b/* /a+'), ['/b/*', '/a/x'])
  assert.equal((await loopOf('/* /a+'))?.length, LONGEST_CHAIN + 1)
})

test('a chain that ends is allowed, and a page comes before a wildcard', async () => {
  assert.equal(await loopOf('/a /b', '/b /c'), undefined)
  assert.equal(await loopOf('/* /home='), undefined)
  assert.equal(await loopOf('/a/* /b/old+', '/b/new/* /a+', '/c /a/x'), undefined)
  assert.equal(await loopOf('/a https://example.com/a'), undefined)
})

test('a chain of more redirects than browsers follow is found', async () => {
  const chain = Array.from({ length: LONGEST_CHAIN }, (_, i) => `/${i} /${i + 1}`)
  assert.equal(await loopOf(...chain.toReversed()), undefined)
  assert.equal((await loopOf(...chain, '/start /0'))?.length, LONGEST_CHAIN + 1)
})
