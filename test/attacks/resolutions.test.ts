import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLongRun } from '../effort.ts'
import { proposalsIn } from '../proposing.ts'
import { createWorld } from '../world.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

const world = await createWorld({}, { inspect: undefined })
const { ada } = world
const { liveSpace, propose, write, sources } = proposalsIn(world)

const EVERY = 20
const PARAGRAPHS = isLongRun() ? 4000 : 2000

/** A page in which every twentieth paragraph has the word. */
const page = (word: string) =>
  `# Large\n\n${Array.from(
    { length: PARAGRAPHS },
    (_, i) =>
      `Paragraph ${i} **${i % EVERY === 0 ? word : 'same'}** with [a link](https://example.com/${i}).`,
  ).join('\n\n')}\n`

async function conflicting() {
  const space = await liveSpace({ 'README.md': page('base') })
  const base = await propose(space, { 'README.md': page('mine') })
  await write(space, { 'README.md': page('theirs') })
  assert.equal((await ada(`POST ${base}/update`)).body.result, 'conflicts')
  const { items } = (await ada(`GET ${base}/conflicts?limit=1000`)).body
  assert.equal(items.length, PARAGRAPHS / EVERY)
  return { base, ids: items.map(({ id }: { id: string }) => id) as string[] }
}

const count = (text: string, word: string) => text.split(`**${word}**`).length - 1

test('a conflict of a large page is resolved in a thread, before the transaction', async () => {
  const { base, ids } = await conflicting()
  const resolve = (id: string, choice: object) => ada(`POST ${base}/conflicts/${id}/resolve`, choice)
  const { ms, value } = await longestHold(() => resolve(ids[3]!, { side: 'primary' }))
  assert.equal(value.status, 200, value.text)
  assert(ms <= LONGEST_HOLD_MS, `the event loop was held for ${ms} ms`)

  // Each is prepared again when another one has changed the page.
  const several = [{ side: 'primary' }, { content: 'Paragraph **ours**.' }, { content: null }]
  const answers = await Promise.all(several.map((choice, i) => resolve(ids[i]!, choice)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  const { Large: text } = await sources(base)
  assert.deepEqual(
    ['theirs', 'ours', 'mine'].map((word) => count(text!, word)),
    [2, 1, ids.length - 4],
  )

  const refused = await resolve(ids[4]!, { content: 'a\n\n'.repeat(300_000) })
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /split the page/)
})
