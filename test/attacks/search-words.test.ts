/** Pages with very many different words: to index and search them holds nobody up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLongRun } from '../effort.ts'
import { proposalsIn } from '../proposing.ts'
import { indexed } from '../search/indexing.ts'
import { createWorld } from '../world.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

const world = await createWorld()
const { ada, db } = world
const PAGES = isLongRun() ? 18 : 1

const page = (seed: number) =>
  `# Words ${seed}\n\n${Array.from({ length: 30_000 }, (_, i) => `b${(i * 7919 + seed * 104729).toString(36)}${seed.toString(36)}`).join(' ')}\n`

test('pages with 30,000 words each are indexed in turns, and writers wait for none of them', async () => {
  const files = Object.fromEntries(Array.from({ length: PAGES }, (_, i) => [`p${i}.md`, page(i)]))
  const spaceId = (await proposalsIn(world).liveSpace(files)).split('/').at(-1)!
  const indexing = new AbortController()
  const waits: number[] = []
  const writing = async () => {
    while (!indexing.signal.aborted) {
      const since = performance.now()
      await db.write((tx) =>
        tx.updateTable('instance').set({ value: '' }).where('name', '=', 'none').execute(),
      )
      waits.push(performance.now() - since)
    }
  }
  const { ms } = await longestHold(async () => {
    const writer = writing()
    await indexed(world).finally(() => indexing.abort())
    await writer
  })
  assert(ms < 2 * LONGEST_HOLD_MS, `the event loop was held for ${ms} ms`)
  const longest = waits.reduce((most, wait) => Math.max(most, wait), 0)
  assert(longest < 5000, `a writer waited for ${longest} ms`)
  assert.equal((await ada(`GET /v1/spaces/${spaceId}/search?query=words`)).body.count, PAGES)

  for (const query of ['bzzzzzzz', `b${'z'.repeat(60)}`]) {
    const typo = await longestHold(() => ada(`GET /v1/spaces/${spaceId}/search?query=${query}`))
    assert.equal(typo.value.status, 200)
    assert(typo.ms < LONGEST_HOLD_MS, `the event loop was held for ${typo.ms} ms by ${query}`)
  }
  // Tens of thousands of words begin so, of which the shortest 300 count. Each page has some of them.
  for (const query of ['b1', 'bz']) {
    const beginning = await longestHold(() => ada(`GET /v1/spaces/${spaceId}/search?query=${query}`))
    assert.equal(beginning.value.body.count, PAGES, query)
    assert(beginning.ms < LONGEST_HOLD_MS, `the event loop was held for ${beginning.ms} ms by ${query}`)
  }
})
