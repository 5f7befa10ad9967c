/** The index of search follows the content, at a cost in proportion to the change. */
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'node:test'
import { beginIndexing, indexSearch } from '../../src/jobs/index-search.ts'
import { jobLoop } from '../../src/jobs/queue.ts'
import { workers } from '../../src/jobs/workers.ts'
import { archiveOf, importArchive, spaceWith } from '../importing.ts'
import { run, runHere } from '../process.ts'
import { proposalsIn } from '../proposing.ts'
import { createWorld } from '../world.ts'
import { indexed } from './indexing.ts'

const world = await createWorld()
const { ada, db, app, clock } = world
const now = () => clock.now ?? new Date()
const fail = (fact: object) => assert.fail(JSON.stringify(fact))
const jobs = () => jobLoop(db, workers(app.services), now, { warn: fail, error: fail })

const pages = (count: number, word: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}.md`, `# Page ${i}\n\n${word} ${i}.\n`]))

async function foundIn(spaceId: string, query: string): Promise<number> {
  const { body } = await ada(`GET /v1/spaces/${spaceId}/search?query=${query}`)
  return body.count
}

const entries = async (spaceId: string) =>
  db.read
    .selectFrom('searchEntry')
    .innerJoin('searchIndex', 'searchIndex.number', 'searchEntry.number')
    .select(['searchEntry.id', 'searchEntry.pageId'])
    .where('searchIndex.spaceId', '=', spaceId)
    .orderBy('searchEntry.id')
    .execute()

test('a merge of 200 pages is found by the jobs of a server', async () => {
  const { liveSpace, propose } = proposalsIn(world)
  const base = await liveSpace(pages(3, 'before'))
  const draft = await propose(base, pages(200, 'merged'))
  const loop = jobs()
  loop.start()
  assert.equal((await ada(`POST ${draft}/merge`)).status, 200)
  const since = performance.now()
  const spaceId = base.split('/').at(-1)!
  while ((await foundIn(spaceId, 'merged')) < 200) {
    assert(performance.now() - since < 30_000, 'the pages are not found')
    await wait(50)
  }
  await loop.stop()
  assert.equal(await foundIn(spaceId, 'before'), 0)
})

/** Runs the jobs with turns as short as possible, by a clock that moves each time it is read. @returns the spaces in the order in which they were indexed */
async function indexedInTurns(): Promise<string[]> {
  const done: string[] = []
  let time = 0
  const work = indexSearch({ db }, 0, () => time++)
  const waiting = async () =>
    (await db.read.selectFrom('searchTask').select('spaceId').execute()).map(({ spaceId }) => spaceId)
  const turn = async (payload: never) => {
    const before = await waiting()
    const later = await work(payload, {} as never)
    const after = new Set(await waiting())
    done.push(...before.filter((id) => !after.has(id)))
    return later
  }
  const log = { warn: fail, error: fail }
  await jobLoop(db, { ...workers(app.services), 'index-search': turn }, now, log).runDue()
  return done
}

test('a large space lets another one of its organization have its turn, and goes on after it', async () => {
  const { liveSpace } = proposalsIn(world)
  const paths = [await liveSpace(pages(600, 'ocelot')), await liveSpace(pages(2, 'tapir'))]
  const [large, small] = paths.map((path) => path.split('/').at(-1)!) as [string, string]
  assert.deepEqual(await indexedInTurns(), [small, large])
  assert.equal(await foundIn(large, 'ocelot'), 600)
})

test('an organization with many spaces lets another one have its turn after each', async () => {
  const { liveSpace } = proposalsIn(world)
  const many: string[] = []
  for (let i = 0; i < 5; i++) many.push((await liveSpace(pages(60, 'serval'))).split('/').at(-1)!)
  const grace = await world.stranger('grace')
  const made = await grace(`POST /v1/orgs/${grace.organizationId}/spaces`, { editMode: 'live' })
  const changes = [{ operation: 'insert_page', document: { markdown: '# Quagga\n' } }]
  const written = await grace(`POST /v1/spaces/${made.body.id}/content`, { changes })
  assert(written.status < 300, written.text)
  const done = await indexedInTurns()
  assert.deepEqual(done.toSorted(), [...many, made.body.id].toSorted())
  assert(done.indexOf(made.body.id) <= 1, done.join())
})

test('a space that cannot be indexed does not keep the others of its organization from being found', async () => {
  const { liveSpace } = proposalsIn(world)
  const paths = [await liveSpace(pages(2, 'margay')), await liveSpace(pages(2, 'margay'))]
  const [broken, other] = paths.map((path) => path.split('/').at(-1)!) as [string, string]
  const { pages: root } = await db.read
    .selectFrom('revision')
    .innerJoin('space', 'space.revisionId', 'revision.id')
    .select('revision.pages')
    .where('space.id', '=', broken)
    .executeTakeFirstOrThrow()
  const setRoot = (value: string | null) =>
    db.write((tx) => tx.updateTable('revision').set({ pages: value }).where('spaceId', '=', broken).execute())
  await setRoot('unknown')
  const failures: object[] = []
  const log = { warn: (fact: object) => void failures.push(fact), error: fail }
  await jobLoop(db, workers(app.services), now, log).runDue()
  assert.equal(failures.length, 1)
  assert.equal(await foundIn(other, 'margay'), 2)
  await setRoot(root)
  clock.now = new Date(Date.now() + 3_600_000)
  await jobs().runDue()
  clock.now = undefined
  assert.equal(await foundIn(broken, 'margay'), 2)
})

test('spaces that cannot be indexed fail their job, however short its turns are', async () => {
  const { liveSpace } = proposalsIn(world)
  const paths = [await liveSpace(pages(2, 'fossa')), await liveSpace(pages(2, 'fossa'))]
  const broken = paths.map((path) => path.split('/').at(-1)!)
  const revisions = await db.read
    .selectFrom('revision')
    .select(['id', 'pages'])
    .where('spaceId', 'in', broken)
    .execute()
  const setRoots = (rootOf: (pages: string | null) => string | null) =>
    db.write(async (tx) => {
      for (const { id, pages: root } of revisions)
        await tx
          .updateTable('revision')
          .set({ pages: rootOf(root) })
          .where('id', '=', id)
          .execute()
    })
  await setRoots(() => 'unknown')
  let time = 0
  const work = indexSearch({ db }, 0, () => time++)
  for (let turn = 0; turn < 4; turn++)
    await assert.rejects(work({ organizationId: world.organizationId } as never, {} as never), `turn ${turn}`)
  await setRoots((root) => root)
  await indexed(world)
  for (const spaceId of broken) assert.equal(await foundIn(spaceId, 'fossa'), 2)
})

test('a change of variables or redirects alone, before a page is indexed, does not make the job run on', async () => {
  const { liveSpace } = proposalsIn(world)
  const path = await liveSpace(pages(2, 'civet'))
  const spaceId = path.split('/').at(-1)!
  for (const change of [
    { operation: 'insert_page', document: { markdown: '# Genet\n\ngenet\n' } },
    { operation: 'update_variables', variables: { level: 'one' } },
    { operation: 'update_redirects', redirects: { old: { kind: 'url', url: 'https://example.com/new' } } },
  ]) {
    const written = await ada(`POST ${path}/content`, { changes: [change] })
    assert(written.status < 300, written.text)
  }
  await indexed(world)
  assert.deepEqual(
    await db.read.selectFrom('searchTask').selectAll().where('spaceId', '=', spaceId).execute(),
    [],
  )
  assert.equal(await foundIn(spaceId, 'genet'), 1)
})

test('a space that is transferred before it is indexed is found in its new organization', async () => {
  const { liveSpace } = proposalsIn(world)
  const { body: other } = await ada(`POST /v1/orgs`, { title: 'Other' })
  const spaceId = (await liveSpace(pages(2, 'caracal'))).split('/').at(-1)!
  const moved = await ada(`POST /v1/spaces/${spaceId}/transfer`, { organization: other.id })
  assert.equal(moved.status, 200, moved.text)
  await jobs().runDue()
  assert.equal(await foundIn(spaceId, 'caracal'), 2)
})

test('an edit writes the entry of its page alone, a move none, and several changes one job', async () => {
  const spaceId = (await proposalsIn(world).liveSpace(pages(60, 'walrus'))).split('/').at(-1)!
  await indexed(world)
  const before = await entries(spaceId)
  assert.equal(before.length, 60)
  assert.equal(
    (await importArchive(world, spaceId, archiveOf({ 'p7.md': '# Page 7\n\nNow an okapi.\n' }))).status,
    201,
  )
  await importArchive(world, spaceId, archiveOf({ 'p8.md': '# Page 8\n\nNow an okapi.\n' }))
  const waiting = await db.read.selectFrom('job').select('id').where('kind', '=', 'index-search').execute()
  const tasks = await db.read
    .selectFrom('searchTask')
    .select('spaceId')
    .where('spaceId', '=', spaceId)
    .execute()
  assert.equal(tasks.length, 1)
  assert(waiting.length >= 1)
  await jobs().runDue()
  const after = await entries(spaceId)
  const known = new Set(before.map(({ id }) => id))
  assert.equal(after.length, 60)
  assert.equal(after.filter(({ id }) => !known.has(id)).length, 2)
  assert.equal(await foundIn(spaceId, 'okapi'), 2)
  assert.equal(await foundIn(spaceId, 'walrus'), 58)
  assert.deepEqual(await db.read.selectFrom('searchTask').selectAll().execute(), [])
})

test('content without an index is indexed after the start of a server', async () => {
  const { spaceId } = await spaceWith(world, archiveOf(pages(3, 'tapir')))
  await db.write(async (tx) => {
    for (const table of ['searchIndex', 'searchEntry', 'searchWord', 'searchTask'] as const)
      await tx.deleteFrom(table).execute()
    await tx.deleteFrom('job').where('kind', '=', 'index-search').execute()
  })
  assert.equal(await foundIn(spaceId, 'tapir'), 0)
  await beginIndexing(app.services)
  await jobs().runDue()
  assert.equal(await foundIn(spaceId, 'tapir'), 3)
  // Once everything is indexed, the next start has nothing to do.
  await beginIndexing(app.services)
  assert.deepEqual(
    await db.read.selectFrom('job').select('id').where('kind', '=', 'index-search').execute(),
    [],
  )
})

test('the command line makes indexes again while the server answers', async () => {
  const { spaceId } = await spaceWith(world, archiveOf(pages(3, 'numbat')), 'Numbats')
  await indexed(world)
  const [before] = await entries(spaceId)
  const env = {
    LECTERN_DATA: world.config.data,
    ...(world.config.databaseUrl ? { DATABASE_URL: world.config.databaseUrl } : {}),
  }
  const command = run(['reindex', spaceId], env)
  const state = { isRunning: true }
  void command.finally(() => {
    state.isRunning = false
  })
  while (state.isRunning) {
    assert.equal(await foundIn(spaceId, 'numbat'), 3)
    await wait(20)
  }
  const { code, out, err } = await command
  assert.equal(code, 0, err)
  assert.match(out, /3 pages of "Numbats" are indexed/)
  const [after] = await entries(spaceId)
  assert(after!.id > before!.id)
  assert.equal(await foundIn(spaceId, 'numbat'), 3)
  const unknown = await runHere(['reindex', 'nothing'], env)
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /There is no space "nothing"/)
})

test('nothing is left of a space that is purged', async () => {
  const { spaceId } = await spaceWith(world, archiveOf(pages(3, 'gharial')))
  await jobs().runDue()
  const [index] = await db.read.selectFrom('searchIndex').selectAll().where('spaceId', '=', spaceId).execute()
  assert.equal((await ada(`DELETE /v1/spaces/${spaceId}`)).status, 205)
  clock.now = new Date(Date.now() + 9 * 24 * 3_600_000)
  await jobs().runDue()
  clock.now = undefined
  const { number } = index!
  for (const table of ['searchEntry', 'searchWord'] as const)
    assert.deepEqual(await db.read.selectFrom(table).selectAll().where('number', '=', number).execute(), [])
  assert.deepEqual(await entries(spaceId), [])
})
