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
