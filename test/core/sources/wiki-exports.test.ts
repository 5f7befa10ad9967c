/** Exports of Outline, Docmost and BookStack become spaces with their trees, links and files. */
import assert from 'node:assert/strict'
import { because } from '../../../src/core/languages/reasons.ts'
import { describe, test } from 'node:test'
import { convertBookStack } from '../../../src/core/sources/bookstack.ts'
import type { ConvertedSource, SourceFiles } from '../../../src/core/sources/converted.ts'
import { convertDocmost } from '../../../src/core/sources/docmost.ts'
import { convertOutline } from '../../../src/core/sources/outline.ts'
import { assertLinear, familiesOf, repeated } from '../cost/growth.ts'
import { bytesIn, textsOf } from './sources.ts'
import { BOOKSTACK, DOCMOST, DOCMOST_HTML, OUTLINE } from './wiki-exports-fixture.ts'

test('Outline: collections are folders; notices, toggles, sizes, mentions and files are converted', () => {
  const converted = convertOutline(bytesIn(OUTLINE))
  assert.deepEqual(converted.problems, [])
  assert.deepEqual(textsOf(converted), {
    '.gitbook/assets/notes.pdf': 'pdf',
    '.gitbook/assets/plan.png': 'png',
    'SUMMARY.md':
      '# Table of contents\n\n* Handbook\n  * [Setup / Use](<handbook/setup-use.md>)\n    * [On Linux](<handbook/setup-use/on-linux.md>)\n  * [Welcome](<handbook/welcome.md>)\n* Other\n  * [Page](<other/page.md>)\n',
    'handbook/setup-use.md':
      '# Setup / Use\n\n## First\n\n<details>\n\n<summary>More</summary>\n\n\nInside\n\n\n</details>\n\n```\n+++ code\n:::info\n```\n',
    'handbook/setup-use/on-linux.md': '# On Linux\n\nNo title, [up](../setup-use.md)\n',
    'handbook/welcome.md':
      '# Welcome\n\n{% hint style="success" %}\nSee [Setup](setup-use.md#first).\n{% endhint %}\n\n\n\n![Plan](../.gitbook/assets/plan.png)\n\n[notes.pdf](../.gitbook/assets/notes.pdf) by @Ada, $$x^2$$ and `$y$ [a.pdf 1](b)`\n',
    'other/page.md': '# Page\n\n[Home](../handbook/welcome.md)\n',
  })
})

test('Outline: its JSON export and archives of others are refused with what to do', () => {
  assert.throws(
    () => convertOutline(bytesIn({ 'Handbook.json': '{}' })),
    /JSON export of Outline.*as Markdown/,
  )
  assert.throws(() => convertOutline(bytesIn({ 'a.txt': 'x' })), /choose "Export"/)
})

test('Docmost: its metadata order the pages, and callouts, formulas and files are converted', () => {
  const converted = convertDocmost(bytesIn(DOCMOST))
  assert.deepEqual(converted.problems, [])
  assert.deepEqual(textsOf(converted), {
    '.gitbook/assets/a b.png': 'png',
    'SUMMARY.md':
      '# Table of contents\n\n* [Zeta](<zeta.md>)\n* [Alpha](<alpha.md>)\n  * [Deep page](<alpha/deep-page.md>)\n',
    'alpha.md': '# Alpha\n\n<details>\n<summary>More</summary>\n\nInside\n\n</details>\n',
    'alpha/deep-page.md': '# Deep page\n\n[Zeta](../zeta.md)\n',
    'zeta.md':
      '# Zeta\n\n{% hint style="warning" %}\nCareful, see [Deep](alpha/deep-page.md)\n{% endhint %}\n\n![](.gitbook/assets/a%20b.png)\n\nIt costs $5 and $6, and $$e=mc^2$$.\n\n-   [x]  Done\n',
  })
  const strange = { ...DOCMOST, 'docmost-metadata.json': '{"pages": [1, {"position": {}}]' }
  assert.match(textsOf(convertDocmost(bytesIn(strange)))['SUMMARY.md']!, /Alpha.*Zeta/s)
  assert.throws(() => convertDocmost(bytesIn({ 'files/a/b.md': 'x' })), /that Docmost exports/)
})

test('Docmost: the HTML export has the same pages', () => {
  const texts = textsOf(convertDocmost(bytesIn(DOCMOST_HTML)))
  assert.equal(
    texts['zeta.md'],
    '# Zeta\n\n{% hint style="danger" %}\nCareful, see [Deep](alpha/deep-page.md)\n{% endhint %}\n\n<figure><img src=".gitbook/assets/a.png" alt=""><figcaption></figcaption></figure>\n',
  )
  assert.equal(texts['alpha/deep-page.md'], '# Deep page\n\n[Zeta](../zeta.md)\n')
})

test('BookStack: chapters and pages in their order, with references, callouts, images and attachments', () => {
  const converted = convertBookStack(bytesIn(BOOKSTACK))
  assert.deepEqual(converted.problems, [
    { path: 'chapter/in-html.md', ...because('reference-not-in-archive', { kind: 'page', name: '99' }) },
  ])
  assert.deepEqual(textsOf(converted), {
    '.gitbook/assets/My plan.png': 'png',
    '.gitbook/assets/Notes.pdf': 'pdf',
    '.gitbook/assets/cover.jpg': 'jpg',
    'SUMMARY.md':
      '# Table of contents\n\n* [The book](<the-book.md>)\n* [In Markdown](<in-markdown.md>)\n* [Chapter](<chapter.md>)\n  * [In HTML](<chapter/in-html.md>)\n  * [Last](<chapter/last.md>)\n',
    'chapter.md': '# Chapter\n\nOf pages\n',
    'chapter/in-html.md':
      '# In HTML\n\n## A <a href="#bkmrk-a" id="bkmrk-a"></a>\n\n{% hint style="warning" %}\nCareful\n{% endhint %}\n\n[Last](last.md#bkmrk-x) gone [site](https://example.com/)\n\n<figure><img src="../.gitbook/assets/My%20plan.png" alt="Plan"><figcaption></figcaption></figure>\n\n* [Notes](<../.gitbook/assets/Notes.pdf>)\n* [A \\[site\\]](<https://example.com/a%3Eb>)\n',
    'chapter/last.md': '# Last\n\n## X <a href="#bkmrk-x" id="bkmrk-x"></a>\n\nLast\n',
    'in-markdown.md':
      '# In Markdown\n\nText ![Plan](.gitbook/assets/My%20plan.png) [Chapter](chapter.md)\n\n\n{% hint style="info" %}\nNote\n{% endhint %}\n',
    'the-book.md': '# The book\n\nAbout [it](chapter.md)\n',
  })
})

test('BookStack: a chapter or a page alone, and archives that are none', () => {
  const only = (data: unknown) => textsOf(convertBookStack(bytesIn({ 'data.json': JSON.stringify(data) })))
  assert.deepEqual(only({ page: { name: 'One', markdown: 'Text' } })['one.md'], '# One\n\nText\n')
  const chapter = only({ chapter: { name: 'All', pages: [{ name: 'One', html: '<p>Text</p>' }] } })
  assert.deepEqual(Object.keys(chapter).toSorted(), ['SUMMARY.md', 'all.md', 'all/one.md'])
  const references = '../../etc/passwd __proto__ data.json'.split(' ')
  const hostile = references.map((name) => `![x]([[bsexport:image:${name}]])`).join(' ')
  assert.equal(
    only({ page: { name: '../x', markdown: hostile } })['x.md'],
    '# ../x\n\n![x](#) ![x](#) ![x](#)\n',
  )
  for (const data of [undefined, '[]', '{', '{"books": []}', '{"book": "x"}', '{"page": [1]}'])
    assert.throws(
      () => convertBookStack(bytesIn(data === undefined ? { 'a.md': 'x' } : { 'data.json': data })),
      /"Portable ZIP" of BookStack/,
    )
})

const CONVERTERS: Record<
  string,
  (text: string) => [convert: (files: SourceFiles) => ConvertedSource, SourceFiles]
> = {
  Outline: (text) => [convertOutline, bytesIn({ 'a.md': text })],
  Docmost: (text) => [convertDocmost, bytesIn({ 'a.md': text })],
  BookStack: (markdown) => [
    convertBookStack,
    bytesIn({ 'data.json': JSON.stringify({ page: { name: 'A', markdown } }) }),
  ],
}
const FAMILIES = {
  dollars: repeated('$a '),
  'dollars and ticks': repeated('$`a'),
  'open brackets': repeated('@[a'),
  'open titles': repeated('](a "b '),
  'open references': repeated('[[bsexport:page:'),
  toggles: repeated('+++ a\n'),
  notices: repeated(':::info\n'),
  'names with sizes': repeated('[a.b 1'),
}

describe('converting exports of wikis is linear', () => {
  for (const [tool, open] of Object.entries(CONVERTERS))
    for (const [name, make] of familiesOf(FAMILIES, 3))
      test(`${tool}: ${name}`, () => {
        assertLinear(make, (text) => {
          const [convert, files] = open(text)
          convert(files)
        })
      })
})
