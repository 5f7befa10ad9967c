import assert from 'node:assert/strict'
import test from 'node:test'

import fc from 'fast-check'

import { CORPORA, pagesToTry, withoutCorpora } from '../../../../test/corpus.ts'
import { nastyText } from '../../../../test/core/lines.ts'
import { renderDocument } from '../html.ts'
import type { RenderContext } from '../html/renderer.ts'
import { parsePage } from '../parse.ts'
import { printPage } from '../print.ts'
import { blockText } from '../text.ts'
import { anyText, holds } from '../../../../test/property.ts'
import { cpuTime } from '../../../../test/cpu.ts'
import { sizeOf } from '../../../../test/effort.ts'

const NOWHERE: RenderContext = {
  href: () => undefined,
  image: () => undefined,
  file: () => undefined,
  reusable: () => undefined,
  highlight: () => undefined,
  evaluate: () => true,
}

/** Reads and prints; throws if any step does. */
function handle(source: string): void {
  const page = parsePage(source)
  assert.equal(page.spans.length, page.document.nodes.length)
  printPage(page)
  page.document.nodes.forEach(blockText)
}

test('reads any text', () => {
  const parts = fc.oneof(anyText({ maxLength: 30 }), nastyText, fc.string({ unit: 'grapheme' }))
  holds(
    fc.property(fc.array(parts, { maxLength: 15 }), (all) => handle(all.join(''))),
    { cases: 1500 },
  )
})

for (const corpus of CORPORA) {
  test(`reads damaged pages of ${corpus}`, { skip: withoutCorpora }, () => {
    const pages = pagesToTry(corpus).flatMap(([, source]) => (source.length < 40_000 ? [source] : []))
    const cut = fc.tuple(
      fc.nat(),
      fc.nat({ max: 400 }),
      fc.oneof(nastyText, fc.constantFrom('', '\n', '{% endtab %}', '</details>', '```', '{% hint %}\n')),
    )
    holds(
      fc.property(fc.constantFrom(...pages), fc.array(cut, { minLength: 1, maxLength: 5 }), (page, cuts) => {
        const damaged = cuts.reduce((text, [at, length, put]) => {
          const start = at % (text.length + 1)
          return text.slice(0, start) + put + text.slice(start + length)
        }, page)
        handle(damaged)
      }),
      { cases: 150 },
    )
  })
}

const around = (open: string, close: string) => (size: number) => {
  const count = Math.floor(size / (open.length + close.length))
  return `${open.repeat(count)}x${close.repeat(count)}`
}
const repeated =
  (unit: string, before = '', after = '') =>
  (size: number) =>
    before + unit.repeat(size / unit.length) + after

/** Text of about a size that has made parsers slow, deep or large. */
const HOSTILE: Record<string, (size: number) => string> = {
  'quotes in quotes': repeated('>'),
  'lines of deep quotes': repeated(`${'>'.repeat(500)}a\n`),
  'lists in lists': repeated('* '),
  'numbered lists in lists': repeated('1. '),
  'lists by indentation': (size) =>
    Array.from({ length: Math.sqrt(size) }, (_, index) => `${' '.repeat(index * 2)}* a`).join('\n'),
  'tags in tags': around('{% hint %}\n', '\n{% endhint %}\n'),
  'tags without end': repeated('{% hint %}\n'),
  'ends without beginning': repeated('{% endhint %}\n'),
  'tags on one line': repeated('{% if a %}'),
  'tags that cross': repeated('{% hint %}\n{% tabs %}\n{% endhint %}\n{% tab %}\n{% endtabs %}\n'),
  'tags that do not end': repeated('{% hint "'),
  'operations in operations': around(
    '{% api-method %}\n{% api-method-spec %}\n',
    '\n{% endapi-method-spec %}\n{% endapi-method %}\n',
  ),
  'elements in elements': around('<div>\n\n', '\n\n</div>\n\n'),
  'elements in one piece': around('<div>', '</div>'),
  'details in details': around('<details>\n\n<summary>a</summary>\n\n', '\n\n</details>\n\n'),
  'tables in tables': around('<table><tr><td>', '</td></tr></table>'),
  'lists in HTML': around('<ul><li>', '</li></ul>'),
  'inline elements in one another': around('<b>', '</b>'),
  'inline elements without end': repeated('x<b>'),
  'comments without end': repeated('x<!-- '),
  'attributes without end': repeated('<a b="'),
  scripts: repeated('<div><script></script>'),
  entities: repeated('&amp;x '),
  'emphasis without end': repeated('_a__'),
  'emphasis in emphasis': around('*a **b ', ' c** d*'),
  'emphasis of Chinese text on one line': repeated('中**a** '),
  brackets: repeated('[a]('),
  'links in links': around('[', '](x)'),
  'images in images': around('![', '](x)'),
  addresses: repeated('www.a a@b.c http://x.y '),
  'code spans of all lengths': (size) =>
    Array.from({ length: Math.sqrt(size) }, (_, index) => '`'.repeat(index + 1)).join(' '),
  'signs of mathematics': repeated('$$a $'),
  escapes: repeated('\\:a:'),
  emoji: repeated(':smile: '),
  'hard breaks': repeated('a\\\n'),
  headings: repeated('## a\n\n'),
  'underlined headings': repeated('a\n=\n'),
  rows: repeated('|a|b|\n', '|a|b|\n|-|-|\n'),
  columns: (size) => `${'|a'.repeat(size / 8)}|\n${'|-'.repeat(size / 8)}|\n${'|x\n'.repeat(size / 8)}`,
  'lines of code': repeated('a\n', '```\n'),
  'references to a long definition': (size) => `[a]: ${'x'.repeat(size / 2)}\n\n${'[a] '.repeat(size / 8)}`,
  'references to a long footnote': (size) =>
    `[^1]: ${'x '.repeat(size / 4)}\n\n${'w[^1] '.repeat(size / 12)}`,
  'footnotes in footnotes': () =>
    Array.from({ length: 40 }, (_, index) => `[^${index}]: [^${index + 1}] [^${index + 1}]`).join('\n\n') +
    '\n\nx[^0]',
  'fences of front matter': repeated('---\n'),
  'blank lines': repeated('\n'),
  spaces: repeated(' '),
  NUL: repeated('\0'),
  'halves of characters': repeated('\ud800'),
  'every character': () =>
    `${Array.from({ length: 0x10000 - 0x800 }, (_, index) => String.fromCharCode(index + 0x800)).join('')}{% hint %}`,
}

const MEGABYTE = 1_000_000
const SIZE = sizeOf(MEGABYTE)
/** Far more than it takes on a busy machine; what grows with the square takes minutes for a megabyte. */
const LONGEST_MS = 15_000 * (SIZE / MEGABYTE)

for (const [name, make] of Object.entries(HOSTILE)) {
  test(`reads much of ${name}`, () => {
    const source = make(SIZE)
    const start = cpuTime()
    handle(source)
    assert.ok(cpuTime() - start < LONGEST_MS)
  })
}

const table = (rows: number, columns: number, row = '|b'.repeat(columns)) =>
  `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${`${row}|\n`.repeat(rows)}`

/** Pages of a length that grows with the size, whose document has been far larger than they are, or slow to show. */
const GROWING: Record<string, (size: number) => string> = {
  'a table': (size) => table(size, 20),
  'a table of short rows': (size) => table(size, 100, '|x'),
  'a wide table': (size) => table(size, 300),
  'a table of HTML': (size) => `<table>${`<tr>${'<td>b</td>'.repeat(20)}</tr>`.repeat(size)}</table>`,
  'many tables': (size) => `${table(10, 10)}\n`.repeat(size / 5),
  'a list by indentation': (size) =>
    Array.from({ length: size * 2 }, (_, index) => `${' '.repeat(index * 2)}* a`).join('\n'),
  'conditions on one line': (size) => `x ${'{% if a %}b {% endif %}'.repeat(size * 2)}`,
  'conditions in one another': (size) => `x ${'{% if a %}b '.repeat(size * 2)}`,
}

/** By how much the cost may grow more than the length, in the best of three attempts. */
const MOST_GROWTH = 2.5

for (const [name, make] of Object.entries(GROWING)) {
  test(`shows ${name} in time and in a size that follow its own`, () => {
    const time = (source: string): number => {
      const start = cpuTime()
      const { document } = parsePage(source)
      const html = String(renderDocument(document, NOWHERE).body)
      const markdown = printPage({ document })
      const took = cpuTime() - start
      assert.ok(html.length + markdown.length < 40 * source.length + 10_000, 'what is shown')
      assert.ok(JSON.stringify(document).length < 200 * source.length + 10_000, 'what is kept')
      return took
    }
    const [small, large] = [make(100), make(400)]
    time(small)
    let growth = Infinity
    for (let attempt = 0; attempt < 3 && growth >= MOST_GROWTH; attempt++) {
      const times = time(large) / Math.max(time(small), 3)
      growth = Math.min(growth, times / (large.length / small.length))
    }
    assert.ok(growth < MOST_GROWTH, `${growth}`)
  })
}

test('shows ten thousand cells at once', () => {
  const { document } = parsePage(table(500, 20))
  const start = cpuTime()
  renderDocument(document, NOWHERE)
  assert.ok(cpuTime() - start < 1_000)
})

test('grows no more than a document that repeats its definitions is long', () => {
  for (const name of [
    'references to a long definition',
    'references to a long footnote',
    'footnotes in footnotes',
  ]) {
    const source = HOSTILE[name]?.(200_000) ?? ''
    const { document } = parsePage(source)
    assert.ok(JSON.stringify(document).length < 40 * source.length + 100_000, name)
  }
})
