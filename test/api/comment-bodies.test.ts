import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'
import { discussedSpace, post, said } from './discussing.ts'

const world = await createWorld()
const { ada, clock } = world
const one = await discussedSpace(world, 'One')
const cy = await world.person('cy', 'comment')
const rex = await world.person('rex', 'review')
const bases = [one.space, one.changeRequest]

test('a page of results ends at the size limit of a response, and the next page continues', async () => {
  const fresh = await discussedSpace(world, 'Long')
  const posted: string[] = []
  for (let i = 0; i < 30; i += 1) posted.push((await post(cy, fresh.space, said('x'.repeat(10_000)))).id)
  for (const [format, fitting] of [
    ['markdown', 25],
    ['document', 4],
  ] as const) {
    const list = `GET ${fresh.space}/comments?limit=1000&order=asc&format=${format}`
    const pages = [(await ada(list)).body]
    while (pages.at(-1).next) pages.push((await ada(`${list}&page=${pages.at(-1).next.page}`)).body)
    assert.deepEqual([pages[0].items.length, pages[0].count], [fitting, 30])
    assert.deepEqual(
      pages.flatMap(({ items }) => items.map(({ id }: { id: string }) => id)),
      posted,
    )
  }
})

test('a body is stored as written, or as the Markdown of its document', async () => {
  const { document } = (await post(cy, one.space, said('A *list*:\n\n* one\n* two\n'))).body
  const again = await post(cy, one.space, { body: { document } })
  assert.deepEqual(again.body.document.nodes, document.nodes)
  const read = (await cy(`GET ${one.space}/comments/${again.id}?format=markdown`)).body
  assert.deepEqual(read.body, { markdown: 'A _list_:\n\n* one\n* two\n' })

  const markdown = '<script>alert(1)</script> <b onclick="x">hi</b>\n\n---\ntitle: x\n---\n\n# Not a title\n'
  const kept = await post(cy, one.space, said(markdown))
  const asMarkdown = (await cy(`GET ${one.space}/comments/${kept.id}?format=markdown`)).body
  assert.deepEqual(asMarkdown.body, { markdown })

  const empty = await post(cy, one.space, { body: {} })
  assert.deepEqual(empty.body.document.nodes, [])
  const asNothing = (await cy(`GET ${one.space}/comments/${empty.id}?format=markdown`)).body
  assert.deepEqual(asNothing.body, { markdown: '' })
})

test('refuses an invalid body with 400', async () => {
  const block = (fields: object) => ({
    document: { object: 'document', data: {}, nodes: [{ object: 'block', data: {}, ...fields }] },
  })
  let deep: object = { object: 'block', type: 'paragraph', data: {}, nodes: [] }
  for (let i = 0; i < 5000; i += 1) deep = { object: 'block', type: 'blockquote', data: {}, nodes: [deep] }
  const text = (value: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] })
  const bad: unknown[] = [
    undefined,
    null,
    'text',
    { markdown: 7 },
    { markdown: 'x'.repeat(10_001) },
    { markdown: 'x'.repeat(1_000_000) },
    { markdown: 'a\0b' },
    { markdown: 'x', document: { object: 'document', data: {}, nodes: [] } },
    { document: {} },
    { document: { object: 'document', data: {}, nodes: 'x' } },
    block({ type: 'nothing', nodes: [] }),
    block({ type: 'constructor', nodes: [] }),
    block({ type: 'paragraph', nodes: [{ object: 'text' }] }),
    block({ type: 'paragraph', nodes: [{ object: 'inline', type: 'link', nodes: [] }] }),
    block({ type: 'hint', data: { style: 7 }, nodes: [] }),
    block({ type: 'table' }),
    block({ type: 'paragraph', nodes: [text('x'.repeat(20_000))] }),
    { document: { object: 'document', data: {}, nodes: [deep] } },
  ]
  for (const base of bases) {
    const { id } = await post(cy, base)
    for (const body of bad) {
      const what = JSON.stringify(body)?.slice(0, 100)
      assert.equal((await cy(`POST ${base}/comments`, { body })).status, 400, what)
      assert.equal((await cy(`POST ${base}/comments/${id}/replies`, { body })).status, 400, what)
      if (body !== undefined)
        assert.equal((await cy(`PUT ${base}/comments/${id}`, { body })).status, 400, what)
    }
    assert.equal((await cy(`GET ${base}/comments/${id}`)).body.replies, 0)
  }
})

test('refuses invalid emoji, and limits the number of different emoji on a comment', async () => {
  const { id } = await post(cy, one.space)
  const put = (fields: object) => cy(`PUT ${one.space}/comments/${id}`, fields)
  const none = [
    'x',
    '',
    'thumbs',
    ':nobody:',
    '👍👍',
    '<b>',
    '1',
    '110000',
    '1f44d-',
    '__proto__',
    'x'.repeat(9999),
  ]
  for (const emoji of none) {
    assert.equal((await put({ addedReactions: [emoji] })).status, 400, emoji)
    assert.equal((await put({ removedReactions: [emoji] })).status, 400, emoji)
  }
  assert.equal((await put({ addedReactions: Array.from({ length: 10_000 }, () => '👍') })).status, 400)
  assert.deepEqual((await put({})).body.reactions, [])

  const faces = Array.from({ length: 60 }, (_, i) => String.fromCodePoint(0x1f600 + i))
  assert.equal((await put({ addedReactions: faces.slice(0, 50) })).status, 200)
  const more = await put({ addedReactions: faces.slice(50) })
  assert.equal(more.status, 409, more.text)
  assert.equal(
    (await put({ addedReactions: faces.slice(50), removedReactions: faces.slice(0, 10) })).status,
    200,
  )
  assert.equal((await put({})).body.reactions.length, 50)
})

test('a reaction counts all its users, and lists some of them and the caller', async () => {
  const { id } = await post(cy, one.space)
  const at = new Date().toISOString()
  const people = Array.from({ length: 300 }, (_, i) => `fan-${String(i).padStart(4, '0')}`)
  await world.db.write(async (tx) => {
    for (const fan of people)
      await tx
        .insertInto('user')
        .values({
          id: fan,
          displayName: fan,
          email: `${fan}@example.com`,
          photoUrl: null,
          createdAt: at,
          updatedAt: at,
        })
        .execute()
    await tx
      .insertInto('reaction')
      .values(
        people.map((userId) => ({
          spaceId: one.spaceId,
          subjectId: id,
          emoji: '1f44d',
          userId,
          reactedAt: at,
        })),
      )
      .execute()
  })
  clock.now = new Date(Date.parse(at) + 60_000)
  const [reaction] = (await rex(`PUT ${one.space}/comments/${id}`, { addedReactions: ['👍'] })).body.reactions
  clock.now = undefined
  assert.equal(reaction.count, 301)
  assert.equal(reaction.users.length, 51)
  assert.equal(reaction.users.at(-1).user.id, rex.id)
  const [seen] = (await cy(`GET ${one.space}/comments/${id}`)).body.reactions
  assert.deepEqual([seen.count, seen.users.length], [301, 50])
})
