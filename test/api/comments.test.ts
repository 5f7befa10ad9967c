import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Person } from '../world.ts'
import { discussedSpace, post, said } from './discussing.ts'

const world = await createWorld()
const { ada } = world
const one = await discussedSpace(world, 'One')
const other = await discussedSpace(world, 'Other')
const cy = await world.person('cy', 'comment')
const rex = await world.person('rex', 'review')
const reader = await world.person('reader', 'read')

const BASES = { space: one.space, 'change request': one.changeRequest }
const elsewhere = [other.space, other.changeRequest]

// Both kinds of discussion follow the same rules.
for (const [kind, base] of Object.entries(BASES)) {
  const comments = `${base}/comments`

  test(`a comment on a ${kind} has its author, its place and the permissions of the caller`, async () => {
    const comment = await post(cy, base, said('Is this **right**?'))
    const { id, postedAt, body, postedBy, urls, ...rest } = comment
    assert.equal(postedBy.id, cy.id)
    assert.equal(postedBy.email, 'cy@example.com')
    assert.equal(body.document.nodes[0].type, 'paragraph')
    assert.match(postedAt, /Z$/)
    assert.match(urls.location, new RegExp(`${base.slice(3)}/comments/${id}$`))
    const { revision } = (await ada(`GET ${base}`)).body
    assert.deepEqual(rest, {
      object: 'comment',
      reactions: [],
      replies: 0,
      repliers: [],
      target: {
        space: one.spaceId,
        revision,
        ...(kind === 'space' ? {} : { changeRequest: one.changeRequestId }),
      },
      permissions: { view: true, edit: true, delete: true, reply: true },
      status: 'open',
    })
    assert.deepEqual((await cy(`GET ${comments}/${id}`)).body, comment)
    assert.deepEqual((await cy(`GET ${comments}/${id}?format=markdown`)).body.body, {
      markdown: 'Is this **right**?',
    })
  })

  test(`the permissions in a comment on a ${kind} match the actions that succeed`, async () => {
    const { id } = await post(cy, base)
    const permissionsFor = async (person: Person) => (await person(`GET ${comments}/${id}`)).body.permissions
    const may = (edit: boolean, remove: boolean, reply: boolean) => ({
      view: true,
      edit,
      delete: remove,
      reply,
    })
    assert.deepEqual(await permissionsFor(cy), may(true, true, true))
    assert.deepEqual(await permissionsFor(reader), may(false, false, false))
    assert.deepEqual(await permissionsFor(rex), may(false, false, true))
    assert.deepEqual(await permissionsFor(ada), may(false, true, true))

    for (const person of [reader, rex, ada]) {
      const changed = await person(`PUT ${comments}/${id}`, said('Not my words'))
      assert.equal(changed.status, 403, changed.text)
    }
    assert.equal((await reader(`PUT ${comments}/${id}`, { addedReactions: ['👍'] })).status, 403)
    assert.equal((await reader(`POST ${comments}/${id}/replies`, said('No'))).status, 403)
    assert.match((await rex(`DELETE ${comments}/${id}`)).body.error.message, /"admin"/)
    assert.equal((await ada(`DELETE ${comments}/${id}`)).status, 205)
    assert.equal((await cy(`GET ${comments}/${id}`)).status, 404)
    assert.equal((await cy(`DELETE ${comments}/${id}`)).status, 204)
  })

  test(`the author and reviewers can resolve and reopen a comment on a ${kind}`, async () => {
    const { id } = await post(cy, base)
    const dan = await world.person(`dan-${kind.replace(' ', '-')}`, 'edit')
    const refused = await dan(`PUT ${comments}/${id}`, { resolved: true })
    assert.equal(refused.status, 403)
    assert.match(refused.body.error.message, /"review"/)

    const resolved = (await rex(`PUT ${comments}/${id}`, { resolved: true })).body
    assert.equal(resolved.status, 'resolved')
    assert.equal(resolved.resolvedBy.id, rex.id)
    assert.equal(resolved.editedAt, undefined)
    const again = (await cy(`PUT ${comments}/${id}`, { resolved: true })).body
    assert.deepEqual([again.resolvedAt, again.resolvedBy.id], [resolved.resolvedAt, rex.id])

    const open = (await cy(`PUT ${comments}/${id}`, { resolved: false })).body
    assert.deepEqual([open.status, open.resolvedAt, open.resolvedBy], ['open', undefined, undefined])
    assert.deepEqual((await cy(`GET ${comments}/${id}`)).body, open)
  })

  test(`only a changed text marks a comment on a ${kind} as edited`, async () => {
    const { id } = await post(cy, base, said('First'))
    const put = async (fields: object) => (await cy(`PUT ${comments}/${id}?format=markdown`, fields)).body
    assert.equal((await put({})).editedAt, undefined)
    assert.equal((await put({ ...said('First'), addedReactions: ['👍'] })).editedAt, undefined)
    const edited = await put(said('Second'))
    assert.match(edited.editedAt, /Z$/)
    assert.deepEqual(edited.body, { markdown: 'Second' })
    assert.equal((await put({ resolved: true })).editedAt, edited.editedAt)
  })

  test(`refuses a comment on a ${kind} under another parent`, async () => {
    const { id } = await post(cy, base)
    const replied = (await cy(`POST ${comments}/${id}/replies`, said('Yes'))).body
    const wrong = [...elsewhere, ...Object.values(BASES).filter((path) => path !== base)]
    for (const path of wrong) {
      const address = `${path}/comments/${id}`
      assert.equal((await ada(`GET ${address}`)).status, 404, address)
      assert.equal((await ada(`PUT ${address}`, { resolved: true })).status, 404, address)
      assert.equal((await ada(`DELETE ${address}`)).status, 204, address)
      assert.equal((await ada(`GET ${address}/replies`)).status, 404, address)
      assert.equal((await ada(`POST ${address}/replies`, said('x'))).status, 404, address)
      assert.equal((await ada(`GET ${address}/replies/${replied.id}`)).status, 404, address)
      assert.equal((await ada(`DELETE ${address}/replies/${replied.id}`)).status, 204, address)
    }
    assert.equal((await ada(`GET ${comments}/${id}`)).body.replies, 1)
  })

  test(`each user can react once with each emoji to a comment on a ${kind}`, async () => {
    const { id } = await post(cy, base)
    const put = async (person: Person, added: string[], removed: string[] = []) => {
      const sent = { addedReactions: added, removedReactions: removed }
      const answer = await person(`PUT ${comments}/${id}`, sent)
      assert.equal(answer.status, 200, answer.text)
      return answer.body.reactions as { emoji: string; count: number; users: { user: { id: string } }[] }[]
    }
    await put(cy, ['👍', '1f44d', ':+1:', ':thumbsup:'])
    await put(rex, ['1F44D', '❤'])
    const reactions = await put(cy, ['👍'])
    assert.deepEqual(
      reactions.map(({ emoji, count, users }) => [emoji, count, users.map(({ user }) => user.id)]),
      [
        ['1f44d', 2, [cy.id, rex.id]],
        ['2764-fe0f', 1, [rex.id]],
      ],
    )
    // The response keeps the code as sent. Codes with and without a variation selector are the same emoji.
    const heart = await post(cy, base)
    const react = async (person: Person, sent: object) =>
      (await person(`PUT ${comments}/${heart.id}`, sent)).body.reactions.map(
        ({ emoji, count }: { emoji: string; count: number }) => [emoji, count],
      )
    assert.deepEqual(await react(cy, { addedReactions: ['2764'] }), [['2764', 1]])
    assert.deepEqual(await react(rex, { addedReactions: ['2764-fe0f', '❤️'] }), [['2764', 2]])
    assert.deepEqual(await react(cy, { removedReactions: ['❤'] }), [['2764', 1]])
    assert.deepEqual(await react(rex, { removedReactions: ['❤'], addedReactions: ['0023-20E3'] }), [
      ['0023-20e3', 1],
    ])
    assert.deepEqual(await react(cy, { addedReactions: ['#️⃣'] }), [['0023-20e3', 2]])
    assert.deepEqual(await react(cy, { removedReactions: ['23-fe0f-20e3'] }), [['0023-20e3', 1]])
    // If one call adds and removes the same emoji, it is removed.
    const changed = await put(rex, ['🎉', '🎈'], ['❤️', '🎈'])
    assert.deepEqual(
      changed.map(({ emoji, count }) => [emoji, count]),
      [
        ['1f44d', 2],
        ['1f389', 1],
      ],
    )
    // Users can remove only their own reactions.
    assert.equal((await put(ada, [], ['👍']))[0]?.count, 2)
  })
}

test('comments of a space and comments of its change requests are listed separately', async () => {
  const fresh = await discussedSpace(world, 'Apart')
  const onSpace = await post(ada, fresh.space, said('On the space'))
  const onChange = await post(ada, fresh.changeRequest, said('On the change'))
  const listed = async (base: string) =>
    (await ada(`GET ${base}/comments`)).body.items.map(({ id }: { id: string }) => id)
  assert.deepEqual(await listed(fresh.space), [onSpace.id])
  assert.deepEqual(await listed(fresh.changeRequest), [onChange.id])
  assert.deepEqual(await listed(`${fresh.space}/change-requests/${fresh.number}`), [onChange.id])
})

test('a list can be filtered by status, page and authors, and is ordered by time', async () => {
  const fresh = await discussedSpace(world, 'Listed')
  const page = fresh.pageOf('Home')
  const ids = [
    (await post(cy, fresh.space, { ...said('1'), page })).id,
    (await post(rex, fresh.space, said('2'))).id,
    (await post(ada, fresh.space, { ...said('3'), page })).id,
    (await post(rex, fresh.space, said('4'))).id,
  ] as string[]
  await ada(`PUT ${fresh.space}/comments/${ids[2]}`, { resolved: true })
  const listed = async (query: string) => {
    const { status, body, text } = await ada(`GET ${fresh.space}/comments?${query}`)
    assert.equal(status, 200, text)
    assert.equal(body.count, body.items.length)
    return body.items.map(({ id }: { id: string }) => ids.indexOf(id) + 1)
  }
  assert.deepEqual(await listed(''), [4, 3, 2, 1])
  assert.deepEqual(await listed('order=asc'), [1, 2, 3, 4])
  assert.deepEqual(await listed('status=open'), [4, 2, 1])
  assert.deepEqual(await listed('status=resolved'), [3])
  assert.deepEqual(await listed('status=all'), [4, 3, 2, 1])
  assert.deepEqual(await listed(`targetPage=${page}`), [3, 1])
  assert.deepEqual(await listed(`targetPage=${page}&status=open`), [1])
  assert.deepEqual(await listed(`authors=${rex.id}`), [4, 2])
  assert.deepEqual(await listed(`authors=${rex.id}&authors=${cy.id}`), [4, 2, 1])
  assert.deepEqual(await listed('authors=nobody'), [])
  for (const bad of ['status=closed', 'order=up', 'authors=%20', 'format=html'])
    assert.equal((await ada(`GET ${fresh.space}/comments?${bad}`)).status, 400, bad)
})

test('the pages of a list contain every comment once, also while others are posted', async () => {
  const fresh = await discussedSpace(world, 'Paged')
  const posted: string[] = []
  for (let i = 0; i < 7; i += 1) posted.push((await post(ada, fresh.space, said(String(i)))).id)
  for (const order of ['asc', 'desc']) {
    const seen: string[] = []
    for (let next = ''; ;) {
      const { body } = await ada(`GET ${fresh.space}/comments?limit=3&order=${order}${next}`)
      seen.push(...body.items.map(({ id }: { id: string }) => id))
      if (order === 'desc') await post(ada, fresh.space, said('later'))
      if (!body.next) break
      next = `&page=${body.next.page}`
    }
    assert.deepEqual(seen, order === 'asc' ? posted : posted.toReversed())
  }
})

test('a space and a change request each count their own open comments', async () => {
  const fresh = await discussedSpace(world, 'Counted')
  const counted = async () => {
    const [space, changeRequest] = await Promise.all([
      ada(`GET ${fresh.space}`),
      ada(`GET ${fresh.changeRequest}`),
    ])
    return [space.body.comments, changeRequest.body.comments]
  }
  await post(cy, fresh.space)
  await post(cy, fresh.changeRequest)
  for (const [base, fewer, more] of [
    [fresh.space, [1, 1], [2, 1]],
    [fresh.changeRequest, [1, 1], [1, 2]],
  ] as const) {
    const { id } = await post(cy, base)
    assert.deepEqual(await counted(), more)
    await cy(`PUT ${base}/comments/${id}`, { resolved: true })
    assert.deepEqual(await counted(), fewer)
    await cy(`PUT ${base}/comments/${id}`, { resolved: false })
    assert.deepEqual(await counted(), more)
    await cy(`DELETE ${base}/comments/${id}`)
    assert.deepEqual(await counted(), fewer)
  }
})

test('the text of a review is a comment on its change request, with the same checks', async () => {
  const fresh = await discussedSpace(world, 'Reviewed')
  const reviews = `${fresh.changeRequest}/reviews`
  const block = { object: 'block', type: 'nothing', data: {} }
  const document = { object: 'document', data: {}, nodes: [block] }
  const refused = await rex(`POST ${reviews}`, { status: 'approved', comment: { document } })
  assert.equal(refused.status, 400, refused.text)
  assert.equal(refused.body.error.details[0].path, 'body.comment.document.nodes.0.type')

  const review = await rex(`POST ${reviews}`, { status: 'approved', comment: { markdown: 'Good' } })
  assert.equal(review.status, 201, review.text)
  const { items } = (await ada(`GET ${fresh.changeRequest}/comments?format=markdown`)).body
  assert.equal(items.length, 1)
  assert.deepEqual([items[0].target.review, items[0].body], [review.body.id, { markdown: 'Good' }])
  assert.equal(
    (await cy(`POST ${fresh.changeRequest}/comments/${items[0].id}/replies`, said('Thanks'))).status,
    200,
  )
})

test('comments on a merged or archived change request are still possible', async () => {
  const fresh = await discussedSpace(world, 'Closed')
  const { id } = await post(cy, fresh.changeRequest)
  for (const status of ['archived', 'merged'] as const) {
    await world.db.write((tx) =>
      tx.updateTable('changeRequest').set({ status }).where('id', '=', fresh.changeRequestId).execute(),
    )
    assert.equal((await cy(`GET ${fresh.changeRequest}/comments`)).status, 200)
    const thanks = { ...said('Thanks'), page: fresh.pageOf('Home') }
    assert.equal((await cy(`POST ${fresh.changeRequest}/comments`, thanks)).status, 200)
    assert.equal((await cy(`PUT ${fresh.changeRequest}/comments/${id}`, { resolved: true })).status, 200)
  }
})

test('deleting a space deletes its comments', async () => {
  const fresh = await discussedSpace(world, 'Trashed')
  const { id } = await post(cy, fresh.space)
  await ada(`DELETE ${fresh.space}`)
  assert.equal((await ada(`GET ${fresh.space}/comments/${id}`)).status, 404)
  assert.equal((await ada(`GET ${fresh.space}/comments`)).status, 404)
  await ada(`POST ${fresh.space}/restore`)
  assert.equal((await ada(`GET ${fresh.space}/comments/${id}`)).status, 200)
})
