import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentHash } from '../../src/core/content/hash.ts'
import {
  beginImport,
  endStoring,
  storeImported,
} from '../../src/model/content/documents/imported-document.ts'
import { toStoredDocument } from '../../src/model/content/documents/stored-document.ts'
import { runDueJobs } from '../due-jobs.ts'
import { archiveOf, importArchive } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, db, organizationId, clock } = world
const { services } = world.app

const sourceOf = (name: string) => `# ${name}\n`

/** Stores documents as an import does that never ends. @returns its id */
async function interrupted(spaceId: string, names: string[]): Promise<string> {
  const storing = { id: services.newId(), spaceId }
  await db.write(async (tx) => {
    await beginImport(tx, storing, { enqueue: services.enqueue, now: new Date() })
    const sources = names.map(sourceOf)
    await storeImported(
      tx,
      storing,
      sources.map((source) => toStoredDocument(documentHash(source), source)),
    )
  })
  return storing.id
}

async function stored(spaceId: string): Promise<string[]> {
  const rows = await db.read
    .selectFrom('document')
    .select('source')
    .where('spaceId', '=', spaceId)
    .where('source', 'like', '# %')
    .execute()
  return rows.map(({ source }) => source.slice(2).trim()).toSorted()
}

async function runAfterHours(hours: number): Promise<void> {
  clock.now = new Date(Date.now() + hours * 3_600_000)
  await runDueJobs(world)
  clock.now = undefined
}

const recorded = async () => [
  ...(await db.read.selectFrom('contentImport').selectAll().execute()),
  ...(await db.read.selectFrom('importedDocument').selectAll().execute()),
  ...(await db.read.selectFrom('job').selectAll().where('kind', '=', 'end-import').execute()),
]

test('the documents of an import that never ended are deleted, except those that a revision names', async () => {
  const { id } = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { editMode: 'live' })).body
  const importing = async (...names: string[]) => {
    const files = Object.fromEntries(names.map((name) => [`${name}.md`, sourceOf(name)]))
    const { status, text } = await importArchive(world, id, archiveOf(files))
    assert.equal(status, 201, text)
  }
  await importing('Before')
  const first = await interrupted(id, ['Before', 'Left', 'Written', 'Imported', 'Twice'])
  await interrupted(id, ['Twice', 'Imported'])
  await importing('Imported', 'Other')
  const changes = [{ operation: 'insert_page', document: { markdown: sourceOf('Written') } }]
  assert.equal((await ada(`POST /v1/spaces/${id}/content`, { changes })).status, 200)

  await runAfterHours(2)
  assert.deepEqual(await stored(id), ['Before', 'Imported', 'Left', 'Other', 'Twice', 'Written'])
  await runAfterHours(4)
  assert.deepEqual(await stored(id), ['Before', 'Imported', 'Other', 'Written'])
  assert.deepEqual(await recorded(), [])
  // An import that is slower than anything that can be expected is refused, and must not name what is gone.
  await assert.rejects(
    db.write((tx) => endStoring(tx, first)),
    /took too long/,
  )
})

test('a space that is deleted for good takes the records of its imports with it', async () => {
  const { id } = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { editMode: 'live' })).body
  await interrupted(id, ['Left'])
  assert.equal((await ada(`DELETE /v1/spaces/${id}`)).status, 205)
  await runAfterHours(24 * 60)
  assert.deepEqual(await recorded(), [])
})
