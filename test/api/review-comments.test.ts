import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { edit, propose, type Proposed } from '../reviewing.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld({ LECTERN_ADMIN_EMAIL: 'ada@example.com' })
const { ada, db, organizationId } = world
const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Home\n\nPress the *button*.\n' }))
const author = await world.person('Author', 'edit')
const rita = await world.person('Rita', 'review')
const rob = await world.person('Rob', 'review')
const pages = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body.pages
const page = pages[0].id as string
const shown = (await ada(`GET /v1/spaces/${spaceId}/content/page/${page}?format=document`)).body
const node = shown.document.nodes.find(({ type }: { type: string }) => type === 'paragraph').key as string

const commentsOn = async ({ address }: Proposed) => {
  const { body } = await author(`GET ${address}/comments?format=markdown&order=asc`)
  return body.items as Said[]
}

interface Said {
  id: string
  body: { markdown: string }
  target: { review?: string; page?: { id: string }; node?: { id: string; preview: string } }
  postedBy: { id: string }
}

const three = [
  { body: { markdown: 'On all' } },
  { body: { markdown: 'On the page' }, page },
  { body: { markdown: 'On the block' }, page, node },
]

test('a review is sent with comments on the change request, its pages and their blocks', async () => {
  const change = await propose(author, spaceId)
  const sent = { status: 'changes-requested', comment: { markdown: 'Three things' }, comments: three }
  const { status, body, text } = await rita(`POST ${change.address}/reviews`, sent)
  assert.equal(status, 201, text)
  assert.equal(body.comments, 3)
  const written = await commentsOn(change)
  assert.deepEqual(
    written.map(({ body: said, target, postedBy }) => [
      said.markdown,
      target.review,
      target.page?.id,
      target.node?.id,
      postedBy.id,
    ]),
    [
      ['Three things', body.id, undefined, undefined, rita.id],
      ['On all', body.id, undefined, undefined, rita.id],
      ['On the page', body.id, page, undefined, rita.id],
      ['On the block', body.id, page, node, rita.id],
    ],
  )
  assert.equal(written[3]?.target.node?.preview, 'Press the button.')
  assert.equal(body.comment.id, written[0]?.id)
  assert.equal((await author(`GET ${change.address}`)).body.comments, 4)

  const [event] = (await ada(`GET /v1/orgs/${organizationId}/audit-events?limit=1`)).body.items
  const { payload } = (await ada(`GET /v1/orgs/${organizationId}/audit-events/${event.id}`)).body
  assert.equal(event.action, 'space.change-request.review.submit')
  assert.deepEqual(
    payload.after.postedComments,
    written.map(({ id }) => id),
  )
})

test('the comments of a review are not mistaken for its text, whichever of them is deleted', async () => {
  const change = await propose(author, spaceId)
  const { body: without } = await rita(`POST ${change.address}/reviews`, {
    status: 'approved',
    comments: three,
  })
  assert.deepEqual([without.comment, without.comments], [undefined, 3])
  const sent = { status: 'approved', comment: { markdown: 'Good' }, comments: three.slice(0, 1) }
  const { body: both } = await rob(`POST ${change.address}/reviews`, sent)
  const listed = async () => {
    const { body } = await author(`GET ${change.address}/reviews?format=markdown`)
    return body.items.map(({ comment, comments }: { comment?: Said; comments: number }) => [
      comment?.body.markdown,
      comments,
    ])
  }
  assert.deepEqual(await listed(), [
    ['Good', 1],
    [undefined, 3],
  ])
  const [first] = (await commentsOn(change)).filter(({ target }) => target.review === without.id)
  await rita(`DELETE ${change.address}/comments/${first?.id}`)
  await rob(`DELETE ${change.address}/comments/${both.comment.id}`)
  assert.deepEqual(await listed(), [
    [undefined, 1],
    [undefined, 2],
  ])
})

test('one comment that is refused stops the whole review, and the message names it', async () => {
  const change = await propose(author, spaceId)
  await ada(`POST ${change.address}/requested-reviewers`, { users: [rita.id] })
  const good = { body: { markdown: 'Good' }, page }
  const cases: [object, string][] = [
    [{ body: {}, page: 'nothing' }, 'body.comments.1.page'],
    [{ body: {}, page, node: 'nothing' }, 'body.comments.1.node'],
    [{ body: {}, node }, 'body.comments.1.page'],
    [{ body: { markdown: 'x'.repeat(10_001) } }, 'body.comments.1.body.markdown'],
    [{ body: { document: { object: 'document', data: {}, nodes: [{ object: 'block' }] } } }, ''],
    [{ page }, 'body.comments.1.body'],
  ]
  for (const [wrong, path] of cases) {
    const sent = { status: 'approved', comment: { markdown: 'Text' }, comments: [good, wrong] }
    const { status, body } = await rita(`POST ${change.address}/reviews`, sent)
    assert.equal(status, 400, JSON.stringify(wrong))
    if (path) assert.equal(body.error.details[0].path, path)
    if (path) assert(body.error.message.startsWith(path), body.error.message)
  }
  const many = Array.from({ length: 51 }, () => good)
  const refused = await rita(`POST ${change.address}/reviews`, { status: 'approved', comments: many })
  assert.equal(refused.status, 400)
  assert.deepEqual(await commentsOn(change), [])
  assert.equal((await ada(`GET ${change.address}/reviews`)).body.count, 0)
  assert.equal((await ada(`GET ${change.address}/requested-reviewers`)).body.count, 1)

  const fifty = { status: 'approved', comments: many.slice(1) }
  assert.equal((await rita(`POST ${change.address}/reviews`, fifty)).body.comments, 50)
})

const document = (text: string) => ({
  object: 'document',
  data: {},
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
    },
  ],
})

test('the server keeps the draft of a review for its author, and for nobody else', async () => {
  const change = await propose(author, spaceId)
  const draft = `${change.address}/reviews/draft`
  assert.equal((await rita(`GET ${draft}`)).status, 404)
  const fields = {
    status: 'approved',
    comment: { markdown: 'Well *said*' },
    comments: [
      { body: { document: document('Here') }, page, node },
      { body: {}, page: 'later-deleted' },
    ],
  }
  world.clock.now = new Date('2040-01-01T00:00:00.000Z')
  const saved = await rita(`PUT ${draft}`, fields)
  assert.equal(saved.status, 200, saved.text)
  const { body } = await rita(`GET ${draft}`)
  assert.deepEqual(saved.body, body)
  const { comments, createdAt, ...rest } = body
  assert.deepEqual(rest, {
    object: 'change-request-review-draft',
    status: 'approved',
    comment: { markdown: 'Well *said*' },
    revision: change.revision,
    outdated: false,
    updatedAt: createdAt,
  })
  assert.equal(comments[0].body.document.nodes[0].nodes[0].leaves[0].text, 'Here')
  assert.deepEqual([comments[0].page, comments[0].node, comments[1]], [page, node, fields.comments[1]])
  assert.equal((await rita(`PUT ${draft}`, { ...fields, comments })).status, 200, 'it can be sent back')

  for (const other of [rob, ada]) assert.equal((await other(`GET ${draft}`)).status, 404)
  assert.equal((await author(`GET ${draft}`)).status, 403)
  assert.equal((await author(`PUT ${draft}`, {})).status, 403)
  assert.equal((await ada(`GET ${change.address}/reviews`)).body.count, 0)
  assert.deepEqual(await commentsOn(change), [])
  assert.equal((await rob(`DELETE ${draft}`)).status, 204)
  assert.equal((await rita(`GET ${draft}`)).status, 200)

  world.clock.now = new Date('2040-01-02T00:00:00.000Z')
  const revision = await edit(world, change, author)
  assert.equal((await rita(`GET ${draft}`)).body.outdated, true)
  const { body: emptied } = await rita(`PUT ${draft}`, {})
  world.clock.now = undefined
  assert.deepEqual(emptied, {
    object: 'change-request-review-draft',
    comments: [],
    revision,
    outdated: false,
    createdAt,
    updatedAt: '2040-01-02T00:00:00.000Z',
  })
  assert.equal((await rita(`DELETE ${draft}`)).status, 205)
  assert.equal((await rita(`DELETE ${draft}`)).status, 204)
  assert.equal((await rita(`GET ${draft}`)).status, 404)
})

test('a draft has the limits of a review, and leaves no trace in the audit log', async () => {
  const change = await propose(author, spaceId)
  const draft = `${change.address}/reviews/draft`
  const events = async () => (await ada(`GET /v1/orgs/${organizationId}/audit-events?limit=1`)).body.count
  const before = await events()
  assert.equal((await rita(`PUT ${draft}`, { comments: [{ body: { markdown: 'Secret' } }] })).status, 200)
  const long = { markdown: 'x'.repeat(10_001) }
  const wrong: [object, string][] = [
    [{ status: 'maybe' }, 'body.status'],
    [{ comment: long }, 'body.comment.markdown'],
    [{ comment: { document: document('x'.repeat(10_001)) } }, 'body.comment.document'],
    [
      { comments: [{ body: {} }, { body: { document: document('x'.repeat(10_001)) } }] },
      'body.comments.1.body.document',
    ],
    [{ comments: Array.from({ length: 51 }, () => ({ body: {} })) }, 'body.comments'],
    [{ comments: [{ body: {}, node: 'x'.repeat(129) }] }, 'body.comments.0.node'],
  ]
  for (const [fields, path] of wrong) {
    const { status, body } = await rita(`PUT ${draft}`, fields)
    assert.deepEqual([status, body.error.details?.[0].path], [400, path])
  }
  assert.equal((await rita(`GET ${draft}`)).body.comments[0].body.markdown, 'Secret')
  assert.equal((await rita(`DELETE ${draft}`)).status, 205)
  assert.equal(await events(), before)
})

test('a reviewer who has no draft can read an empty one', async () => {
  const change = await propose(author, spaceId)
  const draft = `${change.address}/reviews/draft`
  assert.equal((await rita(`GET ${draft}?orEmpty=false`)).status, 404)
  const { status, body } = await rita(`GET ${draft}?orEmpty=true`)
  const { createdAt, ...rest } = body
  assert.deepEqual(
    [status, rest],
    [
      200,
      {
        object: 'change-request-review-draft',
        comments: [],
        revision: change.revision,
        outdated: false,
        updatedAt: createdAt,
      },
    ],
  )
  assert.equal((await author(`GET ${draft}?orEmpty=true`)).status, 403)
  assert.equal((await rita(`GET ${draft}`)).status, 404, 'reading it stores nothing')
  assert.equal((await rita(`PUT ${draft}`, { comment: { markdown: 'Hm' } })).status, 200)
  assert.deepEqual((await rita(`GET ${draft}?orEmpty=true`)).body.comment, { markdown: 'Hm' })
})

test('the draft of a review ends when its author sends a review, and all end with a merge', async () => {
  const change = await propose(author, spaceId)
  const draft = `${change.address}/reviews/draft`
  const has = async (person: Person) => (await person(`GET ${draft}`)).status === 200
  for (const person of [rita, rob]) await person(`PUT ${draft}`, { status: 'approved' })
  const bad = { status: 'approved', comments: [{ body: {}, page: 'nothing' }] }
  assert.equal((await rita(`POST ${change.address}/reviews`, bad)).status, 400)
  assert.deepEqual([await has(rita), await has(rob)], [true, true])
  assert.equal((await rita(`POST ${change.address}/reviews`, { status: 'approved' })).status, 201)
  assert.deepEqual([await has(rita), await has(rob)], [false, true])

  await ada(`PATCH ${change.address}`, { status: 'archived' })
  assert.equal((await rob(`PUT ${draft}`, {})).status, 409)
  assert.equal(await has(rob), true)
  await ada(`PATCH ${change.address}`, { status: 'open' })
  await edit(world, change, author)
  const merged = await ada(`POST ${change.address}/merge`)
  assert.equal(merged.body.result, 'merge', merged.text)
  assert.equal(await has(rob), false)
  assert.equal((await rob(`PUT ${draft}`, {})).status, 409)
})

test('the drafts of a member end with the membership', async () => {
  const leaving = await world.person('Leaving', 'review')
  const change = await propose(author, spaceId)
  await leaving(`PUT ${change.address}/reviews/draft`, {})
  const drafts = () =>
    db.read.selectFrom('reviewDraft').select('userId').where('userId', '=', leaving.id).execute()
  assert.equal((await drafts()).length, 1)
  await ada(`DELETE /v1/orgs/${organizationId}/members/${leaving.id}`)
  assert.deepEqual(await drafts(), [])
})
