/** A space leaves as a repository, and takes over the paths that it got there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheCounts } from '../../src/core/data/lru.ts'
import { createWorld } from '../world.ts'
import { archiveOf, importArchive, spaceWith } from '../importing.ts'
import { contentAt, synced } from './syncing.ts'
import { unzip } from './zip.ts'

const world = await createWorld()
const { ada, organizationId } = world
const at = (spaceId: string) => `/v1/spaces/${spaceId}`

async function emptySpace(editMode: 'live' | 'locked' = 'live') {
  const made = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Exported', editMode })
  return made.body.id as string
}

/** The files of the exported space, and its revision. */
async function exported(spaceId: string, query = '') {
  const { status, text, body } = await ada(`GET ${at(spaceId)}/content/export${query}`)
  assert.equal(status, 200, text)
  const response = await fetch(body.url as string)
  assert.equal(response.headers.get('content-type'), 'application/zip')
  const archive = new Uint8Array(await response.arrayBuffer())
  const files = Object.fromEntries(
    [...unzip(archive)].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]),
  )
  const { '.lectern/source.json': manifest, ...rest } = files
  return { archive, revision: body.revision as string, files: rest, manifest: manifest! }
}

async function add(spaceId: string, title: string, markdown: string): Promise<string> {
  const answer = await ada(`POST ${at(spaceId)}/content`, {
    changes: [{ operation: 'insert_page', title, document: { markdown } }],
  })
  assert.equal(answer.status, 200, answer.text)
  const { pages } = await contentAt(world, at(spaceId))
  return pages.find((page) => page.title === title)!.id
}

const FILES = {
  'SUMMARY.md':
    '# Summary\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Detail](guide/detail.md)\n',
  'README.md': '---\ndescription:   "Kept"\n---\n\n# Home\n\n![](a.png)\n',
  'guide/README.md': '# Guide\n\n[detail](detail.md)\n',
  'guide/detail.md': '# Detail\r\n\r\nText\r\n',
  'a.png': 'image',
}

test('an imported space leaves with the bytes of its pages and files, and comes back equal', async () => {
  const { spaceId } = await spaceWith(world, archiveOf(FILES))
  const { archive, files } = await exported(spaceId)
  assert.deepEqual(files, { ...FILES, 'SUMMARY.md': files['SUMMARY.md'] })
  const again = await spaceWith(world, archive)
  const [one, other] = [await contentAt(world, at(spaceId)), await contentAt(world, at(again.spaceId))]
  assert.deepEqual(other.texts, one.texts)
  assert.deepEqual(other.files, one.files)
  assert.deepEqual((await exported(again.spaceId)).files, files)
})

test('the archive of a revision is made once, and again after a change or a sync', async () => {
  const { spaceId } = await spaceWith(world, archiveOf(FILES))
  const hits = () => cacheCounts().get('archives')?.hits ?? 0
  const before = hits()
  const first = await exported(spaceId)
  assert.deepEqual((await exported(spaceId)).archive, first.archive)
  assert.equal(hits(), before + 1)
  const named = await exported(spaceId, '?summary=CONTENTS.md')
  assert.ok('CONTENTS.md' in named.files)

  await ada(`PATCH ${at(spaceId)}`, { editMode: 'live' })
  await add(spaceId, 'New', 'Text.\n')
  assert.ok('new.md' in (await exported(spaceId)).files)
  await synced(world, spaceId, { 'README.md': '# Home\n' })
  const { files, manifest } = await exported(spaceId)
  assert.deepEqual(Object.keys(files).toSorted(), ['README.md', 'SUMMARY.md'])
  assert.notEqual(manifest, first.manifest)
  assert.equal(hits(), before + 1)
})

test('after an export is recorded, the space has the paths, and the next sync and export change nothing', async () => {
  for (const editMode of ['live', 'locked'] as const) {
    const id = await emptySpace()
    const first = await add(id, 'First', 'One.\n')
    await add(id, 'Second', `[first](/pages/${first})\n`)
    if (editMode === 'locked') await ada(`PATCH ${at(id)}`, { editMode })
    const { revision, files, manifest } = await exported(id)
    assert.equal(files['second.md'], '[first](first.md)\n')
    const source = { ...files, '.lectern/source.json': manifest }
    assert.equal((await synced(world, id, source, { exported: revision })).result, 'recorded')
    const { texts, pages } = await contentAt(world, at(id))
    assert.deepEqual(Object.keys(texts).toSorted(), ['first.md', 'second.md'])
    assert.equal(pages.find((page) => page.title === 'First')?.id, first)
    assert.deepEqual((await exported(id)).files, files)
    assert.equal((await synced(world, id, files)).result, 'unchanged')
    await ada(`PATCH ${at(id)}`, { editMode: 'live' })
    const next = await synced(world, id, { ...files, 'first.md': 'One, edited.\n' })
    assert.deepEqual([next.result, next.updated, next.conflicts], ['updated', 1, 0])
  }
})

test('an edit between an export and its record stays', async () => {
  const id = await emptySpace()
  const page = await add(id, 'First', 'One.\n')
  const { revision, files, manifest } = await exported(id)
  const edited = await ada(`POST ${at(id)}/content`, {
    changes: [{ operation: 'update_page', page, document: { markdown: 'Two.\n' } }],
  })
  assert.equal(edited.status, 200, edited.text)
  await synced(world, id, { ...files, '.lectern/source.json': manifest }, { exported: revision })
  assert.equal((await contentAt(world, at(id))).texts['first.md'], 'Two.\n')
  assert.equal((await exported(id)).files['first.md'], 'Two.\n')
})

test('the layout of the repository decides where its table of contents is', async () => {
  const id = await emptySpace()
  await add(id, 'First', 'One.\n')
  const { files } = await exported(id, '?root=docs&summary=docs/toc.md')
  assert.deepEqual(Object.keys(files).toSorted(), ['.gitbook.yaml', 'docs/toc.md', 'first.md'])
  assert.equal((await ada(`GET ${at(id)}/content/export?root=../x`)).status, 400)
  const other = await importArchive(world, await emptySpace(), archiveOf(files))
  assert.equal(other.body.importedResources, 1, other.text)
})

test('an empty space is not exported', async () => {
  const id = await emptySpace()
  const answer = await ada(`GET ${at(id)}/content/export`)
  assert.deepEqual([answer.status, /no pages/.test(answer.text)], [409, true])
})
