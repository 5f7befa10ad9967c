/** Pages that are too long are divided, and nothing of them is lost or shown to more readers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePage } from '../../../src/core/document/parse.ts'
import { partsOfLongPage } from '../../../src/core/repository/long-pages.ts'
import { assertLinear, familiesOf, repeated } from '../cost/growth.ts'
import { holds } from '../../property.ts'

const HIDDEN = "---\nif: 'false'\n---\n\n"
const bodyOf = (part: string) => (part.startsWith(HIDDEN) ? part.slice(HIDDEN.length) : part)

/** The parts without what hides them. They must be the source. */
function partsOf(source: string, most: number): string[] {
  const { parts, isHidden } = partsOfLongPage(source, most)
  const bodies = parts.map((part, nth) => (nth === 0 ? part : bodyOf(part)))
  assert.equal(bodies.join(''), source)
  for (const part of parts) assert(Buffer.byteLength(part) <= most, `${Buffer.byteLength(part)} bytes`)
  assert.equal(isHidden, bodies.join('') !== parts.join(''))
  return bodies
}

const LINES = [
  'text',
  '# Title',
  '## Part',
  '',
  '',
  '```js',
  '~~~',
  '- item',
  '  more',
  '---',
  '| a | b |',
  'ä€😀',
  '> q',
]

test('the parts of a page have all of its text, in order, within the limit', () =>
  holds(
    fc.property(
      fc.array(fc.constantFrom(...LINES), { maxLength: 60 }),
      fc.integer({ min: 60, max: 200 }),
      (lines, most) => {
        const source = lines.join('\n')
        const least = (most - HIDDEN.length) / 2 - 4
        assert(partsOf(source, most).length <= 1 + Buffer.byteLength(source) / (least / 3))
      },
    ),
  ))

test('a page is divided before a heading, or else between blocks, lines or characters', () => {
  const block = `${'word '.repeat(10)}\n\n`
  const text = block.repeat(3) + `## Two\n\n` + block.repeat(8)
  assert.match(partsOf(text, 260)[1] ?? '', /^## Two\n/)
  for (const part of partsOf(block.repeat(20), 200).slice(1)) assert.match(part, /^word /)
  for (const part of partsOf('line of text\n'.repeat(50), 200).slice(1)) assert.match(part, /^line /)
  for (const part of partsOf('😀'.repeat(200), 200)) assert(part.isWellFormed())
})

test('a page is not divided in code, and no part begins with front matter', () => {
  const code = `~~~~\n# no heading\n\n\`\`\`\n~~~\n\ncode\n~~~~\n\n`
  const parts = partsOf(`${code}text\n\n`.repeat(20), 250)
  assert(parts.length > 3)
  for (const part of parts) assert.match(part, /^(?:~~~~|text)\n/)
  for (const part of partsOf('---\na: b\n---\n\n'.repeat(40), 150).slice(1))
    assert.equal(parsePage(`${part}\n`).meta.condition, undefined)
})

test('parts after a condition are hidden from everybody', () => {
  const block = `${'word '.repeat(10)}\n\n`
  const secret = `${block.repeat(4)}{% if visitor.claims.a %}\n\n${block.repeat(8)}{% endif %}\n\n${block}`
  const { parts } = partsOfLongPage(secret, 200)
  assert.deepEqual(
    parts.map((part) => parsePage(part).meta.condition ?? parsePage(part).conditions?.length ?? 'shown'),
    ['shown', 1, ...parts.slice(2).map(() => 'false')],
  )
  const whole = partsOfLongPage(`---\nif: visitor.claims.a\n---\n\n${block.repeat(9)}`, 200)
  assert(whole.isHidden)
  for (const part of whole.parts) assert.notEqual(parsePage(part).meta.condition, undefined)
})

for (const [name, make] of familiesOf(
  {
    words: repeated('word '),
    lines: repeated('a\n'),
    blocks: repeated('a\n\n'),
    fences: repeated('```\n'),
    tags: repeated('{% if '),
    breaks: repeated('\n'),
  },
  1,
))
  test(`dividing a page takes linear time: ${name}`, () =>
    assertLinear(make, (text) => partsOfLongPage(text, 1000)))
