/** Many large imports at once: those that wait take no memory, others do not wait, and too many get 429. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { importSlots } from '../../src/imports/slots.ts'
import { zipSync } from 'fflate'
import { isLongRun } from '../effort.ts'
import { createWorld } from '../world.ts'

const IMPORTS = 12
const MEGABYTES = isLongRun() ? 60 : 3

test('many large imports at once', { timeout: 300_000 }, async () => {
  const world = await createWorld()
  const { ada, organizationId } = world
  const archive = Buffer.from(
    zipSync({
      'README.md': Buffer.from('# Home\n'),
      'a.bin': [randomBytes(MEGABYTES * 1024 * 1024), { level: 0 }],
    }),
  )
  const { body: upload } = await ada(`POST /v1/orgs/${organizationId}/storage/upload`, {
    file: { name: 'docs.zip', type: 'application/zip', size: archive.length },
    kind: 'import_file',
  })
  assert.equal((await fetch(upload.url, { method: 'PUT', body: archive })).status, 204)

  const spaces = await Promise.all(
    Array.from({ length: IMPORTS }, () => ada(`POST /v1/orgs/${organizationId}/spaces`, {})),
  )
  const answers = await Promise.all(
    spaces.map(({ body }) =>
      ada(`POST /v1/spaces/${body.id}/content/import`, { url: upload.url, source: 'zip' }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual([...new Set(statuses)].toSorted(), [201, 429], statuses.join())
  for (const { status, headers } of answers)
    if (status === 429) assert.match(headers.get('retry-after') ?? '', /^\d+$/)

  const refused = spaces[statuses.indexOf(429)]
  const { status } = await ada(`POST /v1/spaces/${refused?.body.id}/content/import`, {
    url: upload.url,
    source: 'zip',
  })
  assert.equal(status, 201, 'a slot is free again')
})

test('no more work runs than there are slots, no more waits than the queue holds, and parties take turns', async () => {
  const inSlot = importSlots({ atOnce: 2, atOnceOfParty: 2, queue: 4, queueOfParty: 3, queueOfUser: 3 })
  let [running, most] = [0, 0]
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const work = (party: string) =>
    inSlot({ user: party }, async () => {
      order.push(party)
      most = Math.max(most, (running += 1))
      await gate.promise
      running -= 1
    }).then(
      () => 'done',
      (error: { status: number }) => error.status,
    )
  const results = ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'c'].map(work)
  gate.resolve()
  // The sixth of a is beyond the bound of one party, and the fifth gives way to that of c.
  assert.deepEqual(await Promise.all(results), ['done', 'done', 'done', 'done', 429, 429, 'done', 'done'])
  assert.equal(most, 2)
  assert(order.indexOf('b') < order.lastIndexOf('a'), order.join())

  const failing = importSlots({ atOnce: 1, queue: 1, queueOfParty: 1, queueOfUser: 1 })
  await assert.rejects(
    failing({ user: 'a' }, () => Promise.reject(new Error('no luck'))),
    /no luck/,
  )
  assert.equal(await failing({ user: 'a' }, async () => 'next'), 'next', 'a failure frees its slot')
})

test('one user leaves places to wait for the others of the organization', async () => {
  const inSlot = importSlots({ atOnce: 1, queue: 9, queueOfParty: 4, queueOfUser: 2 })
  const gate = Promise.withResolvers<void>()
  const work = (user: string) =>
    inSlot({ user, organization: 'acme' }, () => gate.promise).then(
      () => 'done',
      (error: { status: number }) => error.status,
    )
  const results = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c'].map(work)
  gate.resolve()
  // The fourth of a and the third of b are beyond the bound of one user. The third of a gives way to that of c.
  assert.deepEqual(await Promise.all(results), ['done', 'done', 429, 429, 'done', 'done', 429, 'done'])
  assert.equal(await work('a'), 'done', 'what has ended counts no more')
})
