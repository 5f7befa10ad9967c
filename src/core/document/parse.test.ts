import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'

import fc from 'fast-check'

import { CORPORA, pagesToTry, withoutCorpora } from '../../../test/corpus.ts'
import { nastyText } from '../../../test/core/lines.ts'
import { frontMatterEnd } from './front-matter/front-matter.ts'
import type { Block, Document, Fragment, Inline, Span, Text } from './model.ts'
import { parseMarkdown, parsePage, titleSpan } from './parse.ts'
import { readOrElse } from './show-source.ts'
import { blockText } from './text.ts'
import { holds } from '../../../test/property.ts'

/** A document as lines: a node's type, its data and, in quotes, text; what is inside is indented. */
function outline(node: Block | Inline | Text | Fragment, depth = 0): string[] {
  const indent = '  '.repeat(depth)
  if (node.object === 'text')
    return node.leaves
      .filter((leaf) => leaf.text !== '')
      .map((leaf) => indent + [...leaf.marks.map(markName), JSON.stringify(leaf.text)].join(' '))
  const inside = [...(node.nodes ?? []), ...(node.object === 'fragment' ? [] : (node.fragments ?? []))]
  const lines = inside.flatMap((child) => outline(child, depth + 1))
  if (node.object === 'fragment') return [`${indent}@${node.fragment ?? node.type}`, ...lines]
  const data = Object.keys(node.data).length > 0 ? ` ${JSON.stringify(node.data)}` : ''
  return [`${indent}${node.type}${data}`, ...lines]
}

function markName(mark: Text['leaves'][number]['marks'][number]): string {
  return mark.type === 'color' ? `color:${mark.data.text ?? ''}/${mark.data.background ?? ''}` : mark.type
}

function outlineOf(document: Document): string {
  return document.nodes.flatMap((node) => outline(node)).join('\n')
}

/** Every construct of the convention: a name, Markdown, and the outline of the document that it stands for. */
const CONSTRUCTS = readFileSync(
  new URL('../../../test/core/document/constructs.txt', import.meta.url),
  'utf8',
)
  .split(/^=== /m)
  .slice(1)
  .map((construct) => /^(.*)\n([\s\S]*)\n>>>\n([\s\S]*?)\n*$/.exec(construct) ?? [])

test('knows the constructs of the convention', () => assert.ok(CONSTRUCTS.length > 80))

for (const [, name, source = '', expected] of CONSTRUCTS) {
  test(`reads ${name}`, () => assert.equal(outlineOf(parseMarkdown(source).document), expected))
}

test('takes the leading heading for the title of a page, and no other', () => {
  const page = parsePage('---\ndescription: D\n---\n\n# A **b** &amp; c\n\ntext\n\n# Later')
  assert.equal(page.title, 'A b & c')
  assert.equal(page.meta.description, 'D')
  assert.equal(outlineOf(page.document), 'paragraph\n  "text"\nheading-1\n  "Later"')
  assert.equal(parsePage('---\ntitle: T\n---\ntext').title, 'T')
  assert.equal(parsePage('text\n\n# A').title, undefined)
  assert.equal(outlineOf(parseMarkdown('# A').document), 'heading-1\n  "A"')
})

test('gives headings their anchors: the author’s own, else the slug, unique in the page', () => {
  const { document } = parseMarkdown(
    '## A b\n\n{% tabs %}\n{% tab title="A b" %}\n## 中文 标题\n{% endtab %}\n{% endtabs %}\n\n## A b\n\n## x <a href="#a-b-1" id="a-b-1"></a>\n\n<details>\n\n<summary>中文 标题</summary>\n\n</details>',
  )
  const ids: string[] = []
  const visit = (block: Block) => {
    if (block.meta?.id !== undefined) ids.push(block.meta.id)
    for (const node of block.nodes ?? []) if (node.object === 'block') visit(node)
  }
  document.nodes.forEach(visit)
  assert.deepEqual(ids, ['a-b', 'a-b-3', '中文-标题', 'a-b-2', 'a-b-1', '中文-标题-1'])
})

test('a heading of icons alone has their names as its anchor', () => {
  const { document } = parseMarkdown(
    '## <i class="fa-rocket-launch">:rocket-launch:</i>\n\n## <i class="fa-star">:star:</i> b\n\n## ***\n',
  )
  assert.deepEqual(
    document.nodes.map(({ meta }) => meta?.id),
    ['rocket-launch', 'b', 'section'],
  )
})

test('keeps the keys of blocks when others are edited', () => {
  const keys = (source: string) => parseMarkdown(source).document.nodes.map((block) => block.key)
  const [a, b, c] = keys('one\n\ntwo\n\n* three')
  assert.deepEqual(keys('new\n\none\n\n* three'), [keys('new')[0], a, c])
  assert.equal(new Set(keys('same\n\nsame\n\nsame')).size, 3)
  assert.notEqual(b, a)
})

test('shows the source of a body that cannot be read, up to its first condition', () => {
  const costly = '_a__ '.repeat(100_000).trimEnd()
  const source = `---\ntitle: T\n---\n\n# A\n{% if b %}secret{% endif %}\n${costly}\n`
  const { title, document, spans, unreadable } = parsePage(source)
  assert.equal(unreadable?.reason, 'too-long-to-parse')
  assert.equal(title, 'T')
  assert.equal(outlineOf(document), 'code {"syntax":"markdown"}\n  code-line\n    "# A"')
  assert.deepEqual(spans, [{ start: source.indexOf('# A'), end: source.length - 1 }])
})

test('survives a fault in the reader', () => {
  const fail = (): string => {
    throw new TypeError('x is not a function')
  }
  assert.equal(
    readOrElse(fail, ({ message }) => `source, because ${message}`),
    'source, because x is not a function',
  )
})

/** Asserts that spans are in order, in step with the blocks, and that nothing but space is between. */
function assertCovered(source: string, spans: Span[], document: Document, from: number): void {
  assert.equal(spans.length, document.nodes.length)
  let done = from
  for (const { start, end } of spans) {
    assert.ok(start >= done && end >= start, `span ${start}-${end} after ${done}`)
    assert.match(source.slice(done, start), /^\s*$/)
    done = end
  }
  assert.match(source.slice(done), /^\s*$/)
}

function bodyStart(source: string): number {
  const title = titleSpan(source)
  if (!title) return frontMatterEnd(source)
  const rest = source.slice(title.end)
  // A title may be underlined, closed by signs or carry an anchor: what is left of its heading.
  return title.end + (/^[^\r\n]*(?:\r?\n[ ]{0,3}=+[ \t]*(?=\r?\n|$))?/.exec(rest)?.[0].length ?? 0)
}

test('covers any text with spans, blank space between', () => {
  const texts = fc.array(
    fc.oneof(
      nastyText,
      fc.constantFrom(
        '\n\n',
        '\n',
        '{% hint %}\n',
        '\n{% endhint %}\n',
        '<details>',
        '</details>\n',
        '<div>\n\n',
        '# ',
      ),
    ),
    { maxLength: 12 },
  )
  holds(
    fc.property(texts, (parts) => {
      const source = parts.join('')
      const { document, spans } = parseMarkdown(source)
      assertCovered(source, spans, document, source.startsWith('\ufeff') ? 1 : 0)
    }),
    { cases: 1500 },
  )
})

for (const corpus of CORPORA) {
  test(`covers every page of ${corpus} with spans, byte for byte`, { skip: withoutCorpora }, () => {
    for (const [path, source] of pagesToTry(corpus, 1)) {
      const { document, spans } = parsePage(source)
      try {
        assertCovered(source, spans, document, bodyStart(source))
      } catch (error) {
        throw new Error(`${path}: ${String(error)}`, { cause: error })
      }
    }
  })

  test(`loses no word of ${corpus}`, { skip: withoutCorpora }, () => {
    for (const [path, source] of pagesToTry(corpus, 1)) {
      const { document, title } = parsePage(source)
      const shown = wordsOf(`${title ?? ''}\n${document.nodes.map(blockText).join('\n')}`)
      const wanted = wordsOf(visible(source.slice(frontMatterEnd(source))))
      const letters = shown.join('')
      assert.deepEqual(
        wanted.filter((word) => !letters.includes(word)),
        [],
        path,
      )
      assert.ok(
        letters.length >= wanted.join('').length,
        `${path}: ${letters.length} of ${wanted.join('').length} letters`,
      )
    }
  })
}

/** Words of letters and digits: signs between them are Markdown's. */
function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

/** The source without what a reader does not see: tags, comments, addresses, what a fence says about its code. */
function visible(source: string): string {
  return source
    .replace(/^([ \t>]*)(`{3,}|~{3,})[^\n`]*$/gm, '$1')
    .replace(/^[ \t>]*\d{1,9}[.)](?=\s|$)/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\{% [^\n]*? %\}/g, '')
    .replace(
      /!?\[((?:[^\][]|\[[^\]]*\])*)\]\((?:<[^>]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s+(?:"([^"]*)"|'([^']*)'))?\s*\)/g,
      '$1 $2',
    )
    .replace(/\]\([^)\s]*\)/g, ']')
    .replace(/^ {0,3}\[[^\]]+\]:.*$/gm, '')
    .replace(/\]\[[^\]]*\]/g, ']')
    .replace(/<\/?[A-Za-z][^>]*>/g, ' ')
    .replace(/&[#\w]+;/g, ' ')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
}

test('a lone backslash at the end of a paragraph or of a pipe table’s cell is a hard break that shows nothing', () => {
  const [table, text, literal] = parsePage(
    '| a \\ | b |\n| - | - |\n| **c**\\ | d \\ |\n| e\\\\ | f\\g |\n\nend \\\n\nC:\\\\\n',
  ).document.nodes
  assert.ok(table?.type === 'table')
  assert.deepEqual(
    Object.values(table.data.definition).map(({ title }) => title),
    ['a', 'b'],
  )
  const cells = (table.fragments ?? []).map(({ nodes }) => nodes.map((node) => blockText(node)).join(''))
  assert.deepEqual(cells, ['c', 'd', 'e\\', 'f\\g'])
  assert.deepEqual(
    [text, literal].map((node) => blockText(node!)),
    ['end', 'C:\\'],
  )
})

test('finds the title of a page without reading the rest', () => {
  const heads = [
    '# A *b* c #',
    'A [b][c]\n===',
    '---\ntitle: x\n---\n\n# A',
    '\n \n# A',
    'A',
    '<b>\n# A',
    '# A <!-- x',
    '',
  ]
  const rest = '\n\n[c]: https://example.com\n\n# B\n\nx -->\n\n</b>\n'
  for (const head of heads) assert.deepEqual(titleSpan(head + rest), titleSpan(`${head}\n`), head)

  // The least of several runs: a collection of garbage that falls into one run costs more than the short work.
  const used = (work: () => unknown) => {
    const costs = Array.from({ length: 5 }, () => {
      const before = process.threadCpuUsage()
      work()
      const { user, system } = process.threadCpuUsage(before)
      return user + system
    })
    return Math.min(...costs)
  }
  const page = `# Title\n\n${'A [link](b.md) and **bold** text.\n\n'.repeat(5000)}`
  assert(10 * used(() => titleSpan(page)) < used(() => parsePage(page)))
})
