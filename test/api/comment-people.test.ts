import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Person } from '../world.ts'
import { discussedSpace, leave, post, said } from './discussing.ts'

const world = await createWorld()
const { ada, organizationId } = world
const one = await discussedSpace(world, 'One')
const cy = await world.person('cy', 'comment')
const rex = await world.person('rex', 'review')
const guest = await world.person('guest', null)

test('a user who left stays the author, without an e-mail address; guests see no addresses', async () => {
  const lea = await world.person('lea', 'review')
  const fresh = await discussedSpace(world, 'Left')
  await ada(`POST ${fresh.space}/permissions`, { users: [guest.id], role: 'read' })
  const { id } = await post(lea, fresh.space)
  await lea(`PUT ${fresh.space}/comments/${id}`, { resolved: true, addedReactions: ['👍'] })
  await post(cy, fresh.space)
  const people = async (person: Person) => {
    const { body, text } = await person(`GET ${fresh.space}/comments?order=asc`)
    const [left, stayed] = body.items
    const users = [left.postedBy, left.resolvedBy, left.reactions[0].users[0].user]
    for (const user of users) assert.deepEqual([user.id, user.displayName], [lea.id, 'lea'])
    return { text, left: users.map(({ email }) => email), stayed: stayed.postedBy.email }
  }
  const known = await people(ada)
  assert.deepEqual([known.left, known.stayed], [Array(3).fill('lea@example.com'), 'cy@example.com'])
  await leave(world, lea)
  const after = await people(ada)
  assert.deepEqual([after.left, after.stayed], [Array(3).fill(undefined), 'cy@example.com'])
  assert.doesNotMatch((await people(guest)).text, /@example\.com/)
})

test('commenters are the users who posted or replied, and guests cannot list them', async () => {
  const fresh = await discussedSpace(world, 'Commenters')
  await ada(`POST ${fresh.space}/permissions`, { users: [guest.id], role: 'comment' })
  const lea = await world.person('leo', 'comment')
  for (const base of [fresh.space, fresh.changeRequest]) {
    assert.deepEqual((await ada(`GET ${base}/commenters`)).body, { count: 0, items: [] })
    const { id } = await post(cy, base)
    await post(cy, base)
    await rex(`POST ${base}/comments/${id}/replies`, said('Yes'))
    const listed = async () => (await ada(`GET ${base}/commenters`)).body
    const { count, items } = await listed()
    assert.equal(count, 2)
    assert.deepEqual(items.map(({ id: user }: { id: string }) => user).toSorted(), [cy.id, rex.id].toSorted())
    const { body: first } = await ada(`GET ${base}/commenters?limit=1`)
    const { body: second } = await ada(`GET ${base}/commenters?limit=1&page=${first.next.page}`)
    assert.deepEqual([...first.items, ...second.items], items)
    assert.equal((await guest(`GET ${base}/commenters`)).status, 403)
  }
  await post(lea, fresh.space)
  assert.equal((await ada(`GET ${fresh.space}/commenters`)).body.count, 3)
  await leave(world, lea)
  assert.equal((await ada(`GET ${fresh.space}/commenters`)).body.count, 2)
})

test('the audit log records actions on a comment, but not its text', async () => {
  const fresh = await discussedSpace(world, 'Audited')
  const secret = 'nobody else may read this'
  const { id } = await post(cy, fresh.space, said(secret))
  await rex(`PUT ${fresh.space}/comments/${id}`, { resolved: true })
  await cy(`PUT ${fresh.space}/comments/${id}`, said(`${secret}, or that`))
  await ada(`DELETE ${fresh.space}/comments/${id}`)
  const { body, text } = await ada(`GET /v1/orgs/${organizationId}/audit-events?target=${id}`)
  const actions = body.items.map(({ action }: { action: string }) => action)
  assert.deepEqual(actions, [
    'space.comment.delete',
    'space.comment.update',
    'space.comment.update',
    'space.comment.post',
  ])
  const details = await Promise.all(
    body.items.map((event: { id: string }) => ada(`GET /v1/orgs/${organizationId}/audit-events/${event.id}`)),
  )
  assert.doesNotMatch(text + details.map((event) => event.text).join(), new RegExp(secret))
  assert.match(details[0].text, new RegExp(cy.id))
  assert.match(details[2].text, /resolved/)
})

test('concurrent reactions, replies and resolutions of two users all succeed', async () => {
  const { id } = await post(cy, one.space)
  const comments = `${one.space}/comments/${id}`
  const answers = await Promise.all(
    [cy, rex, ada].flatMap((person) => [
      person(`PUT ${comments}`, { addedReactions: ['👍', '🎉'] }),
      person(`PUT ${comments}`, { addedReactions: ['👍'] }),
      person(`POST ${comments}/replies`, said('At once')),
      person(`PUT ${comments}`, { resolved: person === rex }),
    ]),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { reactions, replies } = (await cy(`GET ${comments}`)).body
  assert.deepEqual(
    reactions.map(({ count }: { count: number }) => count),
    [3, 3],
  )
  assert.equal(replies, 3)
})

test('deleting a comment deletes all its replies, also those posted meanwhile', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await post(cy, one.space)
    const comments = `${one.space}/comments/${id}`
    const answers = await Promise.all([
      rex(`POST ${comments}/replies`, said('Wait')),
      rex(`PUT ${comments}`, { addedReactions: ['👍'] }),
      cy(`DELETE ${comments}`),
      ada(`POST ${comments}/replies`, said('Wait')),
    ])
    for (const { status, text } of answers) assert([200, 205, 404].includes(status), text)
    const left = await world.db.read.selectFrom('reaction').selectAll().where('subjectId', '=', id).execute()
    assert.deepEqual(left, [])
  }
})
