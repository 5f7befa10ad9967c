/** A document of LibreOffice becomes pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertOdt } from '../../../src/core/sources/office/odt.ts'
import { ImportRefused } from '../../../src/core/repository/refused.ts'
import { assertLinear, nested, repeated } from '../cost/growth.ts'
import { odtH, odtP, odtParts } from './odt-fixture.ts'
import { bytesIn, textsOf } from './sources.ts'

const convert = (body?: string) => convertOdt(bytesIn(odtParts(body)), 'My book.odt')

test('a document with several headings of the first level becomes a page for each, after a front page', () => {
  const texts = textsOf(convert())
  assert.equal(
    texts['SUMMARY.md'],
    '# Table of contents\n\n* [The handbook](README.md)\n* [Install](install.md)\n* [Use](use.md)\n',
  )
  assert.equal(texts['README.md'], '# The handbook\n\nAbout **this** _~~small~~_ `code`\\\nH<sub>2</sub>O\n')
  assert.equal(
    texts['install.md'],
    `# Install

Ask[^1] first.

* One
  * Below
* Two

3. Third
4. Fourth

## On Linux <a href="#linux" id="linux"></a>

\`\`\`
apt install
  lectern <x>
\`\`\`

<figure><img src="images/4caece539b039b16.png" alt="A plan"><figcaption></figcaption></figure>

So $$\\frac{1}{n}$$ is small.

$$
\\frac{1}{n}
$$

[^1]: Anyone who knows.
`,
  )
  assert.equal(
    texts['use.md'],
    `# Use

[On Linux](install.md#linux) and [home](https://example.com/), [top](install.md)

| Key | Value |
| --- | --- |
| a | 1 |
| b |  |

> Well said.

<figure><img src="https://example.com/a.png" alt=""><figcaption></figcaption></figure>

In a box
`,
  )
})

test('pictures that browsers do not show, tracked changes and comments are listed', () => {
  assert.deepEqual(
    convert().problems.map(({ message }) => message),
    [
      'has 1 picture in formats that browsers do not show; save them as PNG or SVG',
      'has tracked changes by Bo, Ada: 1 insertion is kept, and 1 deletion is left out',
      'has 1 comment by Cy; comments of documents are not imported',
    ],
  )
})

test('a document with one heading of the first level, or none, is one page', () => {
  const text = odtP('Standard', 'Text')
  assert.deepEqual(textsOf(convert(odtH(1, 'Only') + text)), { 'README.md': '# Only\n\nText\n' })
  assert.deepEqual(textsOf(convert(text)), { 'README.md': '# In the properties\n\nText\n' })
})

/** Documents that are refused, and why. */
const REFUSED: [what: string, parts: Record<string, string | Uint8Array>, why: RegExp][] = [
  ['a file of another kind', { 'a.odt': 'x' }, /send that file itself/i],
  [
    'entities',
    { ...odtParts(), 'content.xml': '<!DOCTYPE x [<!ENTITY a "aaaa">]><office:text>&a;</office:text>' },
    /document type/,
  ],
  ['deep nesting', odtParts('<text:section>'.repeat(400)), /nested deeper than 200/],
]

for (const [what, parts, why] of REFUSED)
  test(`a document is refused: ${what}`, () => {
    assert.throws(
      () => convertOdt(bytesIn(parts), 'a.odt'),
      (error) => error instanceof ImportRefused && why.test(error.message),
    )
  })

test('few characters do not stand for many', () => {
  const bomb = odtP('Preformatted_20_Text', 'a<text:s text:c="1000000000"/>b')
  const { 'README.md': text = '' } = textsOf(convert(bomb))
  assert.ok(text.length < 200)
})

const COSTLY = {
  paragraphs: repeated(odtP('P1', 'a')),
  'lines of code': repeated(odtP('P2', 'a')),
  notes: repeated(
    `<text:note><text:note-body>${odtP('P1', 'a')}</text:note-body></text:note>`,
    '<text:p>',
    '</text:p>',
  ),
  'rows of a table': repeated(
    `<table:table-row><table:table-cell>${odtP('P1', 'a')}</table:table-cell></table:table-row>`,
    '<table:table>',
    '</table:table>',
  ),
  'lists in lists': (size: number) =>
    nested(
      '<text:list><text:list-item>',
      '</text:list-item></text:list>',
    )(Math.min(size, 4000)).repeat(Math.ceil(size / 4000)),
  comments: repeated('<office:annotation><dc:creator>a</dc:creator></office:annotation>'),
}

for (const [name, make] of Object.entries(COSTLY))
  test(`converting a document is linear: ${name}`, () => assertLinear(make, (body) => convert(body), 100_000))
