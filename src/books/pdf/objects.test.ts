import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { leastCost } from '../../../test/cpu.ts'
import { anyText, holds } from '../../../test/property.ts'
import { pdfText, readPdfObjects, rewriteObject } from './objects.ts'

const plusTen = { reference: (number: number) => number + 10 }

test('references get other numbers, and the content of strings does not', () => {
  assert.equal(
    rewriteObject('<< /P 3 0 R /K [4 0 R 5] /Alt (see 6 0 R \\) (7 0 R)) /Q 8 0 R >>', plusTen),
    '<< /P 13 0 R /K [14 0 R 5] /Alt (see 6 0 R \\) (7 0 R)) /Q 18 0 R >>',
  )
  const string = (content: string, name: string) => (name === 'Headers' ? `p${content}` : content)
  assert.equal(
    rewriteObject('<< /Alt (a) /Headers [(b) (c)] >>', { ...plusTen, string }),
    '<< /Alt (a) /Headers [(pb) (pc)] >>',
  )
})

test('no text of a string is taken for a reference', () => {
  const literal = anyText({ maxLength: 20 }).map((text) => text.replaceAll(/[\\()]/g, (one) => `\\${one}`))
  holds(
    fc.property(fc.array(fc.oneof(literal, fc.constant('9 0 R')), { maxLength: 8 }), (texts) => {
      const strings = texts.map((text) => `(${text})`)
      const before = `<< /A [${strings.map((one) => `1 0 R ${one}`).join(' ')}] >>`
      const expected = `<< /A [${strings.map((one) => `11 0 R ${one}`).join(' ')}] >>`
      assert.equal(rewriteObject(before, plusTen), expected)
    }),
  )
})

test('objects are read with the bytes of their streams, whatever these are', () => {
  const stream = Buffer.from('endobj\nendstream\nstream\n\xff', 'latin1')
  const first = '1 0 obj\n<< /A (stream\n) >>\nendobj\n'
  const second = `2 0 obj\n<< /Length ${stream.length} >>\nstream\n`
  const start = '%PDF-1.7\n'
  const end = '\nendstream\nendobj\n'
  const at = [start.length, start.length + first.length]
  const table = start.length + first.length + second.length + stream.length + end.length
  const row = (offset: number) => `${String(offset).padStart(10, '0')} 00000 n \n`
  const tail = `xref\n0 3\n0000000000 65535 f \n${at.map(row).join('')}trailer\n<< /Size 3 >>\nstartxref\n${table}\n%%EOF`
  const file = Buffer.concat(
    [start + first + second, stream, end + tail].map((one) => Buffer.from(one as never, 'latin1')),
  )
  const { objects, trailer } = readPdfObjects(file)
  assert.deepEqual(objects.get(1), { number: 1, text: '<< /A (stream\n) >>' })
  assert.deepEqual(objects.get(2)?.stream, stream)
  assert.match(trailer, /Size 3/)
  assert.throws(() => readPdfObjects(Buffer.from('%PDF-1.7 and nothing else')), /no table of objects/)
})

test('texts become strings of UTF-16', () => {
  assert.equal(pdfText('é🚀'), '<FEFF00E9D83DDE80>')
})

test('a long object costs in proportion to its length', async () => {
  const text = (count: number) => `<< /K [${'(a \\( b) 12 0 R '.repeat(count)}] >>`
  const small = await leastCost(0, () => rewriteObject(text(20_000), plusTen))
  const large = await leastCost(0, () => rewriteObject(text(80_000), plusTen))
  assert(large < 12 * small, `${large} and ${small}`)
})
