/** A document of a word processor becomes pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertDocx } from '../../../src/core/sources/office/docx.ts'
import { ImportRefused } from '../../../src/core/repository/refused.ts'
import { docxParts, p, r } from './docx-fixture.ts'
import { bytesIn, textsOf } from './sources.ts'

const convert = async (body?: string) => textsOf(await convertDocx(bytesIn(docxParts(body)), 'My book.docx'))

test('a document with several headings of the first level becomes a page for each, after a front page', async () => {
  const texts = await convert()
  assert.deepEqual(Object.keys(texts).toSorted(), [
    'README.md',
    'SUMMARY.md',
    'images/4caece539b039b16.png',
    'install.md',
    'use.md',
  ])
  assert.equal(
    texts['SUMMARY.md'],
    '# Table of contents\n\n* [The handbook](README.md)\n* [Install](install.md)\n* [Use](use.md)\n',
  )
  assert.equal(texts['README.md'], '# The handbook\n\nAbout **this** book.\n')
  assert.equal(
    texts['install.md'],
    `# Install

Ask[^1] first.

* One
  * Below

1. First

## On Linux <a href="#_ref7" id="_ref7"></a>

\`\`\`
apt install
  lectern
\`\`\`

<figure><img src="images/4caece539b039b16.png" alt="A plan"><figcaption></figcaption></figure>

[^1]: Anyone who knows.
`,
  )
  assert.equal(
    texts['use.md'],
    `# Use

[On Linux](install.md#_ref7) and [home](https://example.com/)

| Key | Value |
| --- | --- |
| a | 1 |

> Well said.
`,
  )
})

test('a document with one heading of the first level, or none, is one page', async () => {
  const text = p('Normal', r('Text'))
  assert.deepEqual(await convert(p('Heading1', r('Only')) + text), { 'README.md': '# Only\n\nText\n' })
  assert.deepEqual(await convert(text), { 'README.md': '# My book\n\nText\n' })
  assert.deepEqual(await convert(p('Title', r('Name')) + p('Heading1', r('Part')) + text), {
    'README.md': '# Name\n\n## Part\n\nText\n',
  })
  assert.deepEqual(
    await convert(p('Title', r('Name')) + text + p('Heading1', r('Part')) + p('Heading2', r('Deep'))),
    {
      'README.md': '# Name\n\nText\n\n## Part\n\n### Deep\n',
    },
  )
})

test('is refused if it is no document, if its XML defines entities, and if it is nested too deeply', async () => {
  const refused = async (parts: Record<string, string | Uint8Array>) =>
    convertDocx(bytesIn(parts), 'a.docx').then(
      () => assert.fail('it was not refused'),
      (error: unknown) => {
        assert.ok(error instanceof ImportRefused, String(error))
        return error.message
      },
    )
  assert.match(await refused({ 'a.docx': 'x' }), /send that file itself/)
  const bomb = '<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><w:document>&b;</w:document>'
  assert.match(await refused({ ...docxParts(), 'word/document.xml': bomb }), /document type/)
  const deep = `${'<w:sdt>'.repeat(400)}${'</w:sdt>'.repeat(400)}`
  assert.match(await refused(docxParts(deep)), /nested deeper than 200/)
  assert.match(await refused({ ...docxParts(), 'word/document.xml': '<w:document' }), /cannot be read/)
  const { 'word/document.xml': _, ...without } = docxParts()
  assert.match(await refused(without), /send that file itself/)
})

test('pictures on the disk of the server or elsewhere are not read', async () => {
  const linked = String(docxParts()['word/document.xml']).replace('r:embed="rId4"', 'r:link="rId4"')
  const relations = String(docxParts()['word/_rels/document.xml.rels']).replace(
    'Target="media/image1.png"',
    'Target="file:///etc/hostname" TargetMode="External"',
  )
  const parts = { ...docxParts(), 'word/document.xml': linked, 'word/_rels/document.xml.rels': relations }
  const outcome = await convertDocx(bytesIn(parts), 'a.docx').then(textsOf, (error: unknown) => {
    assert.ok(error instanceof ImportRefused, String(error))
    return {}
  })
  assert.equal(
    Object.keys(outcome).some((path) => path.startsWith('images/')),
    false,
  )
})
