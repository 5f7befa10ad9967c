/** Old paths of moved or renamed pages, through the API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOn, insert, update } from '../batches.ts'
import { proposalsIn } from '../proposing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world
const { liveSpace, write } = proposalsIn(world)

const FILES = {
  'SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n  * [Setup](guide/setup.md)\n',
  'README.md':
    '# Home\n\n[setup](guide/setup.md), [by path](/pages/guide/setup), [gone](/pages/guide/none)\n',
  'guide.md': '# Guide\n',
  'guide/setup.md': '# Setup\n\n[guide](../guide.md)\n',
}

/** Returns the title of the page at a path, or the status of the error. */
async function at(base: string, path: string): Promise<string | number> {
  const content = base.includes('/revisions/') ? base : `${base}/content`
  const { status, body } = await ada(`GET ${content}/path/${encodeURIComponent(path)}`)
  return status === 200 ? body.title : status
}
const idAt = async (base: string, path: string) =>
  (await ada(`GET ${base}/content/path/${encodeURIComponent(path)}`)).body.id as string
const revisionOf = async (base: string) => (await ada(`GET ${base}`)).body.revision as string

async function change(base: string, ...changes: object[]) {
  const answer = await ada(`POST ${base}/content`, { changes })
  assert.equal(answer.status, 200, answer.text)
}

async function propose(space: string) {
  const { body } = await ada(`POST ${space}/change-requests`, { subject: 'Move' })
  return `${space}/change-requests/${body.id}`
}

test('a renamed and moved page, and its descendants, can be read at every old path', async () => {
  const space = await liveSpace(FILES)
  const before = await revisionOf(space)
  await change(space, update(await idAt(space, 'guide'), { slug: 'manual' }))
  await change(
    space,
    update(await idAt(space, 'manual'), { slug: 'handbook' }),
    insert('# Top', { ref: 'top' }),
  )
  await change(space, update(await idAt(space, 'handbook'), { into: await idAt(space, 'top') }))

  for (const path of ['guide', 'manual', 'handbook', 'top/handbook', 'GUIDE.md', '/Manual/'])
    assert.equal(await at(space, path), 'Guide', path)
  for (const path of ['guide/setup', 'manual/setup', 'handbook/setup', 'Guide/Setup.MD'])
    assert.equal(await at(space, path), 'Setup', path)
  for (const path of ['top/guide', 'setup', 'guide/none']) assert.equal(await at(space, path), 404, path)
  assert.equal(await at(`${space}/revisions/${await revisionOf(space)}`, 'manual/setup'), 'Setup')
  assert.equal(
    await at(`${space}/revisions/${before}`, 'manual'),
    404,
    'what came later is not in a revision',
  )
  assert.equal((await ada(`GET ${space}/content/path/guide`)).body.path, 'top/handbook')
})

test('a page at its current path takes precedence over old paths of other pages', async () => {
  const space = await liveSpace(FILES)
  await change(space, update(await idAt(space, 'guide'), { slug: 'manual' }))
  await change(space, insert('# New guide', { slug: 'guide' }))
  assert.equal(await at(space, 'guide'), 'New guide')
  assert.equal(await at(space, 'guide/setup'), 'Setup', 'below the new one there is none')
  await change(space, { operation: 'delete_page', page: await idAt(space, 'guide') })
  assert.equal(await at(space, 'guide'), 'Guide')
  await change(space, update(await idAt(space, 'guide'), { slug: 'guide' }))
  assert.equal((await ada(`GET ${space}/content/path/guide`)).body.path, 'guide')
  assert.equal(await at(space, 'manual'), 'Guide')
})

test('the old path of a deleted page is unknown; that of a page that moved out of it still works', async () => {
  const space = await liveSpace(FILES)
  await change(space, update(await idAt(space, 'guide/setup'), { into: null }))
  await change(space, { operation: 'delete_page', page: await idAt(space, 'guide') })
  assert.equal(await at(space, 'guide'), 404)
  assert.equal(await at(space, 'guide/setup'), 'Setup')
})

test('old paths after a rename work in the change request, and in the primary content after the merge', async () => {
  const space = await liveSpace(FILES)
  const base = await propose(space)
  await change(base, update(await idAt(space, 'guide'), { slug: 'draft' }))
  await change(base, update(await idAt(space, 'guide'), { slug: 'manual' }))
  assert.deepEqual(await Promise.all(['guide', 'draft/setup', 'manual'].map((path) => at(base, path))), [
    'Guide',
    'Setup',
    'Guide',
  ])
  assert.equal(await at(space, 'manual'), 404)

  assert.equal((await ada(`POST ${base}/merge`)).body.result, 'merge')
  assert.deepEqual(await Promise.all(['guide', 'guide/setup', 'manual'].map((path) => at(space, path))), [
    'Guide',
    'Setup',
    'Guide',
  ])
  assert.equal(await at(space, 'draft'), 404, 'that was never a path of the primary content')
})

test('merges and updates combine old paths of both sides', async () => {
  const space = await liveSpace(FILES)
  const base = await propose(space)
  const own = await propose(space)
  await change(base, update(await idAt(space, 'guide'), { slug: 'manual' }))
  await change(space, update(await idAt(space, 'guide/setup'), { slug: 'start' }))
  await change(space, update(await idAt(space, 'guide/setup'), { slug: 'begin' }))
  assert.equal((await ada(`POST ${base}/merge`)).body.result, 'merge')
  for (const path of ['guide/setup', 'guide/start', 'guide/begin', 'manual/begin'])
    assert.equal(await at(space, path), 'Setup', path)

  await write(own, { 'more.md': '# More\n' })
  assert.equal(await at(own, 'guide/start'), 404)
  assert.equal((await ada(`POST ${own}/update`)).body.result, 'update')
  for (const path of ['guide/setup', 'guide/start', 'manual/begin', 'manual/setup'])
    assert.equal(await at(own, path), 'Setup', path)
  assert.equal(await at(own, 'more'), 'More')
})

test('renames alone merge without a conflict, and both names still work', async () => {
  const space = await liveSpace(FILES)
  const [one, two] = [await propose(space), await propose(space)]
  await change(one, update(await idAt(space, 'guide'), { slug: 'one' }))
  await change(two, update(await idAt(space, 'guide/setup'), { slug: 'two' }))
  assert.equal((await ada(`POST ${one}/merge`)).body.result, 'merge')
  assert.equal((await ada(`POST ${two}/merge`)).body.result, 'merge')
  for (const path of ['guide/setup', 'one/setup', 'one/two'])
    assert.equal(await at(space, path), 'Setup', path)
})

test('restored content is found by the paths of the replaced content and by earlier paths', async () => {
  const space = await liveSpace(FILES)
  await change(space, update(await idAt(space, 'guide'), { slug: 'first' }))
  const earlier = await revisionOf(space)
  await change(space, update(await idAt(space, 'guide'), { slug: 'second' }))
  const restored = await ada(`POST ${space}/revisions/${earlier}/restore`, {})
  assert.equal(restored.status, 201, restored.text)
  for (const path of ['guide', 'first', 'second/setup']) assert.notEqual(await at(space, path), 404, path)
  assert.equal((await ada(`GET ${space}/content/path/second`)).body.path, 'first')
})

test('importing again updates the page at its current place', async () => {
  const space = await liveSpace(FILES)
  await change(space, update(await idAt(space, 'guide'), { slug: 'manual' }))
  await write(space, { ...FILES, 'guide.md': '# Guide\n\nMore\n' })
  assert.equal(await at(space, 'guide'), 'Guide')
  assert.equal((await ada(`GET ${space}/content/path/guide`)).body.path, 'manual')
})

test('links by file and by path still work after a move, also in a copy', async () => {
  const space = await liveSpace(FILES)
  const setup = await idAt(space, 'guide/setup')
  await change(space, update(setup, { slug: 'start' }))
  await change(space, update(setup, { into: null, slug: 'begin' }))
  const copy = (await ada(`POST ${space}/duplicate`)).body
  for (const base of [space, `/v1/spaces/${copy.id}`]) {
    const { document } = (await ada(`GET ${base}/content/path/readme`)).body
    const to = await idAt(base, 'begin')
    assert.equal(await idAt(base, 'guide/start'), to)
    const refs = [...JSON.stringify(document).matchAll(/"ref":(\{[^}]*\})/g)].map(([, ref]) =>
      JSON.parse(ref!),
    )
    assert.deepEqual(
      refs.map(({ kind, page, url }) => ({ kind, to: page ?? url })),
      [
        { kind: 'page', to },
        { kind: 'page', to },
        { kind: 'url', to: '/pages/guide/none' },
      ],
    )
  }
})

test('links by an old path are not broken, and are listed as links to the page', async () => {
  const space = await liveSpace(FILES)
  const [home, setup] = [await idAt(space, 'readme'), await idAt(space, 'guide/setup')]
  const broken = async () => (await ada(`GET ${space}/content/page/${home}/links`)).body.stats.broken.total
  assert.equal(await broken(), 1)
  await change(space, update(setup, { slug: 'start' }))
  await change(space, update(home, { document: { markdown: '# Home\n\n[start](/pages/guide/start)\n' } }))
  await change(space, update(setup, { slug: 'begin' }))
  assert.equal(await broken(), 0)
  const { items } = (await ada(`GET ${space}/content/page/${setup}/backlinks`)).body
  assert.deepEqual(
    items.map(({ page }: { page: { id: string } }) => page.id),
    [home],
  )
})

test('configured redirects take precedence over old paths, and follow their page', async () => {
  const space = await liveSpace({
    ...FILES,
    '.gitbook.yaml': 'redirects:\n  guide: README.md\n  way: guide.md\n',
  })
  await change(space, update(await idAt(space, 'way'), { slug: 'manual' }))
  assert.equal(await at(space, 'guide'), 'Home')
  assert.equal(await at(space, 'WAY.md'), 'Guide')
  assert.equal(await at(space, 'guide/setup'), 'Setup')
})

test('moving a page with hundreds of descendants writes a few tree nodes, not one for each', async () => {
  const draft = await draftOn(world)
  const [top] = await draft.made(insert('# Top'))
  for (let i = 0; i < 4; i++)
    await draft.made(...Array.from({ length: 50 }, (_, k) => insert(`# P ${i * 50 + k}`, { into: top })))
  const nodes = async () =>
    Number(
      (
        await world.db.read
          .selectFrom('node')
          .select((eb) => eb.fn.countAll().as('count'))
          .where('spaceId', '=', draft.spaceId)
          .executeTakeFirstOrThrow()
      ).count,
    )
  const before = await nodes()
  await draft.send(update(top!, { slug: 'other' }))
  const written = (await nodes()) - before
  assert(written <= 4, `${written} nodes`)
  const base = `/v1/spaces/${draft.spaceId}/change-requests/${draft.changeRequest.id}`
  assert.equal(await at(base, 'top/p-177'), 'P 177')
})
