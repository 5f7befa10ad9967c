import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'
import { discussedSpace, leave, post, said } from './discussing.ts'

const world = await createWorld()
const { ada, organizationId } = world
const one = await discussedSpace(world, 'One')
const cy = await world.person('cy', 'comment')
const rex = await world.person('rex', 'review')
const reader = await world.person('reader', 'read')
const guest = await world.person('guest', null)
await ada(`POST ${one.space}/permissions`, { users: [guest.id], role: 'comment' })

for (const [kind, base] of Object.entries({ space: one.space, 'change request': one.changeRequest })) {
  const { id } = await post(ada, base)
  const replies = `${base}/comments/${id}/replies`

  test(`a reply to a comment on a ${kind} has its author and the permissions of the caller`, async () => {
    const posted = await cy(`POST ${replies}`, said('Because of *that*.'))
    assert.equal(posted.status, 200, posted.text)
    const { postedBy, postedAt, body, urls, id: replyId, ...rest } = posted.body
    assert.equal(postedBy.id, cy.id)
    assert.match(postedAt, /Z$/)
    assert.equal(body.document.nodes[0].type, 'paragraph')
    assert.match(urls.location, new RegExp(`${replies.slice(3)}/${replyId}$`))
    assert.deepEqual(rest, {
      object: 'comment-reply',
      reactions: [],
      permissions: { view: true, edit: true, delete: true, reply: true },
    })
    assert.deepEqual((await cy(`GET ${replies}/${replyId}`)).body, posted.body)
    const { permissions } = (await reader(`GET ${replies}/${replyId}`)).body
    assert.deepEqual(permissions, { view: true, edit: false, delete: false, reply: false })
    const asMarkdown = (await cy(`GET ${replies}/${replyId}?format=markdown`)).body
    assert.deepEqual(asMarkdown.body, { markdown: 'Because of *that*.' })
    const answered = (await cy(`POST ${replies}?format=markdown`, said('x'))).body
    assert.deepEqual(answered.body, { markdown: 'x' })
  })

  test(`replies to a comment on a ${kind} are listed oldest first, in pages of results, and counted`, async () => {
    const comment = await post(ada, base)
    const path = `${base}/comments/${comment.id}/replies`
    assert.deepEqual((await ada(`GET ${path}`)).body, { count: 0, items: [] })
    const posted: string[] = []
    for (let i = 0; i < 5; i += 1) posted.push((await cy(`POST ${path}`, said(String(i)))).body.id)
    const first = (await reader(`GET ${path}?limit=3`)).body
    const second = (await reader(`GET ${path}?limit=3&page=${first.next.page}`)).body
    assert.deepEqual(
      [...first.items, ...second.items].map((reply) => reply.id),
      posted,
    )
    assert.deepEqual([first.count, second.next], [5, undefined])
    await rex(`POST ${path}`, said('5'))
    const replied = (await ada(`GET ${base}/comments/${comment.id}`)).body
    assert.equal(replied.replies, 6)
    type Replier = { user: { id: string }; count: number; updatedAt: string }
    const repliers = (replied.repliers as Replier[]).map(({ user, count }) => [user.id, count])
    assert.deepEqual(repliers, [
      [rex.id, 1],
      [cy.id, 5],
    ])
    const { items } = (await ada(`GET ${base}/comments`)).body
    assert.equal(items.find((item: { id: string }) => item.id === comment.id).replies, 6)
  })

  test(`only its author can change and delete a reply to a comment on a ${kind}`, async () => {
    const reply = (await cy(`POST ${replies}`, said('First'))).body
    const path = `${replies}/${reply.id}`
    for (const person of [reader, rex, ada])
      assert.equal((await person(`PUT ${path}`, said('Not my words'))).status, 403)
    const same = (await cy(`PUT ${path}`, said('First'))).body
    assert.equal(same.editedAt, undefined)
    // A reply has no status, so the field is ignored.
    const edited = (await cy(`PUT ${path}?format=markdown`, { ...said('Second'), resolved: true })).body
    assert.match(edited.editedAt, /Z$/)
    assert.deepEqual(edited.body, { markdown: 'Second' })
    const reacted = (await rex(`PUT ${path}`, { addedReactions: ['👍', '🎉'], removedReactions: ['🎉'] }))
      .body
    assert.deepEqual(
      reacted.reactions.map(({ emoji }: { emoji: string }) => emoji),
      ['1f44d'],
    )
    assert.equal(reacted.editedAt, edited.editedAt)
    assert.equal((await rex(`PUT ${path}`, { addedReactions: ['nothing'] })).status, 400)

    assert.equal((await rex(`DELETE ${path}`)).status, 403)
    assert.equal((await cy(`DELETE ${path}`)).status, 205)
    assert.equal((await cy(`DELETE ${path}`)).status, 204)
    assert.equal((await cy(`GET ${path}`)).status, 404)
    const left = await world.db.read
      .selectFrom('reaction')
      .selectAll()
      .where('subjectId', '=', reply.id)
      .execute()
    assert.deepEqual(left, [])
    const another = (await cy(`POST ${replies}`, said('Rude'))).body
    assert.equal((await ada(`DELETE ${replies}/${another.id}`)).status, 205)
  })

  test(`refuses a reply under another comment on a ${kind}`, async () => {
    const other = await post(ada, base)
    const reply = (await cy(`POST ${replies}`, said('Here'))).body
    const wrong = `${base}/comments/${other.id}/replies/${reply.id}`
    assert.equal((await ada(`GET ${wrong}`)).status, 404)
    assert.equal((await cy(`PUT ${wrong}`, said('x'))).status, 404)
    assert.equal((await cy(`DELETE ${wrong}`)).status, 204)
    assert.equal((await cy(`GET ${replies}/${reply.id}`)).status, 200)
  })

  test(`deleting a comment on a ${kind} deletes its replies`, async () => {
    const comment = await post(ada, base)
    const path = `${base}/comments/${comment.id}`
    const reply = (await cy(`POST ${path}/replies`, said('Me too'))).body
    await rex(`PUT ${path}/replies/${reply.id}`, { addedReactions: ['👍'] })
    assert.equal((await ada(`DELETE ${path}`)).status, 205)
    assert.equal((await ada(`GET ${path}/replies`)).status, 404)
    assert.equal((await ada(`DELETE ${path}/replies/${reply.id}`)).status, 204)
    for (const table of ['commentReply', 'reaction'] as const) {
      const column = table === 'reaction' ? 'subjectId' : 'id'
      const rows = await world.db.read.selectFrom(table).selectAll().where(column, '=', reply.id).execute()
      assert.deepEqual(rows, [], table)
    }
  })
}

test('a user who left stays the author of a reply, without an e-mail address; guests see no addresses', async () => {
  const { id } = await post(ada, one.space)
  const replies = `${one.space}/comments/${id}/replies`
  const lea = await world.person('lea', 'comment')
  await lea(`POST ${replies}`, said('Bye'))
  assert.equal((await ada(`GET ${replies}`)).body.items[0].postedBy.email, 'lea@example.com')
  assert.doesNotMatch((await guest(`GET ${replies}`)).text, /@example\.com/)
  await leave(world, lea)
  const [reply] = (await ada(`GET ${replies}`)).body.items
  assert.deepEqual([reply.postedBy.displayName, reply.postedBy.email], ['lea', undefined])
})

test('the audit log records actions on a reply', async () => {
  const { id } = await post(ada, one.space)
  const replies = `${one.space}/comments/${id}/replies`
  const reply = (await cy(`POST ${replies}`, said('Rude'))).body
  await cy(`PUT ${replies}/${reply.id}`, said('Ruder'))
  await ada(`DELETE ${replies}/${reply.id}`)
  const { items } = (await ada(`GET /v1/orgs/${organizationId}/audit-events?target=${reply.id}`)).body
  assert.deepEqual(
    items.map(({ action, target }: { action: string; target: { type: string } }) => [action, target.type]),
    [
      ['space.comment.reply.delete', 'comment-reply'],
      ['space.comment.reply.update', 'comment-reply'],
      ['space.comment.reply.post', 'comment-reply'],
    ],
  )
})
