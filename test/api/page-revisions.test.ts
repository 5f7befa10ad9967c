import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idSource } from '../../src/core/data/id.ts'
import { chunks } from '../../src/db/chunks.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, db, organizationId } = world
const eve = await world.person('Eve', 'edit')

/** A live space with an empty page. */
async function liveSpace() {
  const fields = { title: 'Live', editMode: 'live' }
  const { id } = (await ada(`POST /v1/orgs/${organizationId}/spaces`, fields)).body
  const base = `/v1/spaces/${id}`
  const page = await insert(base, 'Page')
  return { id: id as string, base, page, history: `${base}/content/page/${page}/revisions` }
}

/** Sends a batch. @returns the revision and the pages that it created */
async function send(base: string, by: Person, ...changes: object[]) {
  const { status, body, text } = await by(`POST ${base}/content?compat=false`, { changes })
  assert.equal(status, 200, text)
  const { revision } = (await by(`GET ${base}`)).body
  return { revision: revision as string, pages: body.changes as { page: { id: string } }[] }
}

async function insert(base: string, title: string, more: object = {}): Promise<string> {
  const { pages } = await send(base, ada, { operation: 'insert_page', title, document: {}, ...more })
  return pages[0]!.page.id
}

const update = async (base: string, page: string, fields: object, by: Person = ada) =>
  (await send(base, by, { operation: 'update_page', page, ...fields })).revision

interface Item {
  id: string
  change: string
  type: string
  createdBy: { id: string }
  createdAt: string
}

async function itemsOf(address: string): Promise<Item[]> {
  const { status, body, text } = await ada(`GET ${address}`)
  assert.equal(status, 200, text)
  assert.equal('next' in body, false)
  return body.items
}

const changesOf = (items: Item[]) => items.map(({ id, change }) => [id, change])

test('the history of a page has the revisions that changed it, newest first, with who and when', async () => {
  const { base, page, history } = await liveSpace()
  const created = (await ada(`GET ${base}`)).body.revision
  const other = await insert(base, 'Other')
  const renamed = await update(base, page, { title: 'Renamed' }, eve)
  await update(base, other, { title: 'Another' })
  const moved = await update(base, page, { at: 1 })
  const written = await update(base, page, { document: { markdown: 'Text' } })
  await insert(base, 'Below', { into: page })

  const items = await itemsOf(history)
  assert.deepEqual(changesOf(items), [
    [written, 'edited'],
    [moved, 'moved'],
    [renamed, 'edited'],
    [created, 'created'],
  ])
  const { createdBy, createdAt, type } = items[2]!
  const { body: revision } = await ada(`GET ${base}/revisions/${renamed}`)
  assert.deepEqual([createdBy.id, createdAt, type], [eve.id, revision.createdAt, 'edits'])
  assert.equal('count' in (await ada(`GET ${history}`)).body, false)
})

test('the history of a deleted page goes on, and a page that never was has none', async () => {
  const { base, page, history } = await liveSpace()
  const created = (await ada(`GET ${base}`)).body.revision
  const { revision: deleted } = await send(base, ada, { operation: 'delete_page', page })
  const { body: restored } = await ada(`POST ${base}/revisions/${created}/restore`)
  const { body: again } = await ada(`POST ${base}/revisions/${deleted}/restore`)
  assert.deepEqual(changesOf(await itemsOf(history)), [
    [again.id, 'deleted'],
    [restored.id, 'created'],
    [deleted, 'deleted'],
    [created, 'created'],
  ])
  const other = await liveSpace()
  for (const id of ['nothing', other.page])
    assert.equal((await ada(`GET ${base}/content/page/${id}/revisions`)).status, 404)
})

test('pages of results go on where the last one ended', async () => {
  const { base, page, history } = await liveSpace()
  for (let i = 0; i < 7; i++) {
    await update(base, page, { title: `Title ${i}` })
    await insert(base, `Other ${i}`)
  }
  const whole = changesOf(await itemsOf(history))
  assert.equal(whole.length, 8)
  for (const limit of [1, 3, 4, 8]) {
    const seen: unknown[] = []
    for (let next = ''; ;) {
      const { body } = await ada(`GET ${history}?limit=${limit}${next}`)
      assert(body.items.length <= limit)
      seen.push(...changesOf(body.items))
      if (!body.next) break
      next = `&page=${body.next.page}`
    }
    assert.deepEqual(seen, whole)
  }
})

test('a response compares a bounded number of revisions, and the next one goes on', async () => {
  const { id: spaceId, base, page, history } = await liveSpace()
  const created = (await ada(`GET ${base}`)).body.revision
  // Revisions without a change of the page, written directly because a thousand requests would take long.
  const newId = idSource(() => Date.now())
  const newest = await db.write(async (tx) => {
    const last = await tx
      .selectFrom('revision')
      .selectAll()
      .where('id', '=', created)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 1_500 }, (_, i) => ({
      ...last,
      id: newId(),
      sequence: last.sequence + i + 1,
    }))
    for (const some of chunks(rows)) await tx.insertInto('revision').values(some).execute()
    const { id: revisionId = '' } = rows.at(-1) ?? {}
    await tx.updateTable('space').set({ revisionId }).where('id', '=', spaceId).execute()
    return revisionId
  })
  assert.equal((await ada(`GET ${base}`)).body.revision, newest)
  const renamed = await update(base, page, { title: 'Renamed' })

  const first = (await ada(`GET ${history}?limit=5`)).body
  assert.deepEqual(changesOf(first.items), [[renamed, 'edited']])
  const second = (await ada(`GET ${history}?limit=5&page=${first.next.page}`)).body
  assert.deepEqual([changesOf(second.items), second.next], [[[created, 'created']], undefined])
  const unknown = (await ada(`GET ${base}/content/page/nothing/revisions`)).body
  assert.deepEqual([unknown.items, typeof unknown.next.page], [[], 'string'])
})

test('a change request has a history of its own: of its content, and of each page', async () => {
  const { base, page } = await liveSpace()
  const { body } = await eve(`POST ${base}/change-requests`, { subject: 'A change' })
  const own = `${base}/change-requests/${body.id}`
  const revisions = `${own}/revisions`
  const history = `${own}/content/page/${page}/revisions`
  assert.deepEqual((await ada(`GET ${revisions}`)).body, { count: 0, items: [] })
  assert.deepEqual((await ada(`GET ${history}`)).body, { items: [] })

  const first = await update(own, page, { title: 'Mine' }, eve)
  const added = await insert(own, 'Added')
  const second = (await ada(`GET ${own}`)).body.revision
  await update(base, page, { document: { markdown: 'Text' } })
  const { body: updated } = await ada(`POST ${own}/update`)
  const { body: listed } = await ada(`GET ${revisions}`)
  assert.deepEqual(
    listed.items.map(({ id, type, createdBy }: Item) => [id, type, createdBy.id]),
    [
      [updated.revision, 'update', ada.id],
      [second, 'edits', ada.id],
      [first, 'edits', eve.id],
    ],
  )
  assert.equal(listed.count, 3)
  const page1 = (await ada(`GET ${revisions}?limit=2`)).body
  assert.equal(page1.items.length, 2)
  const page2 = (await ada(`GET ${revisions}?limit=2&page=${page1.next.page}`)).body
  assert.deepEqual([...page1.items, ...page2.items], listed.items)
  assert.deepEqual(
    (await ada(`GET ${base}/revisions`)).body.items.some(({ id }: Item) => id === first),
    false,
  )

  assert.deepEqual(changesOf(await itemsOf(history)), [
    [updated.revision, 'edited'],
    [first, 'edited'],
  ])
  assert.deepEqual(changesOf(await itemsOf(`${own}/content/page/${added}/revisions`)), [[second, 'created']])
  assert.equal((await ada(`GET ${base}/content/page/${added}/revisions`)).status, 404)
  await ada(`POST ${own}/merge`)
  const [merge] = await itemsOf(`${base}/content/page/${added}/revisions`)
  assert.deepEqual([merge?.type, merge?.change], ['merge', 'created'])
})

test('guests see no addresses, and nobody sees the history of what they cannot read', async () => {
  const { id, base, page, history } = await liveSpace()
  const guest = await world.person('Guest', null)
  const { body } = await ada(`POST ${base}/change-requests`)
  const own = `${base}/change-requests/${body.id}`
  await update(own, page, { title: 'Mine' })
  const addresses = [history, `${own}/revisions`, `${own}/content/page/${page}/revisions`]
  for (const address of addresses) assert.equal((await guest(`GET ${address}`)).status, 404)
  await ada(`POST /v1/spaces/${id}/permissions`, { users: [guest.id], role: 'read' })
  for (const address of addresses) {
    const { status, text } = await guest(`GET ${address}`)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /@/)
    assert.match((await ada(`GET ${address}`)).text, /@/)
  }
})
