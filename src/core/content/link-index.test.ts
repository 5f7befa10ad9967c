import assert from 'node:assert/strict'
import test from 'node:test'
import { type DocumentLinks, linksIn } from '../document/links/links-in.ts'
import type { ContentRef } from '../document/model.ts'
import {
  backlinksTo,
  type Holder,
  holdersAt,
  holdersIn,
  indexLinks,
  keyAt,
  NOTHING_LATER,
  relationAt,
  statusAt,
  targetAt,
  usesOf,
} from './link-index.ts'
import { holderAt, holderKey, type LinkHolder, type LinkSource, placesIn, sourceKey } from './link-places.ts'
import type { FileRecord, PageRecord, ReusableRecord } from './revision.ts'
import { indexTree } from './tree/tree.ts'

const dates = { createdAt: '', updatedAt: '' }

/** An index, unpacked. */
interface Unpacked {
  uses: Use[]
  inPage(id: string): Use[]
  backlinks(id: string): LinkHolder[]
}

interface Use {
  key: string
  status: string
  target: ContentRef
  holders: LinkHolder[]
}

function unpack(
  linked: Parameters<typeof indexLinks>[0],
  sources: LinkSource[],
  links: (record: LinkSource) => DocumentLinks,
): Unpacked {
  const index = { whole: indexLinks(linked), later: NOTHING_LATER }
  const records = new Map(sources.map((record) => [sourceKey(record), record]))
  const read = ({ source, place }: Holder) => {
    const record = records.get(source)!
    return holderAt(record, placesIn(record, links(record))[place]!)
  }
  const use = (number: number, holders: Holder[]): Use => ({
    key: keyAt(index, number),
    status: `${statusAt(index, number)} ${relationAt(index, number)}`,
    target: targetAt(index, number),
    holders: holders.map(read),
  })
  return {
    uses: usesOf(index).map((number) => use(number, holdersAt(index, number))),
    inPage: (id) => [...holdersIn(index, `page ${id}`)].map(([number, some]) => use(number, some)),
    backlinks: (id) => backlinksTo(index, linked.files.has(id) ? 'file' : 'page', id).map(read),
  }
}

/** The index of pages, files and reusable contents given as Markdown by their path. */
function indexOf(sources: Record<string, string>, more: Record<string, Partial<PageRecord>> = {}): Unpacked {
  const pages: PageRecord[] = []
  const files = new Map<string, FileRecord>()
  const reusables = new Map<string, ReusableRecord>()
  for (const path of Object.keys(sources)) {
    if (path.startsWith('assets/')) {
      const type = { contentType: 'image/png', size: 1, hash: '' }
      files.set(path, { id: path, name: path, path, ...type, createdAt: '' })
    } else if (path.startsWith('includes/'))
      reusables.set(path, { id: path, title: path, path, document: path })
    else {
      const place = { type: 'document', parent: null, order: 'a', title: path, slug: path } as const
      pages.push({ id: path, ...place, document: path, file: path, ...dates, ...more[path] })
    }
  }
  const byId = new Map(pages.map((page) => [page.id, page]))
  const linked = {
    spaceId: 'here',
    tree: indexTree(byId),
    files,
    reusables,
    oldPlaces: new Map(),
    links: (path: string) => linksIn(sources[path] ?? ''),
    app: 'https://docs.example.com/app',
  }
  const linksOf = ({ document = '' }: LinkSource) => linksIn(sources[document] ?? '')
  return unpack(linked, [...pages, ...reusables.values()], linksOf)
}

/** Uses as `status relation target: places`. */
const spelled = (uses: readonly Use[]) =>
  uses.map(({ status, key, holders }) => {
    const places = [...new Set(holders.map(({ id }) => id))].join(' ')
    return `${status} ${key.replace(/ (reference|dependsOn)$/, '')}: ${places}`
  })

test('links are spelled by where they lead, and whether that is there', () => {
  const { uses } = indexOf(
    {
      'a.md':
        '# A\n\n## Part\n\n[b](b.md) [b](b.md#there) [b](b.md#gone) [self](#part) [c](c.md) [w](https://example.com/) [m](mailto:a@example.com)\n\n![](assets/x.png)\n',
      'b.md': '# B\n\n## There\n\n[a](a.md) [a](a.md) [app](https://docs.example.com/app/s/x) [#](#)\n',
      'd/e.md':
        '# E\n\n[same](../c.md) [b](../b.md#shared) [o](/spaces/aaaaaaaaaaaaaaaaaaa1/pages/aaaaaaaaaaaaaaaaaaa2)\n\n{% include "../includes/i.md" %}\n',
      'includes/i.md': '## Shared\n\n[b](../b.md)\n\n{% include "i.md" %}\n',
      'assets/x.png': '',
    },
    {
      'b.md': {
        cover: { ref: { kind: 'file', file: 'gone' }, yPos: 0 },
      },
    },
  )
  assert.deepEqual(
    spelled(uses).toSorted(),
    [
      'broken dependsOn file  gone: b.md',
      'broken reference broken c.md: a.md d/e.md',
      'broken reference page  b.md gone: a.md',
      'broken reference page  b.md shared: d/e.md',
      'elsewhere reference page aaaaaaaaaaaaaaaaaaa1 aaaaaaaaaaaaaaaaaaa2: d/e.md',
      'in-app reference url https://docs.example.com/app/s/x: b.md',
      'ok dependsOn file  assets/x.png: a.md',
      'ok dependsOn reusable-content  includes/i.md: d/e.md includes/i.md',
      'ok reference page  a.md part: a.md',
      'ok reference page  a.md: b.md',
      'ok reference page  b.md there: a.md',
      'ok reference page  b.md: a.md includes/i.md',
      'ok reference url https://example.com/: a.md',
      'ok reference url mailto:a@example.com: a.md',
    ].toSorted(),
  )
  assert.deepEqual(
    uses.map(({ key }) => key),
    uses.map(({ key }) => key).toSorted(),
  )
})

test('an anchor may be in what a page includes, and in a page that is made when it is read', () => {
  const computed = { type: 'builtin:openapi', props: {} }
  const { uses } = indexOf(
    {
      'a.md': '# A\n\n[x](b.md#shared) [y](c.md#anything)\n',
      'b.md': '# B\n\n{% include "includes/i.md" %}\n',
      'c.md': '# C\n',
      'includes/i.md': '## Shared\n',
    },
    { 'c.md': { computed } },
  )
  assert.deepEqual(new Set(uses.map(({ status }) => status)), new Set(['ok reference', 'ok dependsOn']))
})

test('an anchor that a site resolves to the closest heading is not broken', () => {
  const { uses } = indexOf({
    'a.md': '# A\n\n[x](b.md#Whats-New) [y](b.md#id-2.0-changes) [z](#part-1)\n\n## Part 1\n',
    'b.md': "# B\n\n## What's new?\n\n## 2.0 changes\n",
  })
  assert.deepEqual(new Set(uses.map(({ status }) => status)), new Set(['ok reference']))
  const [broken] = indexOf({ 'a.md': '# A\n\n[x](#nowhere)\n\n## Here\n' }).uses
  assert.equal(broken?.status, 'broken reference')
})

test('backlinks are the same links read the other way, without those of a page to itself', () => {
  const index = indexOf({
    'a.md': '# A\n\n## Part\n\n[b](b.md#x) [self](#part) [self](a.md)\n\n![](assets/x.png)\n',
    'b.md': '# B\n\n[a](a.md) and\n\n[a](a.md#part)\n\n[x](assets/x.png)\n',
    'includes/i.md': '[a](../a.md)\n',
    'assets/x.png': '',
  })
  const places = index.backlinks('a.md')
  assert.deepEqual(
    places.map(({ kind, id }) => `${kind} ${id}`),
    ['page b.md', 'page b.md', 'reusable-content includes/i.md'],
  )
  assert.equal(new Set(places.map(holderKey)).size, 3)
  const shown = index.backlinks('assets/x.png')
  assert.deepEqual(
    shown.map(({ id }) => id),
    ['a.md', 'b.md'],
  )
  assert.deepEqual(spelled(index.inPage('b.md')), [
    'ok reference file  assets/x.png: b.md',
    'ok reference page  a.md part: b.md',
    'ok reference page  a.md: b.md',
  ])
  assert.ok(index.inPage('b.md').every(({ holders }) => holders.every(({ id }) => id === 'b.md')))
})

test('addresses that begin alike are spelled apart, and every key is short', () => {
  const long = `https://example.com/${'a'.repeat(3000)}`
  const { uses } = indexOf({ 'a.md': `[x](${long}1) [y](${long}2) [z](${long}1)\n` })
  assert.equal(uses.length, 2)
  assert.ok(uses.every(({ key }) => key.length < 200))
})
