import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edit, propose } from '../reviewing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const space = (await ada(`POST ${org}/spaces`, { title: 'Guide' })).body
const author = await world.person('Author', 'edit')
const rita = await world.person('Rita', 'review')
const rob = await world.person('Rob', 'review')

test('a review is of the current content, and requires the permission to review', async () => {
  const change = await propose(author, space.id)
  const { status, body, headers, text } = await rita(`POST ${change.address}/reviews`, { status: 'approved' })
  assert.equal(status, 201, text)
  assert.equal(headers.get('location'), `${world.url}${change.address}/reviews/${body.id}`)
  assert.deepEqual(
    { ...body, id: '', createdAt: '', updatedAt: '', reviewer: body.reviewer.id, urls: undefined },
    {
      object: 'change-request-review',
      id: '',
      revision: change.revision,
      reviewer: rita.id,
      status: 'approved',
      outdated: false,
      comments: 0,
      createdAt: '',
      updatedAt: '',
      urls: undefined,
    },
  )
  assert.deepEqual((await author(`GET ${body.urls.location}`)).body, body)
  assert.deepEqual((await author(`GET ${change.address}/reviews`)).body, { count: 1, items: [body] })

  const refused = await author(`POST ${change.address}/reviews`, { status: 'approved' })
  assert.deepEqual([refused.status, /"review"/.test(refused.body.error.message)], [403, true])
})

test('a review becomes outdated when the content changes', async () => {
  const change = await propose(author, space.id)
  const { body: review } = await rita(`POST ${change.address}/reviews`, { status: 'approved' })
  await edit(world, change, author)
  assert.equal((await rita(`GET ${change.address}/reviews/${review.id}`)).body.outdated, true)
  const { body: again } = await rita(`POST ${change.address}/reviews`, { status: 'approved' })
  assert.equal(again.outdated, false)
  assert.notEqual(again.revision, review.revision)
})

test('a newer review replaces only earlier reviews of the same reviewer', async () => {
  const change = await propose(author, space.id)
  const reviews = `${change.address}/reviews`
  const first = (await rita(`POST ${reviews}`, { status: 'changes-requested' })).body
  const other = (await rob(`POST ${reviews}`, { status: 'approved' })).body
  const second = (await rita(`POST ${reviews}`, { status: 'approved' })).body
  const outdated = async (query = '') => {
    const { body } = await author(`GET ${reviews}${query}`)
    return { count: body.count, items: body.items.map((item: { id: string }) => item.id) }
  }
  assert.deepEqual(await outdated(), { count: 3, items: [second.id, other.id, first.id] })
  assert.deepEqual(await outdated('?outdated=true'), { count: 1, items: [first.id] })
  assert.deepEqual(await outdated('?outdated=false'), { count: 2, items: [second.id, other.id] })
  assert.equal((await author(`GET ${reviews}?outdated=maybe`)).status, 400)
})

test('reviews are listed in pages of results, the newest first', async () => {
  const change = await propose(author, space.id)
  for (let i = 0; i < 5; i += 1) await rita(`POST ${change.address}/reviews`, { status: 'approved' })
  const whole = (await author(`GET ${change.address}/reviews`)).body
  const ids: string[] = []
  for (let page = ''; ;) {
    const { body } = await author(`GET ${change.address}/reviews?limit=2${page}`)
    assert.equal(body.count, 5)
    ids.push(...body.items.map((item: { id: string }) => item.id))
    if (!body.next) break
    page = `&page=${body.next.page}`
  }
  assert.deepEqual(
    ids,
    whole.items.map((item: { id: string }) => item.id),
  )
  assert.deepEqual(ids, ids.toSorted().toReversed())
})

test('the text of a review is a comment on the change request, in the requested format', async () => {
  const change = await propose(author, space.id)
  const reviews = `${change.address}/reviews`
  const { body } = await rita(`POST ${reviews}`, {
    status: 'changes-requested',
    comment: { markdown: 'Say *more*' },
  })
  assert.equal(body.comment.target.review, body.id)
  assert.equal(body.comment.target.changeRequest, change.id)
  assert.equal(body.comment.body.document.object, 'document')
  for (const address of [reviews, `${reviews}/${body.id}`]) {
    const answer = (await author(`GET ${address}?format=markdown`)).body
    assert.deepEqual((answer.items?.[0] ?? answer).comment.body, { markdown: 'Say *more*' })
  }
  assert.equal((await author(`GET ${change.address}`)).body.comments, 1)

  for (const comment of [undefined, {}, { markdown: ' \n' }]) {
    const without = await rita(`POST ${reviews}`, { status: 'approved', comment })
    assert.deepEqual([without.status, without.body.comment], [201, undefined])
  }
  assert.equal((await rita(`POST ${reviews}`, { status: 'approved', comment: 'Good' })).status, 400)
})

test('the author of a change request can review it, and a review names the revision that was read', async () => {
  const change = await propose(rita, space.id)
  const reviews = `POST ${change.address}/reviews`
  assert.equal((await rita(reviews, { status: 'approved' })).status, 201)
  assert.equal((await rob(reviews, { status: 'approved', revision: change.revision })).status, 201)

  const present = await edit(world, change, rita)
  const stale = await rob(reviews, { status: 'approved', revision: change.revision })
  assert.deepEqual([stale.status, /read it again/.test(stale.body.error.message)], [409, true])
  assert.equal((await rob(reviews, { status: 'approved', revision: 'nothing' })).status, 400)
  assert.equal((await rob(reviews, { status: 'approved', revision: present })).status, 201)
  assert.equal((await ada(`GET ${change.address}/reviews`)).body.count, 3, 'a refusal leaves nothing')
})

test('archived and merged change requests refuse reviews, and earlier reviews stay readable', async () => {
  for (const status of ['archived', 'merged'] as const) {
    const change = await propose(author, space.id)
    await rita(`POST ${change.address}/reviews`, { status: 'approved' })
    await world.db.write((tx) =>
      tx.updateTable('changeRequest').set({ status }).where('id', '=', change.id).execute(),
    )
    assert.equal((await rita(`POST ${change.address}/reviews`, { status: 'approved' })).status, 409)
    assert.equal((await author(`GET ${change.address}/reviews`)).body.count, 1)
  }
})

test('refuses the id of a review under another change request', async () => {
  const [change, other] = [await propose(author, space.id), await propose(author, space.id)]
  const { body } = await rita(`POST ${change.address}/reviews`, { status: 'approved' })
  assert.equal((await rita(`GET ${other.address}/reviews/${body.id}`)).status, 404)
  assert.deepEqual((await rita(`GET ${other.address}/reviews`)).body, { count: 0, items: [] })
})

test('guests see no addresses', async () => {
  const guest = await world.person('Guest', null)
  await ada(`POST /v1/spaces/${space.id}/permissions`, { users: [guest.id], role: 'review' })
  const change = await propose(author, space.id)
  const comment = { markdown: 'Good' }
  await rita(`POST ${change.address}/reviews`, { status: 'approved', comment })
  assert.match((await author(`GET ${change.address}/reviews`)).text, /@example\.com/)
  assert.doesNotMatch((await guest(`GET ${change.address}/reviews`)).text, /@example\.com/)
})
