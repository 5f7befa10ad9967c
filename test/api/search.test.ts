import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexAgain } from '../../src/model/search/space-index.ts'
import { clientOf, conforms } from '../client.ts'
import { archiveOf, importArchive, publish, spaceWith } from '../importing.ts'
import { proposalsIn } from '../proposing.ts'
import { indexed } from '../search/indexing.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId, nobody } = world
const { liveSpace } = proposalsIn(world)

const GUIDE = {
  'README.md': '# Welcome\n\nRead the guide.\n',
  'install.md':
    '---\ndescription: Getting the program onto a machine\n---\n\n# Installing\n\nFirst words.\n\n## On Linux\n\nUse the package manager with `--no-cache`.\n\n## On macOS\n\nDrag the icon.\n',
  'api.md':
    '# Client library\n\nCall `getSpaceById` and set `retry_max_times` to three in version 1.2.3.\n\n## Errors\n\nRead the logs. Errors are logged exactly once.\n',
  'logs.md': '# Logging\n\nLogs are rotated once. It is exactly what you want.\n',
  'zh.md': '# 数据库备份\n\n## 恢复数据\n\n使用 Lectern 恢复误删除的数据。\n',
  'ja.md': '# 検索エンジン\n\nドキュメントを検索します。\n',
  'ko.md': '# 검색\n\n문서를 찾습니다.\n',
  'secret.md': '---\nnoIndex: true\n---\n\n# Xylophone\n\nXylophone.\n',
  'quiet.md': '---\nhidden: true\n---\n\n# Hidden harpsichord\n\nHarpsichord.\n',
  'SUMMARY.md':
    '# Summary\n\n* [Welcome](README.md)\n* [Installing](install.md)\n* [Client library](api.md)\n* [Logging](logs.md)\n* [数据库备份](zh.md)\n* [検索エンジン](ja.md)\n* [검색](ko.md)\n* [Xylophone](secret.md)\n* [Hidden harpsichord](quiet.md)\n',
}

const guide = await spaceWith(world, archiveOf(GUIDE), 'Guide')
await indexed(world)

interface Found {
  id: string
  title: string
  path: string
  rank: number
  resultType: string
  sections: { id: string; title: string; path: string; body: string }[]
}

async function search(query: string, spaceId = guide.spaceId, by: Person = ada): Promise<Found[]> {
  const answer = await by(`GET /v1/spaces/${spaceId}/search?query=${encodeURIComponent(query)}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.count, answer.body.items.length)
  return answer.body.items
}

const titles = async (query: string, spaceId?: string, by?: Person) =>
  (await search(query, spaceId, by)).map(({ title }) => title)

test('a page is found by its title, headings, text and description, with its sections', async () => {
  const [page, ...others] = await search('linux')
  assert.deepEqual(others, [])
  assert.equal(page?.title, 'Installing')
  assert.deepEqual([page.rank, page.resultType], [1, 'section'])
  assert.deepEqual(
    (await search('exactly once')).map(({ rank, resultType }) => [rank, resultType]),
    [
      [1, 'section'],
      [2, 'page'],
    ],
  )
  assert.deepEqual(
    page.sections.map(({ id, title, path, body }) => [id, title, path, body]),
    [['on-linux', 'On Linux', 'install#on-linux', 'Use the package manager with --no-cache.']],
  )
  assert.deepEqual(await titles('machine'), ['Installing'])
  assert.deepEqual(await titles('package manager'), ['Installing'])
  // Titles weigh more than text, and an exact word more than its stem.
  assert.deepEqual((await titles('logging')).slice(0, 2), ['Logging', 'Client library'])
  assert.deepEqual(await titles('INSTALLATION'), ['Installing'])
})

test('a title weighs more than a heading and that more than text, and a word more than its forms and its beginning', async () => {
  const [WORD, FORM, LONGER] = ['port', 'ports', 'portable']
  const files = Object.entries({ word: WORD, form: FORM, longer: LONGER }).flatMap(([name, one]) => [
    [`title-${name}.md`, `# Of ${one} things\n\nHere it is.\n`],
    [`heading-${name}.md`, `# Page ${name}\n\n## Of ${one} things\n\nHere it is.\n`],
    [`text-${name}.md`, `# Text ${name}\n\nHere the ${one} things are.\n`],
  ])
  const { spaceId } = await spaceWith(world, archiveOf(Object.fromEntries(files)), 'Order')
  await indexed(world)
  const found = (await search(WORD, spaceId)).map(({ path }) => path)
  const names = ['word', 'form', 'longer']
  const places = ['title', 'heading', 'text']
  const inOrder = (paths: string[]) =>
    assert.deepEqual(
      found.filter((path) => paths.includes(path)),
      paths,
    )
  assert.equal(found.length, 9)
  for (const name of names) inOrder(places.map((place) => `${place}-${name}`))
  for (const place of places) inOrder(names.map((name) => `${place}-${name}`))
})

test('the last word is a prefix; small typing errors are forgiven', async () => {
  assert.deepEqual(await titles('pack'), ['Installing'])
  assert.deepEqual(await titles('pack '), [])
  assert.deepEqual(await titles('pakcage'), ['Installing'])
  assert.deepEqual(await titles('instaling'), ['Installing'])
  assert.deepEqual(await titles('zzzzzz'), [])
})

test('phrases are found as they are, and exclusions leave pages out', async () => {
  assert.deepEqual((await titles('exactly once')).toSorted(), ['Client library', 'Logging'])
  assert.deepEqual(await titles('"exactly once"'), ['Client library'])
  assert.deepEqual(await titles('logs -errors'), ['Logging'])
  assert.deepEqual(await titles('logs -"exactly once"'), ['Logging'])
  // A word that is left out is not its other forms.
  assert.deepEqual(await titles('logs -logging'), ['Client library'])
  assert.deepEqual((await titles('logs -rotate')).toSorted(), ['Client library', 'Logging'])
})

test('a page that has an excluded phrase is never found, however many pages may have it', async () => {
  const files = Array.from({ length: 540 }, (_, number) => {
    const text = number < 510 ? 'Alpha goes with beta.' : 'Alpha beta goes.'
    return [`p${String(number).padStart(3, '0')}.md`, `# ${number < 510 ? 'Apart' : 'Together'}\n\n${text}\n`]
  })
  const { spaceId } = await spaceWith(world, archiveOf(Object.fromEntries(files)), 'Many')
  await indexed(world)
  const path = `/v1/spaces/${spaceId}/search?limit=1000&query=${encodeURIComponent('alpha -"alpha beta"')}`
  const { body } = await ada(`GET ${path}`)
  assert.deepEqual([...new Set(body.items.map(({ title }: Found) => title))], ['Apart'])
  assert.equal(body.count, 500)
})

test('identifiers are found whole and by their parts', async () => {
  for (const query of [
    'getSpaceById',
    'getspacebyid',
    'space by id',
    'retry_max_times',
    'retry_max',
    'max times',
    '1.2.3',
  ])
    assert.deepEqual((await titles(query)).slice(0, 1), ['Client library'], query)
  assert.deepEqual(await titles('--no-cache'), ['Installing'])
})

test('a version is found however it is written, and no other is', async () => {
  const files = {
    'a.md': '# Tagged\n\nSince v1.2.3.\n',
    'b.md': '# Candidate\n\nIn 8.0.1-rc and later.\n',
    'c.md': '# Archive\n\nGet tool-4.5.6.tgz here.\n',
    'd.md': '# Other\n\nSince v12.3 and 80.1.\n',
  }
  const { spaceId } = await spaceWith(world, archiveOf(files), 'Versions')
  await indexed(world)
  for (const [query, title] of [
    ['1.2.3', 'Tagged'],
    ['v1.2.3', 'Tagged'],
    ['8.0.1', 'Candidate'],
    ['8.0.1-rc', 'Candidate'],
    ['4.5.6', 'Archive'],
    ['tool-4.5.6', 'Archive'],
    ['v12.3', 'Other'],
  ] as const)
    assert.deepEqual(await titles(query, spaceId), [title], query)
})

test('Chinese, Japanese and Korean are found by words and parts of words, also mixed with English', async () => {
  for (const query of ['数据库', '备份', '误删除', '恢复 数据', 'lectern 恢复', '删除数据'])
    assert.deepEqual((await titles(query)).slice(0, 1), ['数据库备份'], query)
  const [page] = await search('误删除')
  assert.equal(page?.sections[0]?.title, '恢复数据')
  assert.match(page?.sections[0]?.body ?? '', /误删除/)
  assert.deepEqual(await titles('検索'), ['検索エンジン'])
  assert.deepEqual(await titles('エンジン'), ['検索エンジン'])
  assert.deepEqual(await titles('ドキュメント'), ['検索エンジン'])
  assert.deepEqual(await titles('문서'), ['검색'])
})

test('pages with noIndex are not found; hidden ones are, in the space', async () => {
  assert.deepEqual(await titles('xylophone'), [])
  assert.deepEqual(await titles('harpsichord'), ['Hidden harpsichord'])
})

test('queries of signs, spaces and other oddities find nothing and break nothing', async () => {
  for (const query of ['"', '""', '-', '--', "' OR 1=1", '*', ':', '(', 'NEAR(a b)', '\u0000x', '"a" *', '%'])
    assert.equal(
      (await ada(`GET /v1/spaces/${guide.spaceId}/search?query=${encodeURIComponent(query)}`)).status,
      query.includes('\u0000') ? 400 : 200,
      query,
    )
  for (const query of ['', `?query=`, `?query=${'x'.repeat(513)}`])
    assert.equal((await ada(`GET /v1/spaces/${guide.spaceId}/search${query}`)).status, 400, query)
})

test('results come in pages, with the count of all', async () => {
  const at = `/v1/spaces/${guide.spaceId}/search?query=the&limit=1`
  const first = (await ada(`GET ${at}`)).body
  assert(first.count >= 3, String(first.count))
  const seen = new Set<string>()
  for (let body = first; ;) {
    for (const { id } of body.items) seen.add(id)
    if (!body.next) break
    body = (await ada(`GET ${at}&page=${body.next.page}`)).body
    assert.equal(body.count, first.count)
  }
  assert.equal(seen.size, first.count)
})

test('the index follows edits, moves, imports, deletions and restored revisions', async () => {
  const base = await liveSpace({ 'a.md': '# Alpha\n\nZebra one.\n', 'b.md': '# Beta\n\nYak two.\n' })
  const spaceId = base.split('/').at(-1)!
  await indexed(world)
  assert.deepEqual(await titles('zebra', spaceId), ['Alpha'])
  const before = (await ada(`GET ${base}/content`)).body.id as string
  const [found] = await search('zebra', spaceId)

  const edit = async (change: object) => {
    const answer = await ada(`POST ${base}/content`, { changes: [change] })
    assert.equal(answer.status, 200, answer.text)
    await indexed(world)
  }
  await edit({ operation: 'update_page', page: found!.id, document: { markdown: 'Walrus now.' } })
  assert.deepEqual(await titles('zebra', spaceId), [])
  assert.deepEqual(await titles('walrus', spaceId), ['Alpha'])
  await edit({ operation: 'update_page', page: found!.id, title: 'Gamma', slug: 'gamma' })
  assert.deepEqual(await titles('gamma', spaceId), ['Gamma'])
  assert.equal((await search('walrus', spaceId))[0]?.path, 'gamma')
  await importArchive(world, spaceId, archiveOf({ 'a.md': '# Alpha\n\nOkapi.\n', 'b.md': GUIDE['logs.md'] }))
  await indexed(world)
  assert.deepEqual(await titles('walrus', spaceId), [])
  assert.deepEqual(await titles('okapi', spaceId), ['Alpha'])
  assert.deepEqual(await titles('rotated', spaceId), ['Logging'])
  await edit({ operation: 'delete_page', page: found!.id })
  assert.deepEqual(await titles('okapi', spaceId), [])
  const restored = await ada(`POST ${base}/revisions/${before}/restore`)
  assert(restored.status < 300, restored.text)
  await indexed(world)
  assert.deepEqual(await titles('zebra', spaceId), ['Alpha'])
  assert.deepEqual(await titles('yak', spaceId), ['Beta'])

  // A new index replaces the other, while that is in use.
  await indexAgain(world.db, spaceId)
  assert.deepEqual(await titles('zebra', spaceId), ['Alpha'])
  const indexes = await world.db.read
    .selectFrom('searchIndex')
    .selectAll()
    .where('spaceId', '=', spaceId)
    .execute()
  assert.equal(indexes.length, 1)
})

test('a merge is found, and a change request is not', async () => {
  const base = await liveSpace({ 'a.md': '# Alpha\n\nZebra.\n' })
  const spaceId = base.split('/').at(-1)!
  const draft = await proposalsIn(world).propose(base, { 'a.md': '# Alpha\n\nQuokka.\n' })
  await indexed(world)
  assert.deepEqual(await titles('quokka', spaceId), [])
  const merged = await ada(`POST ${draft}/merge`)
  assert.equal(merged.status, 200, merged.text)
  await indexed(world)
  assert.deepEqual(await titles('quokka', spaceId), ['Alpha'])
})

interface FoundSpace {
  id: string
  title: string
  pages: Found[]
}

async function searchAll(query: string, by: Person = ada): Promise<FoundSpace[]> {
  const answer = await by(`GET /v1/orgs/${organizationId}/search?query=${encodeURIComponent(query)}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.items
}

test('an organization is searched by space: those that the caller can see, without deleted ones', async () => {
  const shared = await spaceWith(world, archiveOf({ 'p.md': '# Platypus\n\nA platypus guide.\n' }), 'Shared')
  const closed = await spaceWith(world, archiveOf({ 'p.md': '# Platypus\n\nThe private one.\n' }), 'Private')
  const closing = await ada(`PATCH /v1/spaces/${closed.spaceId}`, { defaultLevel: null })
  assert.equal(closing.status, 200, closing.text)
  await indexed(world)
  const reader = await world.person('reader', 'read')
  const found = await searchAll('platypus')
  assert.deepEqual(found.map(({ title }) => title).toSorted(), ['Private', 'Shared'])
  assert.deepEqual(
    (await searchAll('platypus', reader)).map(({ title, pages }) => [title, pages.map((one) => one.title)]),
    [['Shared', ['Platypus']]],
  )
  const [own] = (await reader(`GET /v1/spaces/${shared.spaceId}/search?query=platypus`)).body.items
  assert.equal(own.title, 'Platypus')
  assert.equal((await reader(`GET /v1/spaces/${closed.spaceId}/search?query=platypus`)).status, 404)
  assert.equal((await nobody(`GET /v1/orgs/${organizationId}/search?query=platypus`)).status, 401)

  assert.equal((await ada(`DELETE /v1/spaces/${shared.spaceId}`)).status, 205)
  assert.deepEqual(await searchAll('platypus', reader), [])
  assert.equal((await ada(`POST /v1/spaces/${shared.spaceId}/restore`)).status, 200)
  assert.equal((await searchAll('platypus', reader)).length, 1)
})

test('a site is searched by scope, without hidden pages', async () => {
  const other = await spaceWith(world, archiveOf({ 'p.md': '# Narwhal\n\nLinux for narwhals.\n' }), 'Other')
  const { siteId } = await publish(world, guide.spaceId, 'Guides')
  const at = `/v1/orgs/${organizationId}/sites/${siteId}`
  assert((await ada(`POST ${at}/site-spaces`, { spaceId: other.spaceId })).status < 300)
  await indexed(world)
  const { items } = (await ada(`GET ${at}/site-spaces`)).body
  const idOf = (spaceId: string) =>
    items.find((one: { space: { id: string } }) => one.space.id === spaceId).id
  const found = async (body: object, by: Person = ada) => {
    const answer = await by(`POST ${at}/search`, { query: 'linux', ...body })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.count, answer.body.items.length)
    return (answer.body.items as FoundSpace[]).map(({ title }) => title).toSorted()
  }
  assert.deepEqual(await found({ scope: { mode: 'all' } }), ['Guide', 'Other'])
  assert.deepEqual(await found({ mode: 'all' }), ['Guide', 'Other'])
  assert.deepEqual(await found({}), ['Guide'])
  assert.deepEqual(await found({ scope: { mode: 'default' } }), ['Guide'])
  assert.deepEqual(await found({ scope: { mode: 'default', currentSiteSpace: idOf(other.spaceId) } }), [
    'Other',
  ])
  assert.deepEqual(await found({ mode: 'current', siteSpaceId: idOf(other.spaceId) }), ['Other'])
  assert.deepEqual(await found({ scope: { mode: 'specific', siteSpaceIds: [idOf(other.spaceId)] } }), [
    'Other',
  ])
  assert.deepEqual(await found({ siteSpaceIds: [idOf(guide.spaceId)] }), ['Guide'])
  assert.deepEqual(await found({ query: 'harpsichord', mode: 'all' }), [])
  for (const body of [
    { scope: { mode: 'specific' } },
    { mode: 'current' },
    { mode: 'specific' },
    { scope: { mode: 'specific', siteSpaceIds: ['unknown'] } },
    { scope: { mode: 'default', currentSiteSpace: 'unknown' } },
    { scope: { mode: 'other' } },
  ])
    assert.equal(
      (await ada(`POST ${at}/search`, { query: 'linux', ...body })).status,
      400,
      JSON.stringify(body),
    )

  // A member who cannot read a space finds it as long as every visitor of the site does.
  await ada(`PATCH /v1/spaces/${other.spaceId}`, { defaultLevel: null })
  const reader = await world.person('site reader', 'read')
  assert.deepEqual(await found({ mode: 'all' }, reader), ['Guide', 'Other'])
  assert((await ada(`PATCH ${at}`, { visibility: 'share-link' })).status < 300)
  assert.deepEqual(await found({ mode: 'all' }, reader), ['Guide'])
})

test('the existing client searches spaces, organizations and sites', async () => {
  const client = clientOf(world)
  const space = await client.spaces.searchSpaceContent(guide.spaceId, { query: 'linux' })
  conforms('GET', '/spaces/{spaceId}/search', 200, space.data)
  const organization = await client.orgs.searchOrganizationContent(organizationId, { query: 'linux' })
  conforms('GET', '/orgs/{organizationId}/search', 200, organization.data)
  const { data } = await client.orgs.listSites(organizationId)
  const site = await client.orgs.searchSiteContent(organizationId, data.items[0]!.id, {
    query: 'linux',
    scope: { mode: 'all' },
  })
  conforms('POST', '/orgs/{organizationId}/sites/{siteId}/search', 200, site.data)
})
