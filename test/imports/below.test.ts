/** Imports below a page, of a space and of a change request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { docxParts } from '../core/sources/docx-fixture.ts'
import { archiveOf, spaceWith, upload } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world

type Listed = {
  id: string
  title: string
  path: string
  type: string
  git?: { path: string }
  pages?: Listed[]
}

const START = {
  'SUMMARY.md':
    '* [Home](README.md)\n* [Setup](guides/setup.md)\n* [Other](guides/setup/other.md)\n* [Away](https://example.com)\n\n## Group\n\n* [Last](last.md)\n',
  'README.md': '# Home\n',
  'guides/setup.md': '# Setup\n\nKept\n',
  'guides/setup/other.md': '# Other\n',
  'last.md': '# Last\n',
}
const MORE = {
  'README.md':
    '# More\n\n[Deep](/deep/a.md#x) [deep](deep/a.md) `[x](/deep/a.md)`\n\n![](pixel.png)\n\n{% include ".gitbook/includes/part.md" %}\n',
  'deep/a.md': '# Deep\n\n## X\n\n[Up](/README.md)\n',
  'pixel.png': 'png',
  '.gitbook/includes/part.md': 'Shared\n',
  '.gitbook/vars.yaml': 'name: theirs\nmore: new\n',
  '.gitbook.yaml': 'redirects:\n  old: deep/a.md\n',
}

async function open(files: Record<string, string> = START) {
  const { spaceId } = await spaceWith(world, archiveOf(files), 'Below')
  await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live' })
  return { spaceId, base: `/v1/spaces/${spaceId}/content` }
}

const pagesAt = async (base: string): Promise<Listed[]> => (await ada(`GET ${base}/pages`)).body.pages

const titled = (pages: readonly Listed[]): unknown[] =>
  pages.flatMap(({ title, pages: below = [] }) => (below.length > 0 ? [title, titled(below)] : [title]))

function pageOf(pages: readonly Listed[], title: string): Listed {
  const all = (level: readonly Listed[]): Listed[] =>
    level.flatMap((page) => [page, ...all(page.pages ?? [])])
  const found = all(pages).find((page) => page.title === title)
  assert(found, title)
  return found
}

async function importBelow(base: string, page: string, files: Record<string, string> = MORE) {
  const url = await upload(ada, organizationId, archiveOf(files))
  return ada(`POST ${base}/page/${page}/import`, { url, source: 'zip' })
}

test('the pages stand below the page, which stays, and a second import updates them', async () => {
  const { spaceId, base } = await open()
  const { id } = pageOf(await pagesAt(base), 'Setup')
  const first = await importBelow(base, id)
  assert.equal(first.status, 201, first.text)
  assert.equal(
    first.headers.get('location'),
    `${world.url}/v1/spaces/${spaceId}/revisions/${first.body.revision}`,
  )
  const pages = await pagesAt(base)
  const titles = ['Home', 'Setup', ['More', 'Deep', ['Deep']], 'Other', 'Away', 'Group', ['Last']]
  assert.deepEqual(titled(pages), titles)
  const more = pageOf(pages, 'More')
  assert.equal(more.path, 'setup/readme')
  // The folder of the page has the pages of others, so the next is used.
  assert.equal(more.git?.path, 'guides/setup-1/README.md')

  const { body: read } = await ada(`GET ${base}/page/${more.id}?format=markdown`)
  assert.equal(
    read.markdown,
    '# More\n\n[Deep](deep/a.md#x) [deep](deep/a.md) `[x](/deep/a.md)`\n\n![](pixel.png)\n\n{% include ".gitbook/includes/part.md" %}\n',
  )
  const { body: links } = await ada(`GET /v1/spaces/${spaceId}/links?status=broken`)
  assert.deepEqual(links.items, [])
  assert.equal((await ada(`GET ${base}/page/${id}?format=markdown`)).body.markdown, '# Setup\n\nKept\n')

  const again = await importBelow(base, id, { ...MORE, 'README.md': '# More\n\nNew\n' })
  assert.equal(again.status, 201, again.text)
  const after = await pagesAt(base)
  assert.deepEqual(titled(after), titles)
  assert.equal(pageOf(after, 'More').id, more.id)
  assert.equal((await ada(`GET ${base}/page/${more.id}?format=markdown`)).body.markdown, '# More\n\nNew\n')
})

test('variables of the space stay, new ones are added, and redirects are not imported', async () => {
  const { spaceId, base } = await open({ ...START, '.gitbook/vars.yaml': 'name: ours\n' })
  await importBelow(base, pageOf(await pagesAt(base), 'Home').id)
  const { variables, redirects } = await world.app.services.db.read
    .selectFrom('revision')
    .innerJoin('space', 'space.revisionId', 'revision.id')
    .select(['variables', 'redirects'])
    .where('space.id', '=', spaceId)
    .executeTakeFirstOrThrow()
  assert.deepEqual(JSON.parse(variables), { name: 'ours', more: 'new' })
  assert.deepEqual(JSON.parse(redirects), {})
})

test('every source can be imported below a page or a group, also in a change request', async () => {
  const { spaceId, base } = await open()
  const group = pageOf(await pagesAt(base), 'Group').id
  const url = await upload(ada, organizationId, archiveOf(docxParts()), 'Handbook.docx')
  const { body: change } = await ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'More' })
  const inChange = `/v1/spaces/${spaceId}/change-requests/${change.id}/content`
  await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'locked' })
  const refused = await ada(`POST ${base}/page/${group}/import`, { url, source: 'docx' })
  assert.equal(refused.status, 409, refused.text)

  const imported = await ada(`POST ${inChange}/page/${group}/import`, { url, source: 'docx' })
  assert.equal(imported.status, 201, imported.text)
  const before = ['Home', 'Setup', 'Other', 'Away', 'Group']
  assert.deepEqual(titled(await pagesAt(inChange)), [...before, ['Last', 'The handbook', 'Install', 'Use']])
  assert.deepEqual(titled(await pagesAt(base)), [...before, ['Last']])
})

test('refuses a page that does not exist, one without pages below it, and pages that would be too deep', async () => {
  const { spaceId, base } = await open()
  const send = (page: string, source = 'zip') =>
    ada(`POST ${base}/page/${page}/import`, { url: 'https://nowhere.invalid/a.zip', source })
  assert.equal((await send('nothing')).status, 404)
  const other = await open()
  const foreign = pageOf(await pagesAt(other.base), 'Home').id
  assert.equal((await send(foreign)).status, 404)
  const link = await send(pageOf(await pagesAt(base), 'Away').id)
  assert.equal(link.status, 400)
  assert.match(link.body.error.message, /of the type "link"/)

  const { revision } = (await ada(`GET /v1/spaces/${spaceId}`)).body
  const folders = Array.from({ length: 31 }, (_, at) => `f${at}`)
  const deep = [
    ['README.md', '# Top\n'],
    ...folders.map((_, at) => [`${folders.slice(0, at + 1).join('/')}/README.md`, `# ${at}\n`]),
  ]
  const tooDeep = await importBelow(base, pageOf(await pagesAt(base), 'Last').id, Object.fromEntries(deep))
  assert.equal(tooDeep.status, 400, tooDeep.text)
  assert.equal((await ada(`GET /v1/spaces/${spaceId}`)).body.revision, revision)
})
