/** Sites with as many pages as a space may have: what a page of them costs, and how long they hold the event loop. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANONYMOUS, hiddenPages } from '../../src/access/visitors/visitors.ts'
import { LIMITS } from '../../src/core/content/limits.ts'
import { findOldPath, indexOldPlaces, oldPlacesAfter } from '../../src/core/content/old-places.ts'
import type { PageRecord } from '../../src/core/content/revision.ts'
import { indexTree } from '../../src/core/content/tree/tree.ts'
import { DEFAULT_CUSTOMIZATION } from '../../src/model/sites/customization/customization-settings.ts'
import type { Tools } from '../../src/sites/serve/tools.ts'
import type { SiteContent } from '../../src/model/sites/published/content/site-content.ts'
import { navigationOf } from '../../src/model/sites/published/content/navigation.ts'
import { treeOfPage } from '../../src/sites/serve/pages/page-tree.ts'
import { llmsText, siteMap } from '../../src/sites/serve/files/text-formats.ts'
import type { NavItem } from '../../src/sites/render/view.ts'
import { firstOf } from '../effort.ts'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

/** Trees by their shape: the place of the parent of each page in the list of pages. */
const SHAPES: Record<string, (index: number) => number | undefined> = {
  'all pages at the top level': () => undefined,
  'wide levels as deep as they can be': (index) => {
    const width = Math.ceil(LIMITS.pages / LIMITS.treeDepth)
    return index < width ? undefined : (Math.floor(index / width) - 1) * width
  },
  'all pages below one': (index) => (index === 0 ? undefined : 0),
  'chapters of ten pages': (index) => (index < 10 ? undefined : Math.floor(index / 10) - 1),
}

const AT = '2026-11-20T09:00:00.000Z'
const idOf = (index: number) => `page${String(index).padStart(6, '0')}`

function recordsOf(shape: (index: number) => number | undefined): Map<string, PageRecord> {
  return new Map(
    Array.from({ length: LIMITS.pages }, (_, index): [string, PageRecord] => {
      const [id, parent] = [idOf(index), shape(index)]
      const title = `Page ${index}`
      const place = { parent: parent === undefined ? null : idOf(parent), order: id }
      return [id, { id, ...place, type: 'document', title, slug: id, createdAt: AT, updatedAt: AT }]
    }),
  )
}

async function contentOf(name: string, records: ReadonlyMap<string, PageRecord>) {
  const tree = indexTree(records)
  const hidden = await hiddenPages(tree, ANONYMOUS, {})
  const shown = ({ id }: PageRecord) => !hidden.has(id)
  const navigation = await navigationOf(name, { tree, shown, leads: () => true })
  const open = { site: { title: 'Docs' }, base: '/docs/', visit: { visitor: ANONYMOUS } }
  const variant = { title: 'Docs', language: null }
  const customization = DEFAULT_CUSTOMIZATION
  const parts = {
    open,
    variant,
    customization,
    base: '/docs/',
    tree,
    navigation,
    root: navigation.root,
    shown,
    mcpServers: [],
  }
  return parts as unknown as SiteContent
}

const count = (items: readonly NavItem[]): number =>
  items.reduce((sum, { children }) => sum + 1 + count(children ?? []), 0)

const tools = { urls: { site: () => 'https://docs.example.com/docs/' } } as unknown as Tools

for (const [name, shape] of firstOf(Object.entries(SHAPES), 2)) {
  test(`a page of a tree has a bounded number of entries: ${name}`, async () => {
    const records = recordsOf(shape)
    const content = await contentOf(name, records)
    for (const index of [0, 99, 100, LIMITS.pages / 2, LIMITS.pages - 1])
      assert(count(treeOfPage(content, records.get(idOf(index)))) <= 102 * LIMITS.treeDepth, String(index))
    assert(count(treeOfPage(content, records.get(idOf(0)))) <= 210)
  })

  test(`the navigation, the site map and the index of a tree take turns: ${name}`, async () => {
    const records = recordsOf(shape)
    const { ms, value } = await longestHold(async () => {
      const content = await contentOf(`${name}, again`, records)
      return [await siteMap(tools, [content]), await llmsText(tools, [content])]
    })
    for (const text of value) assert(text.includes(idOf(LIMITS.pages - 1)))
    assert(ms < LONGEST_HOLD_MS, `${ms} ms`)
  })
}

for (const [name, parent] of Object.entries({
  'many places': (index: number) => index % 100,
  'one place': () => 0,
})) {
  test(`the old places of as many pages take turns: ${name}`, async () => {
    const known = new Map(
      Array.from({ length: LIMITS.oldPlaces }, (_, index) => {
        const [page, last] = [idOf(index), idOf(LIMITS.oldPlaces - index)]
        const slug = name === 'one place' ? 'slug' : `slug-${index}`
        return [`${idOf(parent(index))}/${slug}/${page}/${last}`, page]
      }),
    )
    const { ms } = await longestHold(() => indexOldPlaces(known))
    assert(ms < LONGEST_HOLD_MS, `${ms} ms`)
    assert.equal(findOldPath(indexTree(new Map()), known, 'nothing/here'), undefined)

    // The next move and the next deletion have no room for their entries.
    const moved = { id: idOf(1), parent: null, slug: 'old', type: 'document' } as PageRecord
    const gone = { ...moved, id: idOf(parent(0)) }
    const changes = [
      { before: moved, after: { ...moved, slug: 'new' } },
      { before: gone, after: null },
    ]
    const edit = await longestHold(async () => oldPlacesAfter(known, changes, 'z'))
    assert(edit.ms < LONGEST_HOLD_MS, `${edit.ms} ms`)
    const removed = [...edit.value].flatMap(([key, since]) => (since === null ? [key.split('/')[3]] : []))
    assert.deepEqual(removed.toSorted(), [idOf(1), idOf(2)])
  })
}
