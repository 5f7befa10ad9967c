/** Converting a document takes time that grows with its length. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertDocx } from '../../../src/core/sources/office/docx.ts'
import { familiesOf, repeated } from '../cost/growth.ts'
import { docxParts, p, r } from './docx-fixture.ts'
import { bytesIn } from './sources.ts'

/** A linear cost grows 4-fold, and a quadratic one 16-fold. */
const MOST_GROWTH = 7

const DOCUMENTS = {
  paragraphs: repeated(p('Normal', r('Text'))),
  headings: repeated(p('Heading1', r('One'))),
  runs: repeated(r('a ', '<w:b/>'), '<w:p>', '</w:p>'),
  'rows of a table': repeated(`<w:tr><w:tc>${p('Normal', r('a'))}</w:tc></w:tr>`, '<w:tbl>', '</w:tbl>'),
  formulas: repeated('<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>', '<w:p>', '</w:p>'),
  'a long formula': repeated('<m:r><m:t>α</m:t></m:r>', '<w:p><m:oMath>', '</m:oMath></w:p>'),
  'a formula with fractions in fractions': (size: number) =>
    '<w:p><m:oMath>'
      .concat('<m:f><m:num>'.repeat(90), '<m:r><m:t>a</m:t></m:r>'.repeat(size / 25))
      .concat('</m:num></m:f>'.repeat(90), '</m:oMath></w:p>'),
  'tracked changes': repeated('<w:ins w:author="a"><w:r><w:t>a</w:t></w:r></w:ins>', '<w:p>', '</w:p>'),
  'linked pictures': repeated(
    '<w:r><w:drawing><wp:inline><a:blip r:link="rId4"/></wp:inline></w:drawing></w:r>',
    '<w:p>',
    '</w:p>',
  ),
  bookmarks: repeated('<w:bookmarkStart w:id="0" w:name="a"/>', '<w:p>', '</w:p>'),
}

for (const [name, make] of familiesOf(DOCUMENTS, 2)) {
  test(`converting a document is linear: ${name}`, async () => {
    const timeOf = async (size: number) => {
      const parts = bytesIn(docxParts(make(size)))
      const before = process.cpuUsage()
      await convertDocx(parts, 'a.docx')
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    await timeOf(20_000)
    let growth = Infinity
    for (let attempt = 0; attempt < 5 && growth > MOST_GROWTH; attempt += 1) {
      const before = Math.max(10, await timeOf(50_000))
      growth = Math.min(growth, (await timeOf(200_000)) / before)
    }
    assert.ok(growth <= MOST_GROWTH, `four times the length took ${growth} times as long`)
  })
}
