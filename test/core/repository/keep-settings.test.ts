/** An export changes the lines of `SUMMARY.md` and of the settings whose content changed, and no others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { PageRecord } from '../../../src/core/content/revision.ts'
import { needItem, needValue } from '../../../src/core/data/lists.ts'
import { keepSettings } from '../../../src/core/repository/print/keep-settings.ts'
import { holds } from '../../property.ts'
import { imported, printed, type RepositoryFiles, type WholeContent } from './printing.ts'

const SETTINGS = ['SUMMARY.md', '.gitbook.yaml', '.gitbook/vars.yaml']

const filesOf = (texts: Record<string, string>): RepositoryFiles =>
  new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))

/** The settings that an export of a content writes to a repository. */
async function exportedTo(before: RepositoryFiles, content: WholeContent): Promise<Record<string, string>> {
  const known = new Map(SETTINGS.map((path) => [path, before.get(path)]))
  const kept = await keepSettings(await printed(content), known, '')
  return Object.fromEntries(
    SETTINGS.flatMap((path) => {
      const bytes = kept.get(path)
      return bytes ? [[path, Buffer.from(bytes).toString()]] : []
    }),
  )
}

/** The lines that only one of two texts has. */
function changedLines(before: string, after: string): { removed: string[]; added: string[] } {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const counts = new Map<string, number>()
  for (const line of old) counts.set(line, (counts.get(line) ?? 0) + 1)
  const added = now.filter((line) => {
    const left = counts.get(line) ?? 0
    counts.set(line, left - 1)
    return left <= 0
  })
  const removed = [...counts].flatMap(([line, left]) => Array.from({ length: Math.max(0, left) }, () => line))
  return { removed, added }
}

/** A content with other pages: those of null are removed. */
function withPages(content: WholeContent, changes: ReadonlyMap<string, PageRecord | null>): WholeContent {
  return { ...content, pages: content.pages.apply(changes) }
}

function pageOf(content: WholeContent, title: string): PageRecord {
  return needValue(
    content.pages.pages().find((page) => page.title === title),
    `the page ${title}`,
  )
}

/** A new page behind another one. */
function insertedBehind(content: WholeContent, { id, parent, order }: PageRecord, title: string) {
  const page: PageRecord = {
    id: `new-${id}`,
    type: 'document',
    title,
    slug: title.toLowerCase(),
    parent,
    order: `${order}5`,
    createdAt: '',
    updatedAt: '',
  }
  return withPages(content, new Map([[page.id, { ...page, description: 'Has a file' }]]))
}

const REPOSITORY = {
  'SUMMARY.md': `# Table of contents

* [Start](README.md)
* [db\\_info](db_info.md)

***

* [Copy](<copy (1).md>)
`,
  'README.md': '# Start\n',
  'db_info.md': '# db\\_info\n',
  'copy (1).md': '# Copy\n',
}

test('an export after an inserted page adds its line to SUMMARY.md, and keeps the style of the others', async () => {
  const files = filesOf(REPOSITORY)
  const content = await imported(files)
  assert.deepEqual(await exportedTo(files, content), { 'SUMMARY.md': REPOSITORY['SUMMARY.md'] })
  const after = await exportedTo(files, insertedBehind(content, pageOf(content, 'Copy'), 'New'))
  assert.deepEqual(after, { 'SUMMARY.md': `${REPOSITORY['SUMMARY.md']}* [New](new.md)\n` })
})

const ODD = `\ufeff# Summary

Some words.

-   [Start](README.md)
    -   [A & B](a.md "A &amp; B")   <!-- kept -->
    <!-- * [Hidden](hidden.md) -->
    -   [C](./c.md)
        -   [D](d.md)
### Group *One* ###
-   [E](e.md)

***

-   [F](https://example.com)
-   [E again](e.md)`
const ODD_FILES = {
  'SUMMARY.md': ODD,
  ...Object.fromEntries(
    ['README', 'a', 'c', 'd', 'e'].map((name) => [`${name}.md`, `# Page ${name.toUpperCase()}\n`]),
  ),
}

const edits: [name: string, edit: (content: WholeContent) => WholeContent, expected: string][] = [
  ['nothing', (content) => content, ODD],
  [
    'a removed page',
    (content) => withPages(content, new Map([[pageOf(content, 'Page D').id, null]])),
    ODD.replace('        -   [D](d.md)\n', ''),
  ],
  [
    'a removed page with a comment behind its line',
    (content) => withPages(content, new Map([[pageOf(content, 'Page A').id, null]])),
    ODD.replace('    -   [A & B](a.md "A &amp; B")   <!-- kept -->\n', ''),
  ],
  [
    'a new title in the table of contents',
    (content) => {
      const page = pageOf(content, 'Page C')
      return withPages(content, new Map([[page.id, { ...page, linkTitle: 'New *C*' }]]))
    },
    ODD.replace('[C](./c.md)', String.raw`[New \*C\*](c.md)`),
  ],
  [
    'a page that moves below another one',
    (content) => {
      const page = pageOf(content, 'Page E')
      return withPages(content, new Map([[page.id, { ...page, parent: pageOf(content, 'Page D').id }]]))
    },
    ODD.replace('-   [E](e.md)\n', '').replace('[D](d.md)\n', '[D](d.md)\n            -   [E](e.md)\n'),
  ],
  [
    'a new page in a group',
    (content) => insertedBehind(content, pageOf(content, 'Page E'), 'New'),
    ODD.replace('[E](e.md)\n', '[E](e.md)\n-   [New](group-one/new.md)\n'),
  ],
  [
    'a new page at the end of a file without a line break there',
    (content) => insertedBehind(content, pageOf(content, 'E again'), 'New'),
    `${ODD}\n-   [New](new.md)\n`,
  ],
  [
    'a new title of a group',
    (content) => {
      const page = pageOf(content, 'Group One')
      return withPages(content, new Map([[page.id, { ...page, title: 'Two', slug: 'two' }]]))
    },
    ODD.replace('### Group *One* ###', '### Two'),
  ],
]
for (const [name, edit, expected] of edits)
  test(`a table of contents in an odd style changes only where its content does: ${name}`, async () => {
    const files = filesOf(ODD_FILES)
    const after = await exportedTo(files, edit(await imported(files)))
    assert.equal(after['SUMMARY.md'], expected)
  })

test('new redirects and variables change only their lines of the settings', async () => {
  const files = filesOf({
    ...REPOSITORY,
    '.gitbook.yaml':
      'structure:\n    readme: "README.md"   # first\nredirects:\n    /old: ./README.md\n    gone: missing.md\n',
    '.gitbook/vars.yaml': 'name:   "x"   # why\non: true\nbad-name: 1\n',
  })
  const content = await imported(files)
  const after = await exportedTo(files, {
    ...content,
    variables: { ...content.variables, name: 'y', count: 2 },
    redirects: { ...content.redirects, 'other/path': 'https://example.com' },
  })
  assert.equal(
    after['.gitbook.yaml'],
    'structure:\n    readme: "README.md"   # first\nredirects:\n    /old: ./README.md\n    gone: missing.md\n    other/path: https://example.com\n',
  )
  assert.equal(after['.gitbook/vars.yaml'], 'name:   y   # why\non: true\nbad-name: 1\ncount: 2\n')
})

/** How a line of a table of contents is written. */
const bullet = fc.constantFrom('* ', '- ', '+ ', '*   ', '1. ', '- [ ] ')
const title = fc.constantFrom(
  'Plain',
  String.raw`db\_info`,
  '**Bold** one',
  'A &amp; B',
  '`code`',
  '2 * 3',
  'A [x]',
)
const address = fc.constantFrom<(name: string) => string>(
  (name) => name,
  (name) => `<${name}>`,
  (name) => `./${name}`,
  (name) => `/${name}`,
  (name) => `${name} "Own title"`,
)
const line = fc.record({ bullet, title, address, deeper: fc.nat(3), isGroup: fc.nat(5), other: fc.nat(11) })
const style = fc.record({
  unit: fc.constantFrom('  ', '    ', '\t', ' ', '   '),
  end: fc.constantFrom('\n', '\r\n'),
  rule: fc.constantFrom('***', '---', '* * *', '-----'),
  head: fc.constantFrom('# Table of contents\n\n', '', '# Summary\n', 'Words\n\n'),
  isBlankBelow: fc.boolean(),
  lines: fc.array(line, { minLength: 1, maxLength: 12 }),
})
type Style = typeof style extends fc.Arbitrary<infer T> ? T : never

function writtenSummary({ unit, end, rule, head, isBlankBelow, lines }: Style): RepositoryFiles {
  let [text, depth] = [head, 0]
  const texts: Record<string, string> = {}
  for (const [nth, one] of lines.entries()) {
    const isGroup = one.isGroup === 0 && nth > 0
    if (isGroup) text += `${nth % 2 ? '\n' : ''}## ${one.title}\n${isBlankBelow ? '\n' : ''}`
    else if (one.isGroup === 1) text += `\n${rule}\n\n`
    if (one.isGroup <= 1) depth = 0
    if (one.other === 0) text += '<!-- a comment\n* [of](lines.md) -->\n'
    if (one.other === 1) text += '\nWords in between.\n\n'
    depth = nth === 0 ? 0 : Math.min(depth, one.deeper)
    const name = `page (${nth}).md`
    text += `${unit.repeat(depth)}${one.bullet}[${one.title}](${one.address(name).replace(/^page \(/, 'page (')})\n`
    texts[name] = nth % 3 === 0 ? `# Page ${nth}\n` : 'Text\n'
    depth++
  }
  return filesOf({ ...texts, 'SUMMARY.md': text.replaceAll('\n', end) })
}

test('one edit of a table of contents in any style changes only the lines of its pages', async () => {
  await holds(
    fc.asyncProperty(style, fc.nat(), fc.nat(4), async (written, seed, kind) => {
      const files = writtenSummary(written)
      const before = Buffer.from(files.get('SUMMARY.md') ?? '').toString()
      const content = await imported(files)
      const pages = content.pages.pages()
      const page = needItem(pages, seed % pages.length)
      const below = content.pages.children(page.id).length
      let [edited, most] = [content, { removed: 0, added: 0 }]
      if (kind === 1 && page.type === 'document')
        [edited, most] = [insertedBehind(content, page, 'Fresh'), { removed: 0, added: 1 }]
      else if (kind === 2 && below === 0 && pages.length > 1)
        [edited, most] = [withPages(content, new Map([[page.id, null]])), { removed: 1, added: 0 }]
      else if (kind === 3 && page.type === 'document')
        [edited, most] = [
          withPages(content, new Map([[page.id, { ...page, linkTitle: 'Retitled' }]])),
          { removed: 1, added: 1 },
        ]
      else if (kind === 4 && below === 0 && page.type === 'document')
        [edited, most] = [
          withPages(content, new Map([[page.id, { ...page, parent: null, order: 'zzz' }]])),
          { removed: 1, added: 1 },
        ]
      const after = (await exportedTo(files, edited))['SUMMARY.md'] ?? ''
      if (kind === 0) assert.equal(after, before)
      const isWord = (one: string) => one.trim() !== '' && !/^ {0,3}(?:[-*] ?){3,}\r?$/.test(one)
      const changed = changedLines(before, after)
      const [removed, added] = [changed.removed.filter(isWord), changed.added.filter(isWord)]
      assert.ok(removed.length <= most.removed, `removed ${JSON.stringify(removed)}\n${before}\n${after}`)
      assert.ok(added.length <= most.added, `added ${JSON.stringify(added)}\n${before}\n${after}`)
      const blanks = (text: string) => text.split('\n').length
      assert.ok(Math.abs(blanks(before) - blanks(after)) <= 5, `${before}\n${after}`)
    }),
    { cases: 2000 },
  )
})
