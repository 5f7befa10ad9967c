/** Other members of an organization, however many, keep no member of it from importing, copying or fetching. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { inLargeFetchSlot, inSmallFetchSlot, SMALL_ARCHIVE } from '../../src/imports/slots.ts'
import { fairShare, ShareFull } from '../../src/threads/shares.ts'
import { archiveOf } from '../importing.ts'
import { until } from '../waiting.ts'
import { createWorld, type Person } from '../world.ts'

const MEMBERS = 16
const IMPORTS = 8

const world = await createWorld()
const { ada, organizationId } = world
const ARCHIVE = archiveOf({ 'README.md': '# Home\n\nSmall.\n' })

/** A server that sends the archive at `/small.zip`, more than a small one at `/large.zip`, and never ends other responses. */
const held = new Set<ServerResponse>()
const server = createServer(({ url }, response) => {
  if (url === '/small.zip') response.end(ARCHIVE)
  else if (url === '/large.zip') response.end(Buffer.alloc(SMALL_ARCHIVE + 1))
  else held.add(response.writeHead(200))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
after(() => server.closeAllConnections())
const host = `http://127.0.0.1:${(server.address() as { port: number }).port}`

const spaceOf = async (who: Person): Promise<string> =>
  (await who(`POST /v1/orgs/${organizationId}/spaces`, {})).body.id
const start = (who: Person, space: string, file: string) =>
  who(`POST /v1/spaces/${space}/content/import`, { url: `${host}/${file}`, source: 'zip' })

test('16 members who import from slow sources leave a member who imports from a fast one a place', async () => {
  const members = await Promise.all(
    Array.from({ length: MEMBERS }, (_, i) => world.person(`slow-${i}`, 'create')),
  )
  const newcomer = await world.person('newcomer', 'create')
  const spaces = await Promise.all(members.map(spaceOf))
  const own = await spaceOf(newcomer)

  let isOver = false
  const burst = members.flatMap((who, i) =>
    Array.from({ length: IMPORTS }, (_, n) => start(who, spaces[i]!, `slow-${i}-${n}.zip`)),
  )
  const all = Promise.all(burst).finally(() => (isOver = true))
  await until(() => held.size >= MEMBERS, 'each member has a source that is fetched')
  const { status, text } = await start(newcomer, own, 'small.zip')
  assert.equal(status, 201, text)
  assert.equal(isOver, false, 'the slow sources are fetched all the while')

  // Their own imports end, too.
  await until(() => {
    for (const response of held) response.destroy()
    held.clear()
    return isOver
  }, 'all end')
  await all
})

test('an archive that is not small is fetched in a place for large ones', async () => {
  const space = await spaceOf(ada)
  let isOver = false
  const gate = Promise.withResolvers<void>()
  const places = Array.from({ length: 9 }, (_, i) =>
    inLargeFetchSlot({ user: `large ${i}` }, () => gate.promise),
  )
  const answer = start(ada, space, 'large.zip').finally(() => (isOver = true))
  const small = await start(ada, await spaceOf(ada), 'small.zip')
  assert.equal(small.status, 201)
  assert.equal(isOver, false)
  gate.resolve()
  await Promise.all(places)
  // It is no archive, which is found out when it has been fetched.
  assert.equal((await answer).status, 400)
})

test('users of an organization have their first item at once, beyond what one of them or two have', async () => {
  const share = fairShare({
    atOnce: 10,
    atOnceOfParty: 2,
    atOnceOfOrganization: 6,
    queue: 20,
    queueOfParty: 4,
  })
  const gate = Promise.withResolvers<void>()
  const running: string[] = []
  const work = (user: string) =>
    share({ user, organization: 'acme' }, async () => {
      running.push(user)
      await gate.promise
    }).then(
      () => 'done',
      (error: unknown) => (error instanceof ShareFull ? 'full' : error),
    )
  const first = [...'aaabbccdef'].map(work)
  await until(() => running.length >= 6, 'six run')
  // Of a, two. Then each has one, up to the bound of the organization.
  assert.deepEqual(running, ['a', 'a', 'b', 'c', 'd', 'e'])
  // Four of the organization wait. Of the users who have most, the newest gives way to g, and then to h.
  const later = ['a', 'g', 'h'].map(work)
  gate.resolve()
  assert.deepEqual(await Promise.all(later), ['full', 'done', 'done'])
  const refused = (await Promise.all(first)).flatMap((outcome, i) => (outcome === 'full' ? i : []))
  assert.deepEqual(refused, [2, 6], 'the third of a and the second of c')
})

test('a full queue of an organization lets imports of the member with most give way, and refuses no first one', async () => {
  const gate = Promise.withResolvers<void>()
  const work = (user: string) =>
    inSmallFetchSlot({ user, organization: 'full' }, () => gate.promise).then(
      () => 201,
      ({ status }: { status: number }) => status,
    )
  // 48 run, each of another user. Of those that wait, one user has four at first.
  const users = Array.from({ length: 48 }, (_, i) => work(`one ${i}`))
  const many = Array.from({ length: 4 }, () => work('many'))
  const others = Array.from({ length: 124 }, (_, i) => work(`other ${i}`))
  const newcomer = work('newcomer')
  gate.resolve()
  assert.deepEqual(await Promise.all(many), [201, 429, 429, 429])
  assert.deepEqual(new Set(await Promise.all([...users, ...others, newcomer])), new Set([201]))
})
