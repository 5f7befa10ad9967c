/** Page trees that are read level by level, and where reusable contents are used. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world

const { spaceId } = await spaceWith(
  world,
  archiveOf({
    'SUMMARY.md':
      '* [Welcome](README.md)\n\n## Guides\n\n* [Install](guides/install.md)\n  * [On Linux](guides/linux.md)\n* [Home page](https://example.com)\n',
    'README.md': '# Welcome\n\n{% include ".gitbook/includes/help.md" %}\n',
    'guides/install.md': '# Install\n',
    'guides/linux.md': '---\nhidden: true\n---\n\n# On Linux\n',
    '.gitbook/includes/help.md': '---\ntitle: Help\n---\n\nAsk us.\n',
  }),
)
const base = `/v1/spaces/${spaceId}/content`

interface Entry {
  id: string
  title: string
  path?: string
  parent: string | null
  children: number
}

const outline = async (query = ''): Promise<Entry[]> => {
  const { status, body, text } = await ada(`GET ${base}/outline${query}`)
  assert.equal(status, 200, text)
  return body.items
}
const titles = (list: readonly Entry[]) => list.map(({ title }) => title)

test('each level is listed by itself, with the number of pages below each page', async () => {
  const top = await outline()
  assert.deepEqual(
    top.map(({ title, children, parent }) => [title, children, parent]),
    [
      ['Welcome', 0, null],
      ['Guides', 2, null],
    ],
  )
  const below = await outline(`?parent=${top[1]!.id}`)
  assert.deepEqual(titles(below), ['Install', 'Home page'])
  assert.equal(below[0]!.parent, top[1]!.id)
  assert.deepEqual(titles(await outline(`?parent=${below[0]!.id}`)), ['On Linux'])
  assert.equal((await ada(`GET ${base}/outline?parent=none`)).status, 404)
})

test('several levels are listed by one request', async () => {
  const [welcome, guides] = await outline()
  const [install] = await outline(`?parent=${guides!.id}`)
  const parents = [install!.id, 'gone', welcome!.id, guides!.id, install!.id].join(',')
  const below = await outline(`?parents=${parents}`)
  assert.deepEqual(
    below.map(({ title, parent }) => [title, parent]),
    [
      ['On Linux', install!.id],
      ['Install', guides!.id],
      ['Home page', guides!.id],
    ],
  )
  assert.deepEqual(await outline('?parents='), [])
  const { body } = await ada(`GET ${base}/outline?parents=${parents}&limit=2`)
  assert.deepEqual([titles(body.items), body.count], [['On Linux', 'Install'], 3])
  const next = await ada(`GET ${base}/outline?parents=${parents}&page=${encodeURIComponent(body.next.page)}`)
  assert.deepEqual([titles(next.body.items), next.body.next], [['Home page'], undefined])
})

test('a level is read in pages of results', async () => {
  const { body } = await ada(`GET ${base}/outline?limit=1`)
  assert.deepEqual([titles(body.items), body.count], [['Welcome'], 2])
  const next = await ada(`GET ${base}/outline?limit=1&page=${encodeURIComponent(body.next.page)}`)
  assert.deepEqual([titles(next.body.items), next.body.next], [['Guides'], undefined])
})

test('the way to a page, pages with a text, and pages by their ids', async () => {
  assert.deepEqual(titles(await outline('?path=guides/install/linux')), ['Guides', 'Install', 'On Linux'])
  assert.deepEqual(titles(await outline('?path=')), ['Welcome'])
  assert.equal((await ada(`GET ${base}/outline?path=gone`)).status, 404)
  const empty = await ada(`POST /v1/orgs/${world.organizationId}/spaces`, { title: 'Empty' })
  assert.deepEqual((await ada(`GET /v1/spaces/${empty.body.id}/content/outline?path=`)).body.items, [])
  assert.deepEqual(titles(await outline('?query=LINU')), ['On Linux'])
  assert.equal((await outline('?query=')).length, 5)
  const [welcome] = await outline()
  assert.deepEqual(titles(await outline(`?ids=${welcome!.id},gone,${welcome!.id}`)), ['Welcome'])
})

test('a page is read without its body and the pages below it', async () => {
  const { body } = await ada(
    `GET ${base}/path/${encodeURIComponent('guides/install')}?descendants=false&format=none`,
  )
  assert.deepEqual(
    [body.title, body.pages, body.document, body.markdown],
    ['Install', [], undefined, undefined],
  )
})

test('the reusable contents, and the pages that include one', async () => {
  const { body } = await ada(`GET ${base}/reusable-contents`)
  assert.deepEqual(titles(body.items), ['Help'])
  const [{ id }] = body.items
  const used = await ada(`GET ${base}/reusable-contents/${id}/backlinks`)
  assert.equal(used.status, 200, used.text)
  assert.deepEqual(
    used.body.items.map(({ page }: { page: Entry }) => page.title),
    ['Welcome'],
  )
  assert.equal((await ada(`GET ${base}/reusable-contents/none/backlinks`)).status, 404)
})
