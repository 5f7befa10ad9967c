import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quotedInEmail } from '../../src/mail/quoted.ts'

const QUOTED: [text: string, quoted: string][] = [
  ['Acme', '“Acme”'],
  ['Acme Inc.', '“Acme Inc.”'],
  ['中文文档', '“中文文档”'],
  ['Docs: v1.2', '“Docs: v1. 2”'],
  // Line breaks and controls, also those that only some programs know.
  ['a\r\nb\u0085c\u2028d\u2029e\vf\0g\u001bh', '“a b c d e f g h”'],
  // What changes the direction of text, or cannot be seen.
  ['a\u202eb\u2066c\u200bd\ufeffe\u00adf\u{e0041}g', '“a b c d e f g”'],
  // What ends the quotation.
  ['x” said “y" z «w»', "“x' said 'y' z 'w'”"],
  // What programs make links of, also in other forms of the same characters.
  ['https://evil.example/x', '“https: / / evil. example/ x”'],
  ['evil.example', '“evil. example”'],
  [
    'evil。example evil．example evil｡example evil․example',
    '“evil。 example evil. example evil。 example evil. example”',
  ],
  ['me@evil.example mailto:me＠evil', '“me@ evil. example mailto: me@ evil”'],
  ['http:\\\\evil http：／／evil', '“http: \\ \\ evil http: / / evil”'],
  ['192.0.2.1:80', '“192. 0. 2. 1: 80”'],
]

for (const [text, quoted] of QUOTED)
  test(`quotes ${JSON.stringify(text)}`, () => assert.equal(quotedInEmail(text), quoted))

test('a quotation has at most 80 characters, however long the text is', () => {
  for (const text of ['x'.repeat(100_000), '😀'.repeat(1000), '\ufdfa'.repeat(1000)])
    assert([...quotedInEmail(text)].length <= 82, text.slice(0, 3))
})
