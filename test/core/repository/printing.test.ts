/** A content leaves as a repository, and comes back equal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { FileRecord, PageRecord, ReusableRecord } from '../../../src/core/content/revision.ts'
import { indexTree } from '../../../src/core/content/tree/tree.ts'
import { slugOfTitle } from '../../../src/core/text/page-slug.ts'
import { CORPORA, corpusArchive, withoutCorpora } from '../../corpus.ts'
import { unzip } from '../../imports/zip.ts'
import { inLongRun } from '../../effort.ts'
import { holds } from '../../property.ts'
import { keepSettings } from '../../../src/core/repository/print/keep-settings.ts'
import { imported, printed, shapeOf, type WholeContent } from './printing.ts'

const text = (files: Map<string, Uint8Array>) =>
  Object.fromEntries([...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]))

const idOf = (kind: string, nth: number) => `${kind}${String(nth).padStart(20, '0')}`

const TITLES = [
  'Guide',
  'Set up',
  'A `code` & *b*',
  'a [b](c) \\ <a href="x">',
  '&lt; "x" _y_',
  'C #',
  '``` fence',
  'README',
  'Index',
  '- [ ] x',
  '<!-- x',
  '日本',
]
const title = fc.constantFrom(...TITLES)
const fields = fc.record(
  {
    description: fc.constantFrom('Some: text', "It's #1"),
    icon: fc.constantFrom('house'),
    hidden: fc.constant(true),
    noIndex: fc.constant(true),
    condition: fc.constant('visitor.claims.a == "b"'),
    layout: fc.constantFrom({ width: 'wide' as const }, { title: false, coverSize: 'hero' as const }),
    tags: fc.constant([{ tag: 'a' }, { tag: 'b', primary: true }]),
    variables: fc.constant({ name: 'x', count: 2 }),
    linkTitle: fc.constantFrom('Short', 'Sh"ort'),
  },
  { requiredKeys: [] },
)

const page = fc.record({
  kind: fc.constantFrom('document', 'document', 'document', 'group', 'link', 'computed'),
  title,
  parent: fc.nat(5),
  fields,
  file: fc.option(fc.constantFrom('', 'a/', 'docs/b c/'), { nil: undefined }),
  body: fc.constantFrom('none', 'plain', 'titled', 'front', 'links'),
  target: fc.nat(8),
  hasCover: fc.boolean(),
})

/** A content as the API makes it: of the pages some have a file, and links are by id or by path. */
const content = fc
  .record({ pages: fc.array(page, { minLength: 1, maxLength: 9 }), isFilePlaced: fc.boolean() })
  .map(({ pages: made, isFilePlaced }) => contentOf(made as never, isFilePlaced))

function contentOf(
  made: {
    kind: PageRecord['type']
    title: string
    parent: number
    fields: object
    file: string | undefined
    body: string
    target: number
    hasCover: boolean
  }[],
  isFilePlaced: boolean,
): WholeContent {
  const pages = new Map<string, PageRecord>()
  const sources = new Map<string, string>()
  const bytes = new Map([['hash', Buffer.from('image')]])
  const image = idOf('f', 0)
  const snippet = idOf('r', 0)
  const files = new Map<string, FileRecord>([
    [
      image,
      {
        id: image,
        name: 'a (1).png',
        contentType: 'image/png',
        size: 5,
        hash: 'hash',
        createdAt: '',
        ...(isFilePlaced ? { path: 'img/a (1).png' } : {}),
      },
    ],
  ])
  sources.set('snippet', `Some text, and ![](/files/${image}).\n`)
  const reusables = new Map<string, ReusableRecord>([
    [snippet, { id: snippet, title: 'A snippet: one', document: 'snippet' }],
  ])
  const documents = made.flatMap(({ kind }, nth) => (kind === 'document' ? [idOf('p', nth)] : []))
  for (const [nth, one] of made.entries()) {
    const id = idOf('p', nth)
    const above = made
      .slice(0, nth)
      .flatMap(({ kind }, i) => (kind === 'document' || kind === 'group' ? [idOf('p', i)] : []))
    const parent =
      one.kind === 'group' || one.parent === 0 ? null : (above[one.parent % (above.length || 1)] ?? null)
    const base = {
      id,
      parent,
      order: String(nth).padStart(4, '0'),
      title: one.title,
      createdAt: '',
      updatedAt: '',
    }
    const target = documents[one.target % (documents.length || 1)]
    if (one.kind === 'link') {
      const to =
        target === undefined || one.target === 0
          ? ({ kind: 'url', url: 'https://example.com/a' } as const)
          : one.target === 1
            ? ({ kind: 'file', file: image } as const)
            : one.target === 2
              ? ({ kind: 'anchor', page: target, anchor: 'b' } as const)
              : ({ kind: 'page', page: target } as const)
      pages.set(id, { ...base, type: 'link', slug: '', target: to })
    } else if (one.kind === 'computed') {
      const computed = {
        type: 'builtin:openapi',
        props: { models: true },
        dependencies: { spec: { ref: { kind: 'openapi' as const, spec: 'petstore' } } },
      }
      pages.set(id, { ...base, type: 'computed', slug: '', computed })
    } else if (one.kind === 'group') {
      pages.set(id, { ...base, type: 'group', slug: `${slugOfTitle(one.title)}-${nth}` })
    } else {
      const body = bodyOf(one.body, one.title, target, image, snippet)
      if (body !== '') sources.set(id, body)
      const { linkTitle, ...others } = one.fields as { linkTitle?: string }
      pages.set(id, {
        ...base,
        ...others,
        ...(linkTitle === undefined ? {} : { linkTitle }),
        ...(one.hasCover ? { cover: { ref: { kind: 'file', file: image }, yPos: 3 } } : {}),
        ...(one.file === undefined ? {} : { file: `${one.file}page-${nth}.md` }),
        type: 'document',
        slug: one.file === undefined ? `${slugOfTitle(one.title)}-${nth}` : `page-${nth}`,
        ...(body === '' ? {} : { document: id }),
      })
    }
  }
  return {
    pages: indexTree(pages),
    files,
    reusables,
    variables: { name: 'x', on: true },
    redirects: { 'old/path': 'https://example.com/x' },
    sources,
    bytes,
  }
}

function bodyOf(
  kind: string,
  name: string,
  target: string | undefined,
  image: string,
  snippet: string,
): string {
  if (kind === 'plain') return `Text of the page.\n\n## More\n`
  if (kind === 'titled') return `# Other title\r\n\r\nText \`/files/${image}\`\r\n`
  if (kind === 'front') return `---\n# kept\nother: 1\nicon: star\n---\n\n${name.length} characters\n`
  if (kind === 'links')
    return `![](/files/${image}) [a](/pages/${target ?? 'none'}#b)\n\n[c](img/none.png) [d](https://example.com)\n\n{% include "/reusable-contents/${snippet}" %}\n`
  return ''
}

test('importing a printed content gives the content, and printing that again the same files', async () => {
  await holds(
    fc.asyncProperty(content, async (before) => {
      const files = await printed(before)
      const after = await imported(files)
      assert.deepEqual(shapeOf(after), shapeOf(before))
      assert.deepEqual(text(await printed(after)), text(files))
    }),
  )
})

for (const name of CORPORA)
  test(`${name} leaves with the same bytes as it came`, { skip: withoutCorpora || inLongRun }, async () => {
    const archive = unzip(corpusArchive(name))
    const first = await imported(archive)
    const files = await printed(first)
    const settings = ['SUMMARY.md', '.gitbook.yaml', '.gitbook/vars.yaml']
    const kept = await keepSettings(files, new Map(settings.map((path) => [path, archive.get(path)])), '')
    for (const [path, bytes] of kept)
      assert.deepEqual(Buffer.from(bytes).equals(archive.get(path) ?? Buffer.from('nothing')), true, path)
    const again = await imported(files)
    assert.deepEqual(shapeOf(again), shapeOf(first))
    assert.deepEqual(text(await printed(again)), text(files))
  })

test('titles that need no escapes have none', async () => {
  const summary =
    '# Table of contents\n\n* [C#](c.md)\n* [file_single](file_single.md)\n* [2 * 3 & more](sum.md)\n* [a\\*b\\*](stars.md)\n'
  const titles = {
    'c.md': 'C#',
    'file_single.md': 'file_single',
    'sum.md': '2 * 3 & more',
    'stars.md': 'a\\*b\\*',
  }
  const files = new Map([
    ['SUMMARY.md', Buffer.from(summary)],
    ...Object.entries(titles).map(([path, own]) => [path, Buffer.from(`# ${own}\n`)] as const),
  ])
  const again = await printed(await imported(files))
  assert.equal(Buffer.from(again.get('SUMMARY.md')!).toString(), summary)
})
