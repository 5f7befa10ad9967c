import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertMember } from '../../src/model/membership/member.ts'
import { edit, propose } from '../reviewing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const space = (await ada(`POST ${org}/spaces`, { title: 'Guide' })).body
const author = await world.person('Author', 'edit')
const rita = await world.person('Rita', 'review')
const rob = await world.person('Rob', 'review')

test('guests see no addresses', async () => {
  const guest = await world.person('Guest', null)
  await ada(`POST /v1/spaces/${space.id}/permissions`, { users: [guest.id], role: 'review' })
  const change = await propose(author, space.id)
  await author(`POST ${change.address}/requested-reviewers`, { users: [rita.id, rob.id] })
  assert.match((await author(`GET ${change.address}/requested-reviewers`)).text, /@example\.com/)
  assert.doesNotMatch((await guest(`GET ${change.address}/requested-reviewers`)).text, /@example\.com/)
})

test('a transferred space keeps only the review requests to members of its new organization', async () => {
  const moving = (await ada(`POST ${org}/spaces`, { title: 'Moving' })).body
  const change = await propose(author, moving.id)
  await author(`POST ${change.address}/requested-reviewers`, { users: [rita.id, rob.id] })
  const target = (await ada('POST /v1/orgs', { title: 'Target' })).body.id
  await world.db.write((tx) =>
    insertMember(tx, { organizationId: target, userId: rob.id, role: 'review', now: new Date() }),
  )
  assert.equal((await ada(`POST /v1/spaces/${moving.id}/transfer`, { organization: target })).status, 200)
  const { items } = (await ada(`GET ${change.address}/requested-reviewers`)).body
  assert.deepEqual(
    items.map((one: { user: { id: string } }) => one.user.id),
    [rob.id],
  )
})

test('refuses review requests on archived and merged change requests', async () => {
  for (const status of ['archived', 'merged'] as const) {
    const change = await propose(author, space.id)
    await world.db.write((tx) =>
      tx.updateTable('changeRequest').set({ status }).where('id', '=', change.id).execute(),
    )
    const response = await author(`POST ${change.address}/requested-reviewers`, { users: [rob.id] })
    assert.equal(response.status, 409)
  }
})

test('a requested reviewer is listed until they submit a review, with the user who requested it', async () => {
  const change = await propose(author, space.id)
  const requests = `${change.address}/requested-reviewers`
  const { status, body, text } = await author(`POST ${requests}`, { users: [rita.id, rob.id] })
  assert.equal(status, 200, text)
  assert.deepEqual(
    body.users.map((one: { kind: string; user: { id: string }; requestedBy: { id: string } }) => [
      one.kind,
      one.user.id,
      one.requestedBy.id,
    ]),
    [
      ['user', rita.id, author.id],
      ['user', rob.id, author.id],
    ],
  )
  const listed = async () => {
    const { count, items } = (await author(`GET ${requests}`)).body
    assert.equal(count, items.length)
    return items.map((one: { user: { id: string } }) => one.user.id).toSorted()
  }
  assert.deepEqual(await listed(), [rita.id, rob.id].toSorted())

  const { body: review } = await rita(`POST ${change.address}/reviews`, { status: 'approved' })
  assert.equal(review.requestedBy.id, author.id)
  assert.deepEqual(await listed(), [rob.id])

  assert.equal((await author(`POST ${requests}`, { users: [rita.id] })).status, 200)
  assert.deepEqual(await listed(), [rita.id, rob.id].toSorted())
  const { body: response } = await author(`GET ${change.address}/reviews/${review.id}`)
  assert.equal(response.outdated, true, 'it was asked for again')
})

test('requesting a review twice is no error, and keeps the first requester', async () => {
  const change = await propose(author, space.id)
  const requests = `${change.address}/requested-reviewers`
  const first = await author(`POST ${requests}`, { users: [rob.id] })
  await edit(world, change, author)
  const second = await rita(`POST ${requests}`, { users: [rob.id, rob.id] })
  assert.deepEqual([second.status, second.body], [200, first.body])
  assert.equal((await author(`GET ${requests}`)).body.count, 1)
})

test('requesting reviews opens a draft, and sets its subject and description', async () => {
  const change = await propose(author, space.id, '')
  const requests = `${change.address}/requested-reviewers`
  const text = { object: 'text', leaves: [{ object: 'leaf', text: 'Because', marks: [] }] }
  const paragraph = { object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [text] }
  const description = { object: 'document', data: {}, nodes: [paragraph] }
  assert.equal((await author(`POST ${requests}`, { users: [], subject: 'Say why', description })).status, 200)
  const { body } = await author(`GET ${change.address}`)
  assert.deepEqual([body.status, body.subject], ['open', 'Say why'])
  assert.deepEqual(body.description.nodes[0].nodes, [text])

  await author(`POST ${requests}`, { users: [rob.id] })
  const kept = (await author(`GET ${change.address}`)).body
  assert.deepEqual([kept.subject, kept.description], ['Say why', body.description])

  const { items } = (await ada(`GET ${org}/audit-events?target=${change.id}`)).body
  const { payload } = (await ada(`GET ${org}/audit-events/${items[1].id}`)).body
  assert.deepEqual([payload.before.status, payload.after.status], ['draft', 'open'])
})

test('reviews can be requested only from members who can read the space, all or none', async () => {
  const stranger = await world.stranger('stranger')
  const guest = await world.person('Unasked', null)
  const change = await propose(author, space.id)
  const requests = `${change.address}/requested-reviewers`
  for (const user of [stranger.id, guest.id, 'nobody']) {
    const { status, body } = await author(`POST ${requests}`, { users: [rob.id, user], subject: 'New' })
    assert.deepEqual([status, body.error.details[0].path], [400, 'body.users.1'])
  }
  assert.equal((await author(`GET ${requests}`)).body.count, 0)
  assert.equal((await author(`GET ${change.address}`)).body.status, 'draft')
  const commenter = await world.person('Commenter', 'comment')
  assert.equal((await commenter(`POST ${requests}`, { users: [rob.id] })).status, 403)
})

test('refuses an invalid description, and requests no reviews with it', async () => {
  const change = await propose(author, space.id)
  const requests = `${change.address}/requested-reviewers`
  const nested: unknown = JSON.parse(
    `${'{"object":"block","type":"blockquote","data":{},"nodes":['.repeat(500)}${']}'.repeat(500)}`,
  )
  const deep = { object: 'document', data: {}, nodes: [nested] }
  const unknown = { ...deep, nodes: [{ object: 'block', type: 'carousel', data: {} }] }
  for (const description of [null, 'text', {}, { object: 'document', data: {} }, unknown, deep])
    assert.equal((await author(`POST ${requests}`, { users: [rob.id], description })).status, 400)
  assert.equal((await author(`GET ${requests}`)).body.count, 0)
})

test('review requests to a user end with their membership, but not in other organizations', async () => {
  const leaving = await world.person('Leaving', 'review')
  const stranger = await world.stranger('elsewhere')
  const theirs = `/v1/orgs/${stranger.organizationId}`
  await world.db.write((tx) =>
    insertMember(tx, {
      organizationId: stranger.organizationId,
      userId: leaving.id,
      role: 'review',
      now: new Date(),
    }),
  )
  const other = (await stranger(`POST ${theirs}/spaces`, { title: 'Theirs' })).body
  const [here, there] = [await propose(author, space.id), await propose(stranger, other.id)]
  await author(`POST ${here.address}/requested-reviewers`, { users: [leaving.id, rob.id] })
  const response = await stranger(`POST ${there.address}/requested-reviewers`, { users: [leaving.id] })
  assert.equal(response.status, 200, response.text)

  assert.equal((await ada(`DELETE ${org}/members/${leaving.id}`)).status, 204)
  const { items } = (await author(`GET ${here.address}/requested-reviewers`)).body
  assert.deepEqual(
    items.map((one: { user: { id: string } }) => one.user.id),
    [rob.id],
  )
  assert.equal((await stranger(`GET ${there.address}/requested-reviewers`)).body.count, 1)
})

test('a review request can be canceled once', async () => {
  const change = await propose(author, space.id)
  const requests = `${change.address}/requested-reviewers`
  await author(`POST ${requests}`, { users: [rita.id, rob.id] })
  assert.equal((await author(`DELETE ${requests}/${rita.id}`)).status, 205)
  assert.equal((await author(`DELETE ${requests}/${rita.id}`)).status, 204)
  assert.deepEqual(
    (await author(`GET ${requests}`)).body.items.map((one: { user: { id: string } }) => one.user.id),
    [rob.id],
  )
  const { items } = (await ada(`GET ${org}/audit-events?target=${change.id}&limit=1`)).body
  assert.equal(items[0].action, 'space.change-request.requested-reviewer.remove')
})

test('review requests are listed in pages of results, the oldest first', async () => {
  const change = await propose(author, space.id)
  const requests = `${change.address}/requested-reviewers`
  const people = await Promise.all(['p1', 'p2', 'p3'].map((name) => world.person(name, 'read')))
  await author(`POST ${requests}`, { users: [rob.id] })
  world.clock.now = new Date(Date.now() + 60_000)
  await author(`POST ${requests}`, { users: people.map(({ id }) => id) })
  world.clock.now = undefined
  const seen: string[] = []
  for (let page = ''; ;) {
    const { body } = await author(`GET ${requests}?limit=2${page}`)
    seen.push(...body.items.map((one: { user: { id: string } }) => one.user.id))
    if (!body.next) break
    page = `&page=${body.next.page}`
  }
  assert.deepEqual(seen, [rob.id, ...people.map(({ id }) => id).toSorted()])
})
