import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomText } from '../../src/core/data/id.ts'
import { archiveOf, spaceWith, upload } from '../importing.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Guide' })).body
const base = `/v1/spaces/${space.id}/change-requests`
const eve = await world.person('eve', 'edit')
const rex = await world.person('rex', 'review')
const guest = await world.person('guest', null)
const written = await spaceWith(world, archiveOf({ 'README.md': '# Home\n\nText\n' }), 'Written')

/** Imports one Markdown file. */
async function importInto(person: Person, target: string, source: string) {
  const url = await upload(ada, organizationId, new TextEncoder().encode(source), 'page.md')
  return person(`POST ${target}/content/import`, { url, source: 'markdown' })
}

test('a change request starts as a draft of the current content with the next number', async () => {
  const first = await ada(`POST ${base}`, { subject: 'Say more' })
  assert.equal(first.status, 201, first.text)
  assert.equal(first.headers.get('location'), first.body.urls.location)
  const { number, status, subject, revision, revisionInitial, comments, outdated } = first.body
  assert.deepEqual(
    { number, status, subject, revision, revisionInitial, comments, outdated },
    {
      number: 1,
      status: 'draft',
      subject: 'Say more',
      revision: space.revision,
      revisionInitial: space.revision,
      comments: 0,
      outdated: false,
    },
  )
  assert.equal((await ada(`POST ${base}`)).body.number, 2)
})

test('a change request can be read by its id and by its number', async () => {
  const { body } = await ada(`POST ${base}`, { subject: 'Twice' })
  assert.deepEqual((await ada(`GET ${base}/${body.id}`)).body, body)
  assert.deepEqual((await ada(`GET ${base}/${body.number}`)).body, body)
  assert.equal((await ada(`GET ${base}/999`)).status, 404)
})

test('status changes among draft, open and archived, and never to or from merged', async () => {
  const { id } = (await ada(`POST ${base}`, { subject: 'Moving' })).body
  for (const status of ['open', 'archived', 'draft', 'archived', 'open', 'draft', 'draft']) {
    const moved = await ada(`PATCH ${base}/${id}`, { status })
    assert.deepEqual([moved.status, moved.body.status], [200, status])
  }
  assert.equal((await ada(`PATCH ${base}/${id}`, { status: 'merged' })).status, 400)
  await world.db.write((tx) =>
    tx.updateTable('changeRequest').set({ status: 'merged' }).where('id', '=', id).execute(),
  )
  for (const status of ['draft', 'open', 'archived'])
    assert.equal((await ada(`PATCH ${base}/${id}`, { status })).status, 409)
})

test('subject and description change independently; null clears the description', async () => {
  const { id } = (await ada(`POST ${base}`, { subject: 'First' })).body
  const leaves = [{ object: 'leaf', text: 'Why', marks: [] }]
  const paragraph = { object: 'block', type: 'paragraph', data: {}, nodes: [{ object: 'text', leaves }] }
  const sent = { object: 'document', data: {}, nodes: [paragraph] }
  const described = await ada(`PATCH ${base}/${id}`, { description: sent })
  const { description } = described.body
  assert.deepEqual(description.nodes[0].nodes, [{ object: 'text', leaves }])
  assert.equal(described.body.subject, 'First')
  const again = await ada(`PATCH ${base}/${id}`, { description })
  assert.deepEqual(again.body.description, description, 'what was answered can be sent back')

  const renamed = (await ada(`PATCH ${base}/${id}`, { subject: 'Second' })).body
  assert.deepEqual([renamed.subject, renamed.description, renamed.status], ['Second', description, 'draft'])
  const cleared = (await ada(`PATCH ${base}/${id}`, { description: null })).body
  assert.equal('description' in cleared, false)
  assert.equal((await ada(`PATCH ${base}/${id}`, { subject: 'x'.repeat(101) })).status, 400)
})

test('an invalid description is refused with the path of the fault, and nothing changes', async () => {
  const { id } = (await ada(`POST ${base}`, { subject: 'Described' })).body
  const block = (type: string, ...nodes: object[]) => ({ object: 'block', type, data: {}, nodes })
  const [good, group] = [block('paragraph'), block('tabs', block('paragraph'))]
  let deep: object = good
  for (let i = 0; i < 1000; i++) deep = { ...good, type: 'blockquote', nodes: [deep] }
  const cases: [unknown[], string][] = [
    [[good, block('carousel')], 'nodes.1.type'],
    [[group], 'nodes.0.nodes.0.type'],
    [[block('paragraph', { object: 'text', leaves: [{ text: 7 }] })], 'nodes.0.nodes.0.leaves.0.text'],
  ]
  for (const [nodes, path] of cases) {
    const description = { object: 'document', data: {}, nodes }
    const { status, body } = await ada(`PATCH ${base}/${id}`, { description, subject: 'Other' })
    assert.deepEqual([status, body.error.details?.[0].path], [400, `body.description.${path}`])
  }
  const nested = { object: 'document', data: {}, nodes: [deep] }
  assert.equal((await ada(`PATCH ${base}/${id}`, { description: nested })).status, 400)
  const { body } = await ada(`GET ${base}/${id}`)
  assert.deepEqual([body.subject, 'description' in body], ['Described', false])
})

test('editors archive and reopen their own change requests; those of other users require "review"', async () => {
  const own = (await eve(`POST ${base}`, { subject: 'Own' })).body
  assert.equal((await eve(`PATCH ${base}/${own.id}`, { status: 'archived' })).status, 200)
  assert.equal((await eve(`PATCH ${base}/${own.id}`, { status: 'draft' })).status, 200)

  const other = (await ada(`POST ${base}`, { subject: 'Of another' })).body
  assert.equal((await eve(`PATCH ${base}/${other.id}`, { status: 'open', subject: 'Better' })).status, 200)
  const refused = await eve(`PATCH ${base}/${other.id}`, { status: 'archived' })
  assert.equal(refused.status, 403)
  assert.match(refused.body.error.message, /"review"/)
  assert.equal((await rex(`PATCH ${base}/${other.id}`, { status: 'archived' })).status, 200)
  assert.equal((await eve(`PATCH ${base}/${other.id}`, { status: 'open' })).status, 403)
  assert.equal((await rex(`PATCH ${base}/${other.id}`, { status: 'open' })).status, 200)
})

test('a space lists its change requests by status, newest first, in pages of results', async () => {
  const { id } = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Many' })).body
  const list = `/v1/spaces/${id}/change-requests`
  for (let i = 1; i <= 12; i++) {
    const made = (await ada(`POST ${list}`, { subject: `No. ${i}` })).body
    if (i > 1) await ada(`PATCH ${list}/${made.id}`, { status: 'open' })
  }
  const open = (await ada(`GET ${list}`)).body
  assert.deepEqual(numbers(open), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
  assert.equal(open.count, 11)
  assert.equal('next' in open, false)
  assert.deepEqual(numbers((await ada(`GET ${list}?status=draft`)).body), [1])
  assert.deepEqual(numbers((await ada(`GET ${list}?status=merged`)).body), [])
  assert.equal((await ada(`GET ${list}?status=all`)).status, 400)

  const seen: number[] = []
  for (let page = ''; ;) {
    const { items, next, count } = (await ada(`GET ${list}?limit=4${page}`)).body
    seen.push(...items.map(({ number }: { number: number }) => number))
    assert.equal(count, 11)
    if (!next) break
    page = `&page=${next.page}`
  }
  assert.deepEqual(seen, numbers(open))
  const strange = Buffer.from(JSON.stringify(['1e999'])).toString('base64url')
  assert.equal((await ada(`GET ${list}?page=${strange}`)).status, 400)
})

test('lists can be filtered by creator, contributor and commenter', async () => {
  const { spaceId } = written
  const list = `/v1/spaces/${spaceId}/change-requests`
  const quiet = (await ada(`POST ${list}`, { subject: 'Quiet' })).body
  const edited = (await ada(`POST ${list}`, { subject: 'Edited' })).body
  assert.equal((await importInto(eve, `${list}/${edited.id}`, '# New\n')).status, 201)

  const ids = async (query: string) =>
    (await ada(`GET ${list}?status=draft&${query}`)).body.items.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids(`creator=${ada.id}`), [edited.id, quiet.id])
  assert.deepEqual(await ids(`creator=${eve.id}`), [])
  assert.deepEqual(await ids(`contributor=${eve.id}`), [edited.id])
  assert.deepEqual(await ids(`contributor=${ada.id}`), [])
  assert.deepEqual(await ids(`contributor=${eve.id}&creator=${rex.id}`), [])
})

test('an organization lists the change requests of the spaces that the caller can see', async () => {
  const hidden = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Hidden' })).body
  await ada(`PATCH /v1/spaces/${hidden.id}`, { defaultLevel: null })
  const secret = (await ada(`POST /v1/spaces/${hidden.id}/change-requests`, { subject: 'Secret' })).body
  const plain = (await ada(`POST ${base}`, { subject: 'Plain' })).body

  const list = `/v1/orgs/${organizationId}/change-requests?status=draft&limit=1000`
  const ids = async (person: Person, query = '') =>
    (await person(`GET ${list}${query}`)).body.items.map(({ id }: { id: string }) => id) as string[]
  assert.deepEqual((await ids(ada)).slice(0, 2), [plain.id, secret.id])
  assert.equal((await ids(eve)).includes(secret.id), false)
  assert.equal((await ids(eve))[0], plain.id)
  assert.deepEqual(await ids(guest), [])
  assert.equal((await guest(`GET ${list}`)).body.count, 0)
  assert.deepEqual(await ids(ada, `&space=${hidden.id}`), [secret.id])
  assert.deepEqual(await ids(eve, `&space=${hidden.id}`), [])
  assert.equal((await ids(ada)).length, (await ada(`GET ${list}`)).body.count)

  const first = (await ada(`GET ${list.replace('limit=1000', 'limit=1')}`)).body
  const second = (await ada(`GET ${list.replace('limit=1000', 'limit=1')}&page=${first.next.page}`)).body
  assert.deepEqual([first.items[0].id, second.items[0].id], [plain.id, secret.id])

  await ada(`DELETE /v1/spaces/${hidden.id}`)
  assert.equal((await ids(ada)).includes(secret.id), false)
})

test('a change request has separate content, from the first import', async () => {
  const { spaceId, revision } = written
  const made = (await ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Own content' })).body
  const own = `/v1/spaces/${spaceId}/change-requests/${made.number}`
  assert.deepEqual(
    (await ada(`GET ${own}/content`)).body,
    (await ada(`GET /v1/spaces/${spaceId}/content`)).body,
  )

  const result = await importInto(eve, own, '# Guide\n\nHow.\n')
  assert.equal(result.status, 201, result.text)
  const after = (await ada(`GET ${own}`)).body
  assert.equal(after.revision, result.body.revision)
  assert.equal(after.outdated, false)
  const content = (await ada(`GET ${own}/content`)).body
  assert.deepEqual([content.id, content.type, content.parents], [after.revision, 'edits', [revision]])
  assert.deepEqual(titles(content), ['Home', 'Guide'])
  assert.deepEqual(titles((await ada(`GET ${own}/content/pages`)).body), ['Home', 'Guide'])

  const page = content.pages[1]
  const read = (await ada(`GET ${own}/content/page/${page.id}?format=markdown`)).body
  assert.equal(read.markdown, '# Guide\n\nHow.\n')
  assert.equal((await ada(`GET ${own}/content/path/${page.path}`)).body.id, page.id)
  assert.equal((await ada(`GET ${own}/content/page/${page.id}/document`)).status, 200)
  assert.equal((await ada(`GET ${own}/content/files`)).status, 200)

  const primary = (await ada(`GET /v1/spaces/${spaceId}`)).body
  assert.equal(primary.revision, revision)
  assert.deepEqual(titles((await ada(`GET /v1/spaces/${spaceId}/content`)).body), ['Home'])
  assert.equal((await ada(`GET /v1/spaces/${spaceId}/content/page/${page.id}`)).status, 404)
})

test('refuses to import into an archived or merged change request', async () => {
  const { spaceId } = written
  const made = (await ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Closed' })).body
  const own = `/v1/spaces/${spaceId}/change-requests/${made.id}`
  for (const status of ['archived', 'merged'] as const) {
    await world.db.write((tx) =>
      tx.updateTable('changeRequest').set({ status }).where('id', '=', made.id).execute(),
    )
    const refused = await importInto(ada, own, '# Late\n')
    assert.equal(refused.status, 409)
    assert.match(refused.body.error.message, new RegExp(status))
  }
})

test('a space counts its open change requests and comments, also in lists', async () => {
  const { id } = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Counted' })).body
  for (const status of ['draft', 'open', 'open', 'archived', 'draft', 'open']) {
    const made = (await ada(`POST /v1/spaces/${id}/change-requests`)).body
    await ada(`PATCH /v1/spaces/${id}/change-requests/${made.id}`, { status })
    await comment(id, made.id, 'open')
  }
  await comment(id, null, 'open')
  await comment(id, null, 'resolved')

  const alone = (await ada(`GET /v1/spaces/${id}`)).body
  const expected = { comments: 1, changeRequests: 6, changeRequestsOpen: 3, changeRequestsDraft: 2 }
  assert.deepEqual(counts(alone), expected)
  const { items } = (await ada(`GET /v1/orgs/${organizationId}/spaces?limit=1000`)).body
  const listed = new Map<string, object>(items.map((one: Counted) => [one.id, counts(one)]))
  assert.deepEqual(listed.get(id), expected)
  const empty = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Empty' })).body
  assert.deepEqual(Object.values(counts(empty)), [0, 0, 0, 0])
  assert((await ada(`GET /v1/spaces/${id}/change-requests?status=open`)).body.items[0].comments === 1)
})

interface Counted {
  id: string
  comments: number
  changeRequests: number
  changeRequestsOpen: number
  changeRequestsDraft: number
}
const counts = ({ comments, changeRequests, changeRequestsOpen, changeRequestsDraft }: Counted) => ({
  comments,
  changeRequests,
  changeRequestsOpen,
  changeRequestsDraft,
})

async function comment(spaceId: string, changeRequestId: string | null, status: 'open' | 'resolved') {
  const none = { reviewId: null, pageId: null, page: null, nodeId: null, nodePreview: null, editedAt: null }
  const row = { ...none, spaceId, changeRequestId, status, revisionId: space.revision, body: 'Hm' }
  const by = { postedBy: ada.id, postedAt: space.createdAt, resolvedAt: null, resolvedBy: null }
  await world.db.write((tx) =>
    tx
      .insertInto('comment')
      .values({ ...row, ...by, id: randomText(22) })
      .execute(),
  )
}

const numbers = ({ items }: { items: { number: number }[] }) => items.map(({ number }) => number)
const titles = ({ pages }: { pages: { title: string }[] }) => pages.map(({ title }) => title)
