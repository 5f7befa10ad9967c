/** A document of Google Docs, downloaded as HTML or .docx. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertGoogleDocs } from '../../../src/core/sources/office/google-docs.ts'
import { docxParts } from './docx-fixture.ts'
import { bytesIn, textsOf } from './sources.ts'
import { GOOGLE_DOC } from './wiki-fixture.ts'

test('headings of the first level are pages, classes are marks, and lists are nested', async () => {
  const texts = textsOf(await convertGoogleDocs(bytesIn(GOOGLE_DOC), 'Handbook.zip'))
  assert.deepEqual(Object.keys(texts).toSorted(), [
    'README.md',
    'SUMMARY.md',
    'images/image1.png',
    'install.md',
    'use.md',
  ])
  assert.equal(texts['README.md'], '# The handbook\n\nAbout **bold**, **_both_**, `code()`.\n')
  assert.equal(
    texts['install.md'],
    `# Install

[A link](https://example.com/?a=1) with a note[^1].

* One
  * Below
* Two

1. First

Between

2. Second

<figure><img src="images/image1.png" alt=""><figcaption></figcaption></figure>

[^1]: The note
`,
  )
  assert.equal(
    texts['use.md'],
    `# Use

[See above](install.md)

<table data-header-hidden=""><thead><tr><th></th><th></th></tr></thead><tbody><tr><td>a</td><td>b</td></tr></tbody></table>
`,
  )
})

test('a .docx file is converted too, and other files are refused with what to do', async () => {
  const texts = textsOf(await convertGoogleDocs(bytesIn(docxParts()), 'Handbook.docx'))
  assert.match(texts['install.md']!, /# Install/)
  assert.throws(() => convertGoogleDocs(bytesIn({ 'a.odt': 'x' }), 'a.zip'), /"Web page \(.html, zipped\)"/)
})
