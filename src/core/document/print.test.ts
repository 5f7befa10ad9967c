import assert from 'node:assert/strict'
import test from 'node:test'

import fc from 'fast-check'

import { CORPORA, pagesToTry, withoutCorpora } from '../../../test/corpus.ts'
import { anyDocument, anyParagraph } from '../../../test/core/documents.ts'
import { normal } from './normal-form.ts'
import { line, paragraph } from './build.ts'
import type { Block, Document } from './model.ts'
import { parseMarkdown, parsePage } from './parse.ts'
import { printDocument, printPage } from './print.ts'
import { holds } from '../../../test/property.ts'

function documentOf(...nodes: Block[]): Document {
  return { object: 'document', data: { schemaVersion: 1 }, nodes }
}

function assertSurvives(document: Document, message?: string): void {
  const printed = printDocument(document)
  assert.deepEqual(normal(parseMarkdown(printed).document), normal(document), message ?? printed)
}

test('prints any line of text, marks and inlines so that it is read back the same', () => {
  holds(
    fc.property(anyParagraph, (one) => assertSurvives(documentOf(one))),
    { cases: 3000 },
  )
})

test('prints any document so that it is read back the same', () => {
  holds(
    fc.property(anyDocument, (document) => assertSurvives(document)),
    { cases: 800, byDefault: 300 },
  )
})

for (const corpus of CORPORA) {
  test(
    `prints the document of every page of ${corpus} so that it is read back the same`,
    { skip: withoutCorpora },
    () => {
      for (const [path, source] of pagesToTry(corpus)) assertSurvives(parsePage(source).document, path)
    },
  )
}

test('prints the same Markdown again after reading it', () => {
  holds(
    fc.property(anyDocument, (document) => {
      const printed = printDocument(document)
      const again = printDocument(parseMarkdown(printed).document)
      assert.equal(printDocument(parseMarkdown(again).document), again)
    }),
    { cases: 200 },
  )
})

/** Markdown that is read and printed without a change: the style of the convention. */
const STYLE: Record<string, string> = {
  headings: '## A\n\n### B <a href="#b" id="b"></a>\n\n#### C\n',
  marks: '**a** _b_ ~~c~~ `d` **_e_** <sup>1</sup> <mark style="color:red;">f</mark>\n',
  'marks in Chinese text': '**强大：**我们 a**（b）**c ~~。~~中\n',
  'text that needs no escape': 'Hello, world! (1 + 1 = 2) - "x": a/b; 50%, $5 & more? A < B > C.\n',
  'text that needs one': '\\*a\\* snake\\_case \\[x] 1. a\n'.replace('\\[x]', '\\[x\\]'),
  'signs at the start': '\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n',
  'hard breaks': 'a\\\nb\n',
  lists: '* a\n  * b\n* c\n\n1. d\n2. e\n\n* [ ] f\n* [x] g\n',
  'lists beside lists': '* a\n\n- b\n\n1. c\n\n1) d\n',
  'a loose list': '* a\n\n  b\n\n* c\n',
  quotes: '> a\n>\n> b\n',
  rule: '***\n',
  code: '```js\na\n```\n\n````\n```\n````\n',
  'code options': '{% code title="a" overflow="wrap" %}\n```js\na\n```\n{% endcode %}\n',
  'highlighted code': '<pre class="language-js"><code class="lang-js">a\n<strong>b\n</strong></code></pre>\n',
  hint: '{% hint style="info" %}\na\n{% endhint %}\n',
  tabs: '{% tabs %}\n{% tab title="A" %}\na\n{% endtab %}\n\n{% tab title="B" %}\nb\n{% endtab %}\n{% endtabs %}\n',
  stepper: '{% stepper %}\n{% step %}\n## a\n{% endstep %}\n{% endstepper %}\n',
  'page link': '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}\n',
  embeds: '{% embed url="https://a.b" %}\n\n{% embed url="https://a.b" %}\nc\n{% endembed %}\n',
  include: '{% include "../a.md" %}\n',
  expandable: '<details>\n\n<summary>a</summary>\n\nb\n\n</details>\n',
  figure: '<figure><img src="a b.png" alt="A" width="563"><figcaption><p>c</p></figcaption></figure>\n',
  table: '| a | b |\n| --- | :---: |\n| c | d \\| e |\n',
  cards:
    '<table data-view="cards"><thead><tr><th>a</th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><strong>b</strong></td><td><a href="c.md">c.md</a></td></tr></tbody></table>\n',
  math: 'a $$x_1$$ b\n\n$$\ny\n$$\n',
  emoji: ':smile: a\n',
  mention: 'a [b.md](../b.md "mention")\n',
  'inline image': 'a ![b](c.png "d") <img src="e.png" alt="" data-size="line">\n',
  annotation: 'a word[^1]\n\n[^1]: note\n',
  links: '[a](b.md) [c](<d e.md>) [f](/pages/0a1b2c3d4e5f6g7h8i9j0k#g)\n',
  html: '<center>\nx\n</center>\n\na <u>b</u>\n',
}

for (const [name, markdown] of Object.entries(STYLE)) {
  test(`prints ${name} in the style of the convention`, () =>
    assert.equal(printDocument(parseMarkdown(markdown).document), markdown))
}

/** Pages whose tags are where they make no block. */
const ODD_TAGS = [
  'a[^n] b\n\n{% if a %}\n\n[^n]:\n\n{% endif %}\n',
  'a[^n] b {% if a %}c\n\n[^n]: d\n\n{% endif %}\n',
  '<!-- z {% endif %}',
  '{% if a %}\n<!-- z\n{% endif %}',
  '``` {% if a %}\nx\n```\n\n{% endif %}\n',
  '```{% if a %}x{% endif %}\nx\n```\n',
  '```js {% if a %}\nx\n```\n',
  '~~~ {% embed url="y" %}\nx\n~~~\n',
]

test('prints a page with tags in definitions, comments and names of languages so that it is read back the same', () => {
  for (const source of ODD_TAGS) {
    const { document } = parsePage(source)
    const printed = printDocument(document)
    assert.deepEqual(normal(parsePage(printed).document), normal(document), `${source}\n---\n${printed}`)
  }
})

test('prints a page with front matter and title', () => {
  const page = {
    title: 'A #1 *b*',
    meta: { description: 'D', hidden: true },
    document: documentOf(paragraph('x')),
  }
  const printed = printPage(page)
  assert.equal(printed, '---\ndescription: D\nhidden: true\n---\n\n# A #1 \\*b\\*\n\nx\n')
  const { title, meta, document } = parsePage(printed)
  assert.deepEqual({ title, meta, document: normal(document) }, { ...page, document: normal(page.document) })
  assert.equal(printPage({ document: documentOf() }), '')
})

test('prints the space at the ends of bold and italic text outside of it, and none beside a line break', () => {
  const bold = { object: 'mark' as const, type: 'bold' as const }
  const italic = { object: 'mark' as const, type: 'italic' as const }
  const lineOf = (...runs: [text: string, ...marks: (typeof bold | typeof italic)[]][]): Document => ({
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: [paragraph(line(runs.map(([text, ...marks]) => ({ text, marks }))))],
  })
  for (const [document, printed] of [
    [lineOf(['a '], ['b ', bold], ['c']), 'a **b** c\n'],
    [lineOf(['a'], [' b', bold], [' c']), 'a **b** c\n'],
    [lineOf(['a '], ['b ', bold, italic], ['c ', bold], ['d']), 'a **_b_ c** d\n'],
    [lineOf(['a '], ['b', bold], [' ', bold], ['c', bold]), 'a **b c**\n'],
    [lineOf(['a '], ['b ', italic], ['c']), 'a _b_ c\n'],
    [lineOf(['a \nb']), 'a\\\nb\n'],
    [lineOf(['a\n b']), 'a\\\nb\n'],
    [lineOf(['a', bold], [' \n'], [' b']), '**a**\\\nb\n'],
  ] as const) {
    assert.equal(printDocument(document), printed)
    assert.deepEqual(normal(parsePage(printed).document), normal(document), printed)
  }
})

test('keeps a line break beside an emoji, a formula or a mention, so that a letter elsewhere changes one line', () => {
  for (const beside of [':rocket:', '$$x$$', '[y.md](y.md "mention")', '**b**', '![](a.png)'])
    for (const source of [`a **b** ${beside}\\\nnew\n`, `a\\\n${beside} b\n`, `${beside}\\\n${beside}\n`])
      assert.equal(printPage(parsePage(source)), source)
})
