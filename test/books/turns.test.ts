/** A book that takes long is ended, and holds up no short one. */
import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { after, test } from 'node:test'
import { epubInThreads } from '../../src/books/epub-in-threads.ts'
import { limitBooks } from '../../src/books/limits.ts'
import { workLimit } from '../../src/books/work-limit.ts'
import { threadPool } from '../../src/threads/pool.ts'
import { bodyOf, bookOf, madeEpub, sourcesOf } from '../core/epub/books.ts'
import { archiveOf, spaceWith, upload } from '../importing.ts'
import { createWorld } from '../world.ts'
import { SAMPLE } from './sample.ts'

const world = await createWorld()
after(() => limitBooks({}))

/** Longer than a book that a place for short books takes. */
const PAGES = 60
const LONG_PLACES = availableParallelism() > 3 ? 2 : 1

/** A page that takes about a quarter of a second. */
const slowPage = (page: number) =>
  `# Page ${page}\n\n${Array.from({ length: 40 }, (_, line) =>
    Array.from({ length: 150 }, (__, i) => `plain${page} **bold ${line * i}**`).join(' '),
  ).join('\n\n')}\n`
const LONG = archiveOf(
  Object.fromEntries(Array.from({ length: PAGES }, (_, page) => [`page-${page}.md`, slowPage(page)])),
)

test('an EPUB that takes longer than it may is refused with the limit', async (t) => {
  t.after(() => limitBooks({}))
  const { spaceId } = await spaceWith(world, archiveOf(SAMPLE), 'Sample')
  limitBooks({ totalMs: 1 })
  const late = await world.ada(`GET /v1/spaces/${spaceId}/pdf?format=epub`)
  assert.equal(late.status, 503, late.text)
  assert.match(late.body.error.message, /more than 0\.001 seconds .*LECTERN_BOOK_SECONDS.*`page`/)
})

test('a book that is too slow for a place for short books is made nevertheless', async (t) => {
  t.after(() => limitBooks({}))
  const { spaceId } = await spaceWith(world, archiveOf(SAMPLE), 'Slow sample')
  limitBooks({ shortMs: 1 })
  for (const format of ['epub', 'pdf']) {
    const { status, body } = await world.ada(`GET /v1/spaces/${spaceId}/pdf?format=${format}`)
    assert.deepEqual([status, body.problems], [200, []], format)
  }
})

test('a short book does not wait for long ones', async (t) => {
  t.after(() => limitBooks({}))
  const attackers = await Promise.all(
    Array.from({ length: LONG_PLACES }, (_, i) => world.stranger(`mallory-${i}`)),
  )
  const books = []
  for (const who of attackers) {
    const { id } = (await who(`POST /v1/orgs/${who.organizationId}/spaces`, { title: 'Long' })).body
    const url = await upload(who, who.organizationId, LONG)
    const { status, text } = await who(`POST /v1/spaces/${id}/content/import`, { url, source: 'zip' })
    assert.equal(status, 201, text)
    books.push({ who, path: `GET /v1/spaces/${id}/pdf?format=epub` as const })
  }
  const victim = await spaceWith(world, archiveOf({ 'README.md': '# One line\n' }), 'Short')

  limitBooks({ totalMs: 20_000, shortMs: 15_000 })
  const order: string[] = []
  const long = books.map(async ({ who, path }) => {
    const { status } = await who(path)
    order.push('long')
    assert.ok(status === 200 || status === 503, String(status))
  })
  const short = await world.ada(`GET /v1/spaces/${victim.spaceId}/pdf`)
  order.push('short')
  assert.equal(short.status, 200, short.text)
  assert.deepEqual(order, ['short'])
  await Promise.all(long)
})

test('the time for which a book waits for threads does not count', async () => {
  await using pool = threadPool({ threads: 1, queue: 10, queueOfParty: 10, memoryMb: 256, idleMs: 30_000 })
  const pages = ['a', 'b', 'c'].map((id) => ({ id, title: id, level: 1, hasBody: true }))
  const bodies = new Map(pages.map(({ id }) => [id, bodyOf(`Page ${id}`)]))
  const make = (ms: number) => {
    const work = epubInThreads({ user: 'reader' }, { pool, limit: workLimit(ms) })
    return madeEpub(bookOf(pages), { ...sourcesOf(bodies), ...work })
  }
  // Loads the code, which takes longer than the work.
  await make(60_000)
  const wait = {
    module: new URL('../threads/script.ts', import.meta.url),
    name: 'runTestTask',
    timeMs: 60_000,
  }
  const busy = Array.from({ length: 4 }, () => pool.run(wait, { wait: 1000 }, { party: { user: 'other' } }))
  const since = performance.now()
  await make(900)
  assert.ok(performance.now() - since > 900)
  await Promise.all(busy)
  await assert.rejects(make(0), { name: 'BookLate' })
})
