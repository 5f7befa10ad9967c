/** The index of a large import is made while the server answers: no step of it holds the event loop for long. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLongRun } from '../effort.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { indexed } from '../search/indexing.ts'
import { createWorld } from '../world.ts'
import { longestHold } from './event-loop.ts'

/** What indexing may hold the event loop for. A hold is mostly one commit, or one statement that merges parts of the index. */
const MOST_MS = 50
const PAGES = isLongRun() ? 1_000 : 100
const SPACES = 3

/** About 7,000 characters with words of their own and words that all pages have, as in a manual. */
function pageOf(number: number): string {
  const words = Array.from({ length: 1_000 }, (_, i) => {
    const own = i % 5 === 0 ? (number * 1_000 + i).toString(36) : ((i * i) % 2_003).toString(36)
    return `w${own}${i % 40 === 39 ? '.\n\n' : ''}`
  })
  return `# Page ${number}\n\n${words.join(' ')}\n`
}

test(`to index ${PAGES} pages holds the event loop for less than ${MOST_MS} ms`, async () => {
  const world = await createWorld()
  const holds: number[] = []
  for (let space = 0; space < SPACES; space++) {
    const pages = Array.from({ length: PAGES }, (_, i) => [`p${i}.md`, pageOf(space * PAGES + i)] as const)
    const { spaceId } = await spaceWith(world, archiveOf(Object.fromEntries(pages)), `Space ${space}`)
    const { cpuMs } = await longestHold(() => indexed(world))
    holds.push(cpuMs)
    const { body } = await world.ada(`GET /v1/spaces/${spaceId}/search?query=page`)
    assert.equal(body.count, PAGES)
  }
  // The median, because what the machine does meanwhile, and garbage of the imports, is in some of them only.
  const [, median] = holds.toSorted((a, b) => a - b)
  assert(median! < MOST_MS, `the event loop was held for ${holds.map((ms) => ms.toFixed(0)).join(', ')} ms`)
})
