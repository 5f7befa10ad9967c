/** Repeatedly kills the server during batches and merges: acknowledged changes survive, and none is partial. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type CrashingServer, startCrashingServer } from './crashing.ts'
import { inLongRun, timesOf } from './effort.ts'
import { momentsOf } from './property.ts'

const KILLS = timesOf(50)
const WRITERS = 3
/** After this many kills, the writers use a new space, so that the checks do not become slower. */
const SPACE_FOR = 10
const PAGES = 4
/** The number of merges before a kill: none, so that the kill interrupts the first proposal, or some. */
const STAGES = [0, 2, 3, 1]
const LONGEST_MS = 120
const TICK_MS = 5
const TICKS = 1_000

interface Page {
  title: string
  pages?: Page[]
}

/** The changes that the server acknowledged, by the subject of the change request. */
interface Acknowledged {
  proposed: Map<string, { id: string; revision: string }>
  merged: Map<string, string>
}

const OPTIONS = { skip: inLongRun, timeout: 900_000 }

test(`SIGKILL during batches and merges, ${KILLS} times`, OPTIONS, async (t) => {
  const server = await startCrashingServer(t)
  let [merges, cutOff] = [0, 0]
  let space = ''
  let acknowledged: Acknowledged = { proposed: new Map(), merged: new Map() }

  const moments = momentsOf(KILLS, LONGEST_MS)
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill % SPACE_FOR === 0) {
      merges += acknowledged.merged.size
      space = await newSpace(server)
      acknowledged = { proposed: new Map(), merged: new Map() }
    }
    const writers = Array.from({ length: WRITERS }, (_, i) =>
      writeOn(server, space, `${kill}-${i}`, acknowledged),
    )
    const ended = Promise.allSettled(writers)
    const enough = acknowledged.merged.size + STAGES[kill % STAGES.length]!
    for (let tick = 0; acknowledged.merged.size < enough && tick < TICKS; tick++) await wait(TICK_MS)
    await wait(moments[kill])
    await server.kill()
    for (const writer of await ended) {
      // An error response means that the writer was not interrupted.
      if (writer.status === 'rejected') assert.match(String(writer.reason), /fetch failed|terminated/)
      cutOff += 1
    }

    await server.restart()
    await check(server, space, acknowledged)
  }
  await server.stop()
  merges += acknowledged.merged.size
  assert(merges > KILLS, `${merges} merges were acknowledged`)
  assert.equal(cutOff, KILLS * WRITERS, 'every writer was cut off')
})

async function newSpace(server: CrashingServer): Promise<string> {
  const { items } = await server.call<{ items: { id: string }[] }>('GET', '/orgs')
  const { id } = await server.call<{ id: string }>('POST', `/orgs/${items[0]?.id}/spaces`, {})
  return id
}

/** Proposes and merges until the server is killed. */
async function writeOn(
  server: CrashingServer,
  space: string,
  writer: string,
  acknowledged: Acknowledged,
): Promise<never> {
  for (let i = 0; ; i++) {
    const subject = `${writer}-${i}`
    const { id } = await server.call<{ id: string }>('POST', `/spaces/${space}/change-requests`, { subject })
    const base = `/spaces/${space}/change-requests/${id}`
    const changes = Array.from({ length: PAGES }, (_, page) => ({
      operation: 'insert_page',
      document: { markdown: `# ${subject} ${page}\n\nText of ${subject}.\n` },
    }))
    const { revision } = await server.call<{ revision: string }>('POST', `${base}/content`, { changes })
    acknowledged.proposed.set(subject, { id, revision })
    const merge = await server.call<{ revision: string; result: string }>('POST', `${base}/merge`)
    assert.equal(merge.result, 'merge')
    acknowledged.merged.set(subject, merge.revision)
  }
}

async function check(server: CrashingServer, space: string, acknowledged: Acknowledged): Promise<void> {
  const all = await changeRequestsOf(server, space)
  assert.deepEqual(
    all.map(({ number }) => number).toSorted((a, b) => a - b),
    all.map((_, i) => i + 1),
    'numbers have no gap',
  )
  const found = new Map(all.map((one) => [one.subject, one]))
  const primary = pagesBySubject(await pagesAt(server, `/spaces/${space}/content`))
  const merged = all.filter(({ status }) => status === 'merged').map(({ subject }) => subject)
  assert.deepEqual([...primary.keys()].toSorted(), merged.toSorted(), 'what is merged is in the content')
  for (const [subject, count] of primary) assert.equal(count, PAGES, `${subject} is there whole`)

  for (const [subject, { revision }] of acknowledged.proposed)
    assert.equal(found.get(subject)?.revision, revision, `the batch of ${subject} is there`)
  for (const [subject, revision] of acknowledged.merged)
    assert.equal(found.get(subject)?.revisionMerged, revision, `the merge of ${subject} is there`)
  for (const { id, subject, status } of all.filter((one) => one.status !== 'merged')) {
    const own = pagesBySubject(await pagesAt(server, `/spaces/${space}/change-requests/${id}/content`))
    const count = own.get(subject) ?? 0
    assert(
      count === PAGES || (count === 0 && !acknowledged.proposed.has(subject)),
      `${subject}, ${status}: ${count}`,
    )
  }
  await checkHistory(server, space, merged.length)
}

/** Checks that the revisions are linear, from the empty one on, with one merge each. */
async function checkHistory(server: CrashingServer, space: string, merges: number): Promise<void> {
  type Revision = { id: string; type: string; parents: string[] }
  const { items, count } = await server.call<{ items: Revision[]; count: number }>(
    'GET',
    `/spaces/${space}/revisions?limit=1000`,
  )
  assert.equal(count, merges + 1)
  for (const [i, { type, parents }] of items.entries())
    assert.deepEqual([type, parents[0]], i === merges ? ['edits', undefined] : ['merge', items[i + 1]?.id])
}

interface Listed {
  id: string
  number: number
  subject: string
  status: string
  revision: string
  revisionMerged?: string
}

async function changeRequestsOf(server: CrashingServer, space: string): Promise<Listed[]> {
  const list = (status: string) =>
    server.call<{ items: Listed[] }>('GET', `/spaces/${space}/change-requests?limit=1000&status=${status}`)
  return [...(await list('merged')).items, ...(await list('draft')).items]
}

async function pagesAt(server: CrashingServer, content: string): Promise<Page[]> {
  return (await server.call<{ pages: Page[] }>('GET', `${content}/pages`)).pages
}

/** Counts the pages of each change request. */
function pagesBySubject(pages: Page[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { title } of pages) {
    const subject = title.split(' ')[0] ?? ''
    counts.set(subject, (counts.get(subject) ?? 0) + 1)
  }
  return counts
}
