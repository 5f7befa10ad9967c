/** Who else is looking at a space or a change request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireEvents } from '../../src/jobs/expire-events.ts'
import { type HeardEvent, type Hearing, listeningIn } from '../listening.ts'
import { until } from '../waiting.ts'
import { proposalsIn } from '../proposing.ts'
import { createWorld, type Person } from '../world.ts'

const limits = { pollMs: 50 }
const world = await createWorld({}, { listening: limits })
const { ada, app, db } = world
const { hearAt, another } = listeningIn(world, limits)
const { liveSpace } = proposalsIn(world)
const bob = await world.person('bob', 'read')

const space = await liveSpace({ 'README.md': '# Home\n' })
const spaceId = space.split('/')[3]
const page = (await ada(`GET ${space}/content/pages`)).body.pages[0].id as string

/** A new change request. @returns its URL path */
const newProposal = async () =>
  `${space}/change-requests/${(await ada(`POST ${space}/change-requests`, {})).body.id}`
const clientOf = ({ events }: Hearing) => events[0]!.data.client as string

async function show(by: Person, path: string, body: object) {
  const answer = await by(`PUT ${path}/presence`, body)
  assert.equal(answer.status, 204, answer.text)
}

/** The last list that was heard, once it has so many clients. */
async function present({ events }: Hearing, count: number): Promise<HeardEvent['data']> {
  const last = () => events.findLast(({ name }) => name === 'presence')?.data ?? { count: 0 }
  await until(() => last().count === count, `${count} clients, not ${JSON.stringify(last())}`)
  return last()
}

test('those who listen to the same change request see which page and block others view or edit', async () => {
  const [one, other] = [await newProposal(), await newProposal()]
  const [adas, bobs, inOther, inSpace] = await Promise.all([
    hearAt(`${one}/events`),
    hearAt(`${one}/events`, bob),
    hearAt(`${other}/events`),
    hearAt(`${space}/events`),
  ])
  const client = clientOf(bobs)
  await show(bob, one, { client, page, block: 'abc', state: 'editing' })
  const changeRequest = one.split('/')[5]
  const entry = { user: bob.id, client, changeRequest, page, block: 'abc', state: 'editing' }
  for (const hearing of [adas, bobs])
    assert.deepEqual(await present(hearing, 1), { space: spaceId, changeRequest, count: 1, present: [entry] })
  assert.deepEqual(await present(inSpace, 1), { space: spaceId, count: 1, present: [entry] })

  await show(ada, space, { client: clientOf(inSpace) })
  const both = await present(inSpace, 2)
  assert.deepEqual(both.present[1], { user: ada.id, client: clientOf(inSpace), state: 'viewing' })
  assert.equal((await present(adas, 1)).present[0].user, bob.id)
  assert.deepEqual(
    inOther.events.map(({ name }) => name),
    ['ready'],
  )

  // A late listener gets the list, too, and nobody gets it again while it is the same.
  assert.equal((await present(await hearAt(`${one}/events`), 1)).present[0].user, bob.id)
  const before = adas.events.length
  await show(bob, one, { client, page, block: 'abc', state: 'editing' })
  await show(ada, one, { client: 'another' })
  await present(adas, 2)
  assert.equal(adas.events.length, before + 1)
})

test('presence ends with the stream of the client', async () => {
  const base = await newProposal()
  const [adas, bobs] = [await hearAt(`${base}/events`), await hearAt(`${base}/events`, bob)]
  await show(bob, base, { client: clientOf(bobs) })
  await present(adas, 1)
  bobs.leave()
  await present(adas, 0)
})

test('the end of a stream ends the presence of its user only, whatever the clients of others are called', async () => {
  const base = await newProposal()
  const [adas, bobs] = [await hearAt(`${base}/events`), await hearAt(`${base}/events`, bob)]
  const client = clientOf(bobs)
  await show(bob, base, { client })
  await show(ada, base, { client })
  await present(adas, 2)
  bobs.leave()
  const left = await present(adas, 1)
  assert.deepEqual(
    left.present.map(({ user }: { user: string }) => user),
    [ada.id],
  )
})

test('presence expires unless it is renewed, and the job deletes it', async () => {
  const base = await newProposal()
  const hearing = await hearAt(`${base}/events`)
  await show(bob, base, { client: 'old' })
  await present(hearing, 1)
  world.clock.now = new Date(Date.now() + 30_000)
  await show(bob, base, { client: 'old' })
  await show(ada, base, { client: 'new' })
  await present(hearing, 2)
  world.clock.now = new Date(Date.now() + 60_000)
  await show(ada, base, { client: 'new' })
  await present(hearing, 2)
  world.clock.now = new Date(Date.now() + 80_000)
  assert.equal((await present(hearing, 1)).present[0].user, ada.id)
  const stored = () => db.read.selectFrom('presence').select('client').where('client', '=', 'old').execute()
  assert.equal((await stored()).length, 1)
  await expireEvents(app.services)({} as never, {} as never)
  assert.equal((await stored()).length, 0)
  world.clock.now = undefined
})

test('a client of another server is seen, also after that server has stopped', async () => {
  const base = await newProposal()
  const second = await another()
  const here = await hearAt(`${base}/events`)
  const there = await hearAt(`${base}/events`, bob, {}, second.url)
  await show(bob, base, { client: clientOf(there) })
  await Promise.all([present(here, 1), present(there, 1)])
  await second.close()
  await present(here, 0)
})

test('a user has a bounded number of clients, and a list names the first 50', async () => {
  const base = await newProposal()
  const hearing = await hearAt(`${base}/events`)
  const people = await Promise.all([0, 1, 2].map((i) => world.person(`many-${i}`, 'read')))
  for (const person of people) for (let i = 0; i < 20; i++) await show(person, base, { client: `tab-${i}` })
  const refused = await people[0]!(`PUT ${base}/presence`, { client: 'one-more' })
  assert.equal(refused.status, 429)
  assert.match(refused.body.error.message, /at most 20 clients/)
  await show(people[0]!, base, { client: 'tab-3' })
  const { present: named } = await present(hearing, 60)
  assert.equal(named.length, 50)
})

test('bad input is refused: a page of other content, names and states that are none', async () => {
  const base = await newProposal()
  const elsewhere = await liveSpace({ 'README.md': '# Elsewhere\n' })
  const foreign = (await ada(`GET ${elsewhere}/content/pages`)).body.pages[0].id as string
  const client = 'tab'
  const bad = [
    {},
    { client: '' },
    { client: 'a b' },
    { client: 'x'.repeat(65) },
    { client, page: foreign },
    { client, page: 'no id' },
    { client, block: 'x'.repeat(129) },
    { client, state: 'asleep' },
  ]
  for (const body of bad)
    assert.equal((await ada(`PUT ${base}/presence`, body)).status, 400, JSON.stringify(body))
  const stranger = await world.stranger('mallory')
  assert.equal((await stranger(`PUT ${base}/presence`, { client })).status, 404)
})
