import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, importArchive, publish, spaceWith } from '../importing.ts'
import { runDueJobs } from '../due-jobs.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId, db, clock } = world
const org = `/v1/orgs/${organizationId}`
const reader = await world.person('reader', 'read')
const creator = await world.person('creator', 'create')
const stranger = await world.stranger('mallory')

const space = async (title = 'Space', parent?: string) =>
  (await ada(`POST ${org}/spaces`, { title, parent })).body.id as string
const listed = async (query = '', who = ada) => {
  const { body } = await who(`GET ${org}/spaces?limit=1000${query}`)
  assert.equal(body.count, body.items.length)
  return body.items.map(({ id }: { id: string }) => id) as string[]
}

const DAY = 24 * 3_600_000
/** Runs the jobs that are due in some days, and sets the clock of the server to that time. */
async function after<T>(days: number, work: () => Promise<T>): Promise<T> {
  clock.now = new Date(Date.now() + days * DAY)
  try {
    return await work()
  } finally {
    clock.now = undefined
  }
}
const runJobs = () => runDueJobs(world)

/** Counts the rows that refer to a space, by table. */
async function rowsOf(spaceId: string): Promise<Record<string, number>> {
  const count = async (table: 'document' | 'node' | 'revision' | 'spaceBlob' | 'siteSpace') => {
    const query = db.read.selectFrom(table).select((eb) => eb.fn.countAll().as('count'))
    return Number((await query.where('spaceId', '=', spaceId).executeTakeFirstOrThrow()).count)
  }
  const { count: own } = await db.read
    .selectFrom('space')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('id', '=', spaceId)
    .executeTakeFirstOrThrow()
  const { count: grants } = await db.read
    .selectFrom('grant')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('targetId', '=', spaceId)
    .executeTakeFirstOrThrow()
  return {
    space: Number(own),
    grant: Number(grants),
    document: await count('document'),
    node: await count('node'),
    revision: await count('revision'),
    spaceBlob: await count('spaceBlob'),
    siteSpace: await count('siteSpace'),
  }
}

const PNG = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 1, 2, 3])

test('a deleted space is invisible everywhere, and can be restored as it was', async () => {
  const { spaceId } = await spaceWith(
    world,
    archiveOf({ 'README.md': '# Top\n\n![](a.png)\n', 'a.png': PNG }),
  )
  const other = await space('Other')
  const { siteId, address: published } = await publish(world, spaceId, 'Gone soon')
  // The same site at the server's own address, so that no host name has to be resolved.
  const address = `${world.url}/sites/docs${new URL(published).pathname}`
  const path = `/v1/spaces/${spaceId}`
  const [file] = (await ada(`GET ${path}/content/files`)).body.items
  const before = (await ada(`GET ${path}`)).body
  assert.equal((await fetch(file.downloadURL)).status, 200)
  assert.equal((await fetch(address)).status, 200)

  assert.equal((await reader(`DELETE ${path}`)).status, 403)
  const deleted = await ada(`DELETE ${path}`)
  assert.deepEqual([deleted.status, deleted.text], [205, ''])
  // The response is the same for every caller, and for a space that never existed.
  for (const who of [ada, reader, stranger]) {
    for (const id of [spaceId, 'nothing']) assert.equal((await who(`DELETE /v1/spaces/${id}`)).status, 204)
  }

  const unknown = await ada('GET /v1/spaces/nothing')
  for (const request of ['', '/content', '/content/pages', '/permissions/users', '/permissions/explain']) {
    const answer = await ada(`GET ${path}${request}`)
    assert.deepEqual([answer.status, answer.body], [404, unknown.body], request)
  }
  assert.equal((await ada(`PATCH ${path}`, { title: 'x' })).status, 404)
  assert.equal((await ada(`POST ${path}/duplicate`)).status, 404)
  assert.equal((await fetch(file.downloadURL)).status, 404)
  assert.equal((await fetch(address)).status, 404)
  assert(!(await listed()).includes(spaceId))
  assert.equal((await ada(`GET ${org}/sites/${siteId}`)).body.siteSpaces, 0)
  assert.deepEqual((await ada(`GET ${org}/sites/${siteId}/published`)).body.structure.structure, [])
  assert.equal((await ada(`POST ${org}/sites`, { title: 'No', spaces: [spaceId] })).status, 400)
  const pointer = { position: { after: { type: 'space', space: spaceId } } }
  assert.equal((await ada(`POST /v1/spaces/${other}/move`, pointer)).status, 400)

  const trash = (await ada(`GET ${org}/spaces?deleted=true`)).body.items
  assert.deepEqual([trash.length, trash[0].id, typeof trash[0].deletedAt], [1, spaceId, 'string'])
  assert.deepEqual(await listed('&deleted=true', reader), [])
  assert.deepEqual(await listed('&deleted=true', creator), [spaceId])
  assert.equal((await reader(`POST ${path}/restore`)).status, 403)
  assert.equal((await stranger(`POST ${path}/restore`)).status, 404)

  const restored = await ada(`POST ${path}/restore`)
  assert.equal(restored.status, 200)
  assert.deepEqual({ ...restored.body, updatedAt: '' }, { ...before, updatedAt: '' })
  assert.equal((await ada(`POST ${path}/restore`)).status, 409)
  assert.equal((await fetch(file.downloadURL)).status, 200)
  assert.equal((await fetch(address)).status, 200)
})

test('a space can be restored for 7 days and is then removed, with the bytes that nothing else refers to', async () => {
  const [own, shared] = [Uint8Array.from([...PNG, 8]), Uint8Array.from([...PNG, 9])]
  const pages = { 'README.md': '# One\n\n![](own.png) ![](shared.png)\n' }
  const one = await spaceWith(world, archiveOf({ ...pages, 'own.png': own, 'shared.png': shared }), 'One')
  const two = await spaceWith(world, archiveOf({ ...pages, 'shared.png': shared }), 'Two')
  await ada(`POST ${org}/sites`, { title: 'Of one', spaces: [one.spaceId] })
  const files = (await ada(`GET /v1/spaces/${one.spaceId}/content/files`)).body.items
  const hashes = await db.read
    .selectFrom('spaceBlob')
    .select('hash')
    .where('spaceId', '=', one.spaceId)
    .execute()
  assert.equal(hashes.length, 2)
  const { blobs } = world.app.services
  const kept = async () => {
    const found = await Promise.all(hashes.map(({ hash }) => blobs.has(hash)))
    return found.filter(Boolean).length
  }
  await ada(`DELETE /v1/spaces/${one.spaceId}`)

  await after(6.9, async () => {
    await runJobs()
    assert((await listed('&deleted=true')).includes(one.spaceId))
    assert.equal((await ada(`POST /v1/spaces/${one.spaceId}/restore`)).status, 200)
    assert.equal((await ada(`DELETE /v1/spaces/${one.spaceId}`)).status, 205)
  })
  // The job of the first deletion becomes due, but the restore has canceled it.
  await after(7.5, async () => {
    await runJobs()
    assert.equal((await ada(`POST /v1/spaces/${one.spaceId}/restore`)).status, 200)
    await runJobs()
    assert.equal((await ada(`GET /v1/spaces/${one.spaceId}`)).status, 200)
    assert.equal((await ada(`DELETE /v1/spaces/${one.spaceId}`)).status, 205)
  })
  assert.equal(await kept(), 2)
  await after(14.6, async () => {
    assert.equal((await ada(`POST /v1/spaces/${one.spaceId}/restore`)).status, 404)
    assert.equal((await ada(`DELETE /v1/spaces/${one.spaceId}`)).status, 204)
    assert(!(await listed('&deleted=true')).includes(one.spaceId))
    await runJobs()
  })
  assert.deepEqual(Object.values(await rowsOf(one.spaceId)), [0, 0, 0, 0, 0, 0, 0])
  assert.equal(await kept(), 1)
  assert.equal((await fetch(files[0].downloadURL)).status, 404)
  const [left] = (await ada(`GET /v1/spaces/${two.spaceId}/content/files`)).body.items
  assert.equal((await fetch(left.downloadURL)).status, 200)
})

test('if the default space of a site is purged, the next space becomes the default', async () => {
  const [gone, next, last] = [await space('Default'), await space('Next'), await space('Last')]
  const site = (await ada(`POST ${org}/sites`, { title: 'Three', spaces: [gone, next, last] })).body.id
  const alone = (await ada(`POST ${org}/sites`, { title: 'Alone', spaces: [gone] })).body.id
  await ada(`DELETE /v1/spaces/${gone}`)
  await after(8, runJobs)
  const spacesOf = (siteId: string) =>
    db.read
      .selectFrom('siteSpace')
      .select(['spaceId', 'isDefault'])
      .where('siteId', '=', siteId)
      .orderBy('position')
      .execute()
  assert.deepEqual(
    (await spacesOf(site)).map(({ spaceId, isDefault }) => [spaceId, isDefault]),
    [
      [next, 1],
      [last, 0],
    ],
  )
  assert.deepEqual(await spacesOf(alone), [])
})

test('a copy has the same content, files and settings, new ids, and links that stay within it', async () => {
  const parent = (await ada(`POST ${org}/collections`, { title: 'Holder' })).body.id
  const spaceId = await space('Original', parent)
  await ada(`PATCH /v1/spaces/${spaceId}`, {
    emoji: '1f4d8',
    language: 'fr',
    editMode: 'live',
    defaultLevel: null,
  })
  await ada(`POST /v1/spaces/${spaceId}/permissions`, { users: [reader.id], role: 'comment' })
  const repository = {
    'README.md': '---\ncover: a.png\n---\n\n# Top\n\n[low](low.md) ![](a.png)\n',
    'low.md': '# Low\n\nNothing yet\n',
    'a.png': PNG,
    '.gitbook/vars.yaml': 'product: Lectern\n',
  }
  assert.equal((await importArchive(world, spaceId, archiveOf(repository))).status, 201)
  const old = (await ada(`GET /v1/spaces/${spaceId}/content`)).body
  const [top, low] = old.pages
  const byId = `# Low\n\n[top](/pages/${top.id}#x) ![](/files/${old.files[0].id}) [far](/spaces/${'9z'.repeat(11)}/pages/${top.id})\n`
  await importArchive(world, spaceId, archiveOf({ ...repository, 'low.md': byId }))

  const { status, body, headers } = await ada(`POST /v1/spaces/${spaceId}/duplicate`)
  assert.equal(status, 201)
  assert.equal(headers.get('location'), body.urls.location)
  assert.deepEqual(
    [body.title, body.emoji, body.language, body.editMode, body.defaultLevel, body.parent],
    ['Copy of Original', '1f4d8', 'fr', 'live', null, parent],
  )
  assert.equal((await reader(`GET /v1/spaces/${body.id}`)).body.permissions.comment, true)

  const copy = (await ada(`GET /v1/spaces/${body.id}/content`)).body
  const shape = ({ title, path, git }: { title: string; path: string; git: object }) => ({ title, path, git })
  assert.deepEqual(
    copy.pages.map(shape),
    (await ada(`GET /v1/spaces/${spaceId}/content`)).body.pages.map(shape),
  )
  const ids = [...copy.pages, ...copy.files].map(({ id }: { id: string }) => id)
  assert(!ids.some((id: string) => [top.id, low.id, old.files[0].id].includes(id)))
  assert.deepEqual(copy.pages[0].cover.ref, { kind: 'file', file: copy.files[0].id })

  const text = async (index: number) =>
    JSON.stringify(
      (await ada(`GET /v1/spaces/${body.id}/content/page/${copy.pages[index].id}`)).body.document,
    )
  assert((await text(0)).includes(`"page":"${copy.pages[1].id}"`))
  const linking = await text(1)
  assert(linking.includes(`"page":"${copy.pages[0].id}"`))
  assert(linking.includes(`"file":"${copy.files[0].id}"`))
  assert(linking.includes(`"page":"${top.id}","space":"${'9z'.repeat(11)}"`) || linking.includes('9z9z'))

  // The copy is independent, so the original can be purged.
  await ada(`DELETE /v1/spaces/${spaceId}`)
  await after(8, runJobs)
  assert.equal((await rowsOf(spaceId)).space, 0)
  assert.equal((await fetch(copy.files[0].downloadURL)).status, 200)
  assert((await text(1)).includes('"file"'))
})

test('a copy of an empty space is empty, and a long title is cut', async () => {
  const id = await space('ü'.repeat(50))
  const { body } = await ada(`POST /v1/spaces/${id}/duplicate`)
  assert.equal([...body.title].length, 50)
  assert.deepEqual((await ada(`GET /v1/spaces/${body.id}/content`)).body.pages, [])
})

test('a space can be moved into a collection and out again', async () => {
  const parent = (await ada(`POST ${org}/collections`, { title: 'Target' })).body.id
  const id = await space('Moving')
  const inside = await ada(`POST /v1/spaces/${id}/move`, { parent })
  assert.deepEqual([inside.status, inside.body.parent], [200, parent])
  assert.equal((await ada(`POST /v1/spaces/${id}/move`, { parent })).status, 409)
  assert.equal((await ada(`POST /v1/spaces/${id}/move`, { parent: null })).body.parent, undefined)

  await ada(`PATCH /v1/collections/${parent}`, { defaultLevel: 'read' })
  const refused = await creator(`POST /v1/spaces/${id}/move`, { parent })
  assert.equal(refused.status, 403)
  assert.match(refused.body.error.message, /"create"/)
})

test('a transfer requires an administrator of both organizations', async () => {
  const id = await space('Transferred')
  const target = (await ada('POST /v1/orgs', { title: 'Target' })).body.id
  await ada(`POST /v1/spaces/${id}/permissions`, { users: [creator.id, reader.id], role: 'admin' })
  const granted = await creator(`POST /v1/spaces/${id}/transfer`, { organization: target })
  assert.equal(granted.status, 403)
  assert.equal((await ada(`POST /v1/spaces/${id}/transfer`, { organization: organizationId })).status, 409)
  for (const organization of [stranger.organizationId, 'nowhere']) {
    const answer = await ada(`POST /v1/spaces/${id}/transfer`, { organization })
    const message = `body.organization must be the id of an organization that you are a member of, but was "${organization}"`
    assert.deepEqual([answer.status, answer.body.error.message], [400, message])
  }
  await db.write((tx) =>
    tx
      .insertInto('member')
      .values({
        organizationId: stranger.organizationId,
        userId: ada.id,
        role: 'create',
        disabled: 0,
        sso: 0,
        joinedAt: new Date().toISOString(),
        lastSeenAt: null,
      })
      .execute(),
  )
  assert.equal(
    (await ada(`POST /v1/spaces/${id}/transfer`, { organization: stranger.organizationId })).status,
    403,
  )

  const { status, body } = await ada(`POST /v1/spaces/${id}/transfer`, { organization: target })
  assert.deepEqual([status, body.organization], [200, target])
  assert.equal((await reader(`GET /v1/spaces/${id}`)).status, 404)
  assert(!(await listed()).includes(id))
  assert.equal((await rowsOf(id)).grant, 0)
})

test('a concurrent restore and deletion leave one of the two states', async () => {
  const id = await space('Contended')
  await ada(`DELETE /v1/spaces/${id}`)
  const [restored, deleted] = await Promise.all([
    ada(`POST /v1/spaces/${id}/restore`),
    ada(`DELETE /v1/spaces/${id}`),
  ])
  assert.equal(restored.status, 200)
  assert([204, 205].includes(deleted.status))
  const { status } = await ada(`GET /v1/spaces/${id}`)
  assert.equal(status, deleted.status === 205 ? 404 : 200)
})

test('purging a space is one event of the system', async () => {
  const gone = await space('Purged')
  await ada(`DELETE /v1/spaces/${gone}`)
  await after(8, runJobs)
  await after(9, runJobs)
  const { body } = await ada(`GET ${org}/audit-events?action=space.purge&target=${gone}`)
  assert.equal(body.count, 1)
  assert.deepEqual(body.items[0].actor, { type: 'system', id: 'lectern' })
  assert.deepEqual(body.items[0].target, { type: 'space', id: gone, label: 'Purged' })
})
