import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear, repeated } from '../../../../test/core/cost/growth.ts'
import { handlePage } from '../../../../test/core/cost/pages.ts'
import { assertReadable } from '../../../../test/core/document/reading-laws.ts'
import { holds } from '../../../../test/property.ts'
import { listReferences } from '../links/references.ts'
import { parseMarkdown, parsePage } from '../parse.ts'
import { printDocument } from '../print.ts'
import { blockText } from '../text.ts'

/** The addresses of the links in a page. */
const addressesIn = (source: string) =>
  listReferences(parsePage(source).document).flatMap(({ ref }) => (ref.kind === 'url' ? [ref.url] : []))
const textOf = (source: string) => parseMarkdown(source).document.nodes.map(blockText).join('\n')

test('an address ends at CJK punctuation, which stays in the text', () => {
  for (const [source, ...addresses] of [
    ['请看https://example.com/路径。谢谢', 'https://example.com/路径'],
    ['（https://example.com）', 'https://example.com'],
    [
      '「https://example.com/a?b=1&c=2」、『http://b.org/』',
      'https://example.com/a?b=1&c=2',
      'http://b.org/',
    ],
    ['【https://a.org】《https://b.org》', 'https://a.org', 'https://b.org'],
    ['见https://a.org、https://b.org和https://c.org！', 'https://a.org', 'https://b.org和https://c.org'],
    ['[链接](https://a.org/)文字，再。', 'https://a.org/'],
    ['![](https://a.org/b_(c))文字，见[d](https://e.org/)-㊊', 'https://a.org/b_(c)', 'https://e.org/'],
    ['[https://a.org/](https://b.org/)文字，', 'https://b.org/'],
    ['[a][b]文字，\n\n[b]: https://c.org/，d', 'https://c.org/，d'],
    ['https://a.org：端口；https://b.org？是', 'https://a.org', 'https://b.org'],
    ['https://ja.wikipedia.org/wiki/ジョン・レノン、は', 'https://ja.wikipedia.org/wiki/ジョン・レノン'],
    ['（https://a.org/b_(c)）', 'https://a.org/b_(c)'],
    ['(https://a.org/b)。', 'https://a.org/b'],
    ['https://a.org/b.，c', 'https://a.org/b'],
    ['（www.example.com/路径）', 'http://www.example.com/路径'],
    ['한국어（https://a.org）에서', 'https://a.org'],
  ] as const) {
    assert.deepEqual(addressesIn(source), addresses, source)
    if (!source.includes('](') && !source.includes('][')) assert.equal(textOf(source), source)
  }
})

test('an address without CJK punctuation behind it ends where GitHub Flavored Markdown ends it', () => {
  for (const [source, address] of [
    ['看 https://a.org/路径 好', 'https://a.org/路径'],
    ['https://a.org’s b', 'https://a.org’s'],
    ['https://a.org/b—c', 'https://a.org/b—c'],
    ['看https://a.org/b?c=&copy;', 'https://a.org/b?c='],
  ] as const)
    assert.deepEqual(addressesIn(source), [address], source)
  for (const source of ['awww.example.com。', '看www.example.com。'])
    assert.deepEqual(addressesIn(source), [])
})

test('emphasis, code and links beside an address are read', () => {
  const html = (source: string) => printDocument(parseMarkdown(source).document).trim()
  for (const [source, printed] of [
    ['https://a.org。 **b** c', '[https\\://a.org](https://a.org)。 **b** c'],
    ['**看https://a.org。** 后', '**看[https\\://a.org](https://a.org)。** 后'],
    ['`https://a.org。b`', '`https://a.org。b`'],
    ['[a](https://a.org。b)', '[a](https://a.org。b)'],
    ['<https://a.org。b>', '[https\\://a.org。b](https://a.org。b)'],
    ['[看https://a.org](b.md)。', '[看https\\://a.org](b.md)。'],
    ['[https://a.org。c](b.md)', '[https\\://a.org。c](b.md)'],
    ['```\nhttps://a.org。b\n```', '```\nhttps://a.org。b\n```'],
    ['https\\://a.org。b', 'https\\://a.org。b'],
    ['x <u title="https://a.org。b">c</u>', 'x <u title="https://a.org。b">c</u>'],
  ] as const)
    assert.equal(html(source), printed, source)
})

test('an address ends at the same character in each block, and stays the same when the page is printed', () => {
  for (const put of [
    (line: string) => `# 标题\n\n${line}`,
    (line: string) => `## ${line}`,
    (line: string) => `- ${line}`,
    (line: string) => `> ${line}`,
    (line: string) => `| ${line} |\n| - |\n| ${line} |`,
    (line: string) => `{% hint style="info" %}\n${line}\n{% endhint %}`,
    (line: string) => `{% tabs %}\n{% tab title="a" %}\n${line}\n{% endtab %}\n{% endtabs %}`,
    (line: string) => `<details>\n\n<summary>a</summary>\n\n${line}\n\n</details>`,
    (line: string) => `a[^1]\n\n[^1]: ${line}`,
    (line: string) => `{% if visitor.claims.a %}${line}{% endif %}`,
  ]) {
    const source = put('请看https://example.com/路径。谢谢')
    const printed = printDocument(parsePage(source).document)
    for (const one of [source, printed])
      assert.equal(
        new Set(addressesIn(one)).size === 1 && addressesIn(one)[0],
        'https://example.com/路径',
        one,
      )
  }
})

const PIECES = [
  'https://a.org/路',
  'http://b.org/(c)',
  'www.d.org',
  '看',
  '。',
  '（',
  '）',
  '“',
  '”',
  '・',
  '**',
  '~~',
  '_',
  '`',
  '[',
  '](e.md)',
  '<',
  '>',
  ' ',
  '\n',
  '| ',
  '&amp;',
  '\\',
  'f',
  '{% if a.b %}',
  '{% endif %}',
]

test('any text with addresses in CJK text is read, and printed so that it is read again', () =>
  holds(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }), (pieces) => {
      const source = pieces.join('')
      assertReadable(source)
      const printed = printDocument(parseMarkdown(source).document)
      assert.equal(textOf(printed).replace(/\s+/g, ' '), textOf(source).replace(/\s+/g, ' '))
    }),
  ))

test('addresses in CJK text are found in linear time', () => {
  for (const make of [
    repeated('看https://a.org。'),
    repeated('https://a'),
    repeated('路', '看https://a.org/', '。'),
    repeated('(', '看https://a.org/', '。'),
    repeated('&a', '看https://a.org/', '。'),
    repeated('“https://a'),
    repeated('・', '看https://a.org/', '。'),
    repeated('看www.'),
  ])
    assertLinear(make, handlePage, 32_000)
})
