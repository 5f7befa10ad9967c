/**
 * Kills the server while two writers type into one page: every word that it acknowledged is in the page at the end. In the
 * long run: by default, `crash-mixed.test.ts` kills the server during writes of content.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type CrashingServer, startCrashingServer } from './crashing.ts'
import { inLongRun, timesOf } from './effort.ts'
import { momentsOf } from './property.ts'
import { runHere } from './process.ts'

const KILLS = timesOf(60)
/** The number of acknowledged words before a kill. */
const STAGES = [8, 0, 3, 6]
const LONGEST_MS = 80
const TICK_MS = 5
const TICKS = 4_000
const BLOCKS = 4

interface Leaf {
  text: string
}
interface Block {
  key?: string
  type: string
  nodes: { leaves: Leaf[] }[]
}
interface Written {
  revision: string
}

/** A page of a change request, and how many words were merged, settled and acknowledged. */
interface Place {
  content: string
  page: string
  settled: number
  acknowledged: string[]
}

const options = { timeout: 900_000, skip: inLongRun }

test(`SIGKILL while two writers type into one page, ${KILLS} times`, options, async (t) => {
  const server = await startCrashingServer(t, { LECTERN_RATE_LIMIT: '1000000' })
  const place = await newPage(server)
  const moments = momentsOf(KILLS, LONGEST_MS)
  for (let kill = 0; kill < KILLS; kill++) {
    const writers = ['ann', 'bob'].map((name) => type(server, place, `${name}${kill}x`))
    const ended = Promise.allSettled(writers)
    const enough = place.acknowledged.length + STAGES[kill % STAGES.length]!
    // The first time, the writers meet until one has settled a conflict.
    const isEnough = () => place.acknowledged.length >= enough && (kill > 0 || place.settled > 0)
    for (let tick = 0; !isEnough() && tick < TICKS; tick++) await wait(TICK_MS)
    await wait(moments[kill])
    await server.kill()
    for (const writer of await ended) {
      assert(writer.status === 'rejected')
      assert.match(String(writer.reason), /fetch failed|terminated/)
    }
    await server.restart()
    const { text } = await read(server, place)
    const missing = place.acknowledged.filter((word) => !new RegExp(`\\b${word}\\b`).test(text))
    assert.deepEqual(missing, [], `of ${place.acknowledged.length} words, after ${kill + 1} kills`)
  }
  await server.stop()
  t.diagnostic(`${place.acknowledged.length} words, ${place.settled} conflicts`)
  assert(place.settled > 0)
  const audit = await runHere(['audit', 'verify'], server.env)
  assert.equal(audit.code, 0, audit.err)
})

async function newPage(server: CrashingServer): Promise<Place> {
  const { items } = await server.call<{ items: { id: string }[] }>('GET', '/orgs')
  const { id } = await server.call<{ id: string }>('POST', `/orgs/${items[0]?.id}/spaces`, {})
  const requests = `/spaces/${id}/change-requests`
  const request = await server.call<{ id: string }>('POST', requests, { subject: 'Typing' })
  const content = `${requests}/${request.id}/content`
  const markdown = `# Page\n\n${'Some words.\n\n'.repeat(BLOCKS)}`
  const { changes } = await server.call<{ changes: { page: { id: string } }[] }>(
    'POST',
    `${content}?compat=false`,
    { changes: [{ operation: 'insert_page', document: { markdown } }] },
  )
  return { content, page: changes[0]!.page.id, settled: 0, acknowledged: [] }
}

/** Reads the page with the revision that has it. */
async function read(server: CrashingServer, { content, page }: Place) {
  for (;;) {
    const before = await server.call<Written>('GET', content.replace(/\/content$/, ''))
    const { document } = await server.call<{ document: { nodes: Block[] } }>(
      'GET',
      `${content}/page/${page}?format=document`,
    )
    const after = await server.call<Written>('GET', content.replace(/\/content$/, ''))
    if (before.revision !== after.revision) continue
    return { revision: before.revision, blocks: document.nodes, text: JSON.stringify(document.nodes) }
  }
}

/** Types a word at a time into one of the blocks, until the server is killed. */
async function type(server: CrashingServer, place: Place, name: string): Promise<never> {
  for (let i = 0; ; i++) {
    const word = `${name}${i}`
    let seen = await read(server, place)
    while (!(await isSaved(server, place, seen, word, i))) {
      place.settled += 1
      // What the others wrote is in the newest revision: the word goes in beside it.
      seen = await read(server, place)
    }
    place.acknowledged.push(word)
  }
}

/** Sends the blocks with one word more. @returns false if it conflicts with what the others wrote since */
async function isSaved(
  server: CrashingServer,
  { content, page }: Place,
  { revision, blocks }: Awaited<ReturnType<typeof read>>,
  word: string,
  i: number,
): Promise<boolean> {
  const at = i % BLOCKS
  const changed = structuredClone(blocks[at]!)
  const leaf = changed.nodes[0]!.leaves[0]!
  leaf.text = i % 2 === 0 ? `${leaf.text} ${word}` : `${word} ${leaf.text}`
  const sent = blocks.map((block, index) => (index === at ? changed : { keep: block.key }))
  try {
    await server.call('POST', `${content}?compat=false`, {
      revision,
      changes: [{ operation: 'update_page', page, document: { blocks: sent } }],
    })
    return true
  } catch (error) {
    const { message } = error as Error
    if (!/: 409 /.test(message)) throw error
    const { conflicts } = (JSON.parse(message.slice(message.indexOf('{'))) as { error: Conflicts }).error
    // Only a conflict of texts is settled, and it has the word that was not stored.
    assert(
      conflicts.some(({ mine }) => mine?.includes(word)),
      message,
    )
    return false
  }
}

interface Conflicts {
  conflicts: { mine: string | null }[]
}
