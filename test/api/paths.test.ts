/** A repository path belongs to one page or file, so a link keeps its target when a page is restored beside it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOn, insert } from '../batches.ts'
import { archiveOf, importArchive, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world
const DOCS = {
  'README.md': '# Home\n\n[link](setup.md)\n',
  'setup.md': '# Setup\n',
}

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

async function get(path: string): Promise<Json> {
  const { status, body, text } = await ada(`GET ${path}`)
  assert.equal(status, 200, text)
  return body
}

async function linkedPage(content: string): Promise<string | undefined> {
  const { items } = await get(`${content}/links`)
  return items.find(({ targetReference: target }: Json) => target?.kind === 'page')?.targetReference.page.id
}

/** A change request in which another page has the position and the path of a deleted page. */
async function replacedPage() {
  const { spaceId } = await spaceWith(world, archiveOf(DOCS))
  const draft = await draftOn(world, spaceId)
  const { pages } = await get(`/v1/spaces/${spaceId}/content/pages`)
  const setup = pages.find(({ title }: Json) => title === 'Setup').id as string
  await draft.send({ operation: 'delete_page', page: setup })
  const [other] = await draft.made(insert('# Setup\n\nAnother page.\n'))
  const content = `/v1/spaces/${spaceId}/change-requests/${draft.changeRequest.id}`
  assert.equal(await linkedPage(content), other)
  return { spaceId, draft, setup, other, content }
}

test('a deleted page is restored beside the page that has its path now, and links keep their target', async () => {
  const { draft, setup, other, content } = await replacedPage()
  const reverted = await draft.send({ operation: 'revert_page', page: setup })
  assert.equal(reverted.status, 200, reverted.text)
  assert.deepEqual(await draft.tree(), ['Home', 'Setup', 'Setup'])
  assert.equal(await linkedPage(content), other)
  const paths = [(await draft.page(setup)).git?.path, (await draft.page(other!)).git?.path]
  assert.deepEqual(paths, ['setup-1.md', 'setup.md'])
})

test('a page that a resolution restores leaves its path to the page that has it now', async () => {
  const { spaceId, content, setup, other } = await replacedPage()
  await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live' })
  const edit = { operation: 'update_page', page: setup, document: { markdown: '# Setup\n\nEdited.\n' } }
  const edited = await ada(`POST /v1/spaces/${spaceId}/content?compat=false`, { changes: [edit] })
  assert.equal(edited.status, 200, edited.text)
  assert.equal((await ada(`POST ${content}/update`)).body.result, 'conflicts')
  const { items } = await get(`${content}/conflicts`)
  assert.deepEqual(
    items.map(({ kind }: Json) => kind),
    ['existence'],
  )
  const resolved = await ada(`POST ${content}/conflicts/${items[0].id}/resolve`, { side: 'primary' })
  assert.equal(resolved.status, 200, resolved.text)
  assert.equal(await linkedPage(content), other)
  const { pages } = await get(`${content}/content/pages`)
  const paths = pages.map(({ git }: Json) => git?.path).toSorted()
  assert.deepEqual(paths, ['README.md', 'setup-1.md', 'setup.md'])
})

test('if a repository turns a file into a page, the file gets another path', async () => {
  const assets = { '.gitbook/assets/notes.md': '# Notes\n' }
  const { spaceId } = await spaceWith(world, archiveOf({ ...DOCS, ...assets }))
  const before = await get(`/v1/spaces/${spaceId}/content/files`)
  assert.deepEqual(
    before.items.map(({ name }: Json) => name),
    ['notes.md'],
  )
  await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live' })
  const summary = '# Summary\n\n* [Home](README.md)\n* [Notes](.gitbook/assets/notes.md)\n'
  for (const round of ['first', 'second']) {
    const again = await importArchive(
      world,
      spaceId,
      archiveOf({ ...DOCS, ...assets, 'README.md': `# Home\n\n${round}\n`, 'SUMMARY.md': summary }),
    )
    assert.equal(again.status, 201, again.text)
    const { pages } = await get(`/v1/spaces/${spaceId}/content/pages`)
    const paths = pages.map(({ git }: Json) => git?.path)
    assert.deepEqual(paths, ['README.md', 'setup.md', '.gitbook/assets/notes.md'], round)
  }
})
