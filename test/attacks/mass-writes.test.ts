/** Writes of thousands of pages, and many requests on one connection, and what others notice of them. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { isLongRun } from '../effort.ts'
import { archiveOf, upload } from '../importing.ts'
import { createWorld } from '../world.ts'
import { machineSlowness } from '../slowness.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

const world = await createWorld()
const { ada, organizationId } = world
const BATCHES = isLongRun() ? 20 : 5
const PAGES = isLongRun() ? 10_000 : 500
/** The pause of a writer between two writes. */
const PAUSE_MS = 5
/** Time by the clock, because a writer waits for others; on a busy machine it is a few times as long. */
const LONGEST_WAIT_MS = 2_000

const words =
  'A paragraph with [a link](page-1.md), `code` and **strong** words about the subject of the page. '

/** A root with chapters of a hundred pages. */
function repository(pages: number): Uint8Array {
  const lines = ['* [Root](root.md)']
  const files: Record<string, string> = { 'root.md': '# Root\n' }
  for (let i = 0; i < pages; i++) {
    if (i % 100 === 0) lines.push(`  * [Chapter ${i}](page-${i}.md)`)
    else lines.push(`    * [Page ${i}](page-${i}.md)`)
    files[`page-${i}.md`] = `---\ndescription: Page ${i}\n---\n\n# Page ${i}\n\n${words.repeat(2)}`
  }
  return archiveOf({ ...files, 'SUMMARY.md': lines.join('\n') })
}

async function newSpace(): Promise<string> {
  return (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Large', editMode: 'live' })).body.id
}

const spaceId = await newSpace()
const url = await upload(ada, organizationId, repository(PAGES))

for (const name of ['an import', 'another import of the same repository'])
  test(`${name} of ${PAGES} pages holds nobody up`, async () => {
    const { ms, value } = await longestHold(() =>
      ada(`POST /v1/spaces/${spaceId}/content/import`, { url, source: 'zip' }),
    )
    assert.equal(value.status, 201, value.text)
    assert(ms < LONGEST_HOLD_MS, `held for ${ms} ms`)
  })

test('other writers wait for an import for a moment at most', async () => {
  const into = await newSpace()
  const over = new AbortController()
  const longestWait = async () => {
    let longest = 0
    while (!over.signal.aborted) {
      const start = performance.now()
      await world.db.write((tx) => tx.deleteFrom('instance').where('name', '=', 'nothing').execute())
      longest = Math.max(longest, performance.now() - start)
      await wait(PAUSE_MS)
    }
    return longest
  }
  const waiting = longestWait()
  const { status, text: sent } = await ada(`POST /v1/spaces/${into}/content/import`, { url, source: 'zip' })
  over.abort()
  assert.equal(status, 201, sent)
  const ms = (await waiting) / machineSlowness()
  assert(ms < LONGEST_WAIT_MS, `another writer waited for ${ms} ms`)
})

test('copies of a large space hold nobody up', async () => {
  const { ms, value } = await longestHold(() =>
    Promise.all([1, 2].map(() => ada(`POST /v1/spaces/${spaceId}/duplicate`))),
  )
  for (const copy of value) assert.equal(copy.status, 201, copy.text)
  assert(ms < LONGEST_HOLD_MS, `held for ${ms} ms`)
})

test('many batches at once hold nobody up', async () => {
  const other = await newSpace()
  const batch = (n: number) => ({
    changes: Array.from({ length: 50 }, (_, i) => ({
      operation: 'insert_page',
      title: `Page ${n} ${i}`,
      document: { markdown: words.repeat(5) },
    })),
  })
  const { ms, value } = await longestHold(() =>
    Promise.all(Array.from({ length: BATCHES }, (_, n) => ada(`POST /v1/spaces/${other}/content`, batch(n)))),
  )
  for (const answer of value) assert.equal(answer.status, 200, answer.text)
  assert(ms < LONGEST_HOLD_MS, `held for ${ms} ms`)
})

test('deletions of a root with all its pages hold nobody up', async () => {
  const [{ id: page }] = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body.pages
  const changeRequests = await Promise.all(
    Array.from({ length: 5 }, () => ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Delete' })),
  )
  const { ms, value } = await longestHold(() =>
    Promise.all(
      changeRequests.map(({ body }) =>
        ada(`POST /v1/spaces/${spaceId}/change-requests/${body.id}/content`, {
          changes: [{ operation: 'delete_page', page }],
        }),
      ),
    ),
  )
  for (const answer of value) assert.equal(answer.status, 200, answer.text)
  assert(ms < LONGEST_HOLD_MS, `held for ${ms} ms`)
})

test('thousands of requests sent at once on one connection hold nobody up, and are answered in order', async () => {
  const count = isLongRun() ? 5000 : 1000
  const one = (i: number) =>
    [
      `GET /v1/spaces/${i % 2 === 0 ? spaceId : 'unknown'} HTTP/1.1`,
      'host: localhost',
      `authorization: Bearer ${ada.token}`,
      ...(i === count - 1 ? ['connection: close'] : []),
      '\r\n',
    ].join('\r\n')
  const { port, hostname } = new URL(world.url)
  const { ms, value } = await longestHold(async () => {
    const socket = connect(Number(port), hostname)
    socket.write(Array.from({ length: count }, (_, i) => one(i)).join(''))
    return text(socket)
  })
  assert.deepEqual(
    [...value.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    Array.from({ length: count }, (_, i) => (i % 2 === 0 ? '200' : '404')),
  )
  assert(ms < LONGEST_HOLD_MS, `held for ${ms} ms`)
})
