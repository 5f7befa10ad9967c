import assert from 'node:assert/strict'
import test from 'node:test'

import fc from 'fast-check'

import { anyDocument } from '../../../../test/core/documents.ts'
import { revertBlocks } from './revert.ts'
import { parsePage } from '../../document/parse.ts'
import { printDocument } from '../../document/print.ts'
import { holds } from '../../../../test/property.ts'

/** The text with the blocks reverted. */
function reverted(source: string, before: string, keys: readonly string[]): string {
  const result = revertBlocks({ title: 'Page', source, before, keys })
  assert('text' in result)
  return result.text
}

const source = anyDocument.map((document) => `# T\n\n${printDocument(document)}`)
/** Two sources with blocks in common. */
const related = fc.tuple(anyDocument, anyDocument, anyDocument).map(([a, b, c]) => {
  const print = (...documents: (typeof a)[]) =>
    `# T\n\n${printDocument({ ...a, nodes: documents.flatMap(({ nodes }) => nodes) })}`
  return [print(a, b, c), print(b, a, c)] as const
})
const keysOf = (text: string) => parsePage(text).document.nodes.flatMap(({ key }) => key ?? [])
const textsOf = (text: string) => parsePage(text).spans.map(({ start, end }) => text.slice(start, end))

test('all blocks taken back are the text before, byte for byte', () => {
  holds(
    fc.property(fc.oneof(related, fc.tuple(source, source)), ([now, before]) => {
      const keys = [...keysOf(now), ...keysOf(before)]
      assert.deepEqual(textsOf(reverted(now, before, keys)), textsOf(before))
    }),
    { cases: 100 },
  )
})

test('one block taken back loses none of the others', () => {
  holds(
    fc.property(related, fc.nat(), ([now, before], nth) => {
      const keys = [...keysOf(now), ...keysOf(before)]
      if (keys.length === 0) return
      const after = reverted(now, before, [keys[nth % keys.length]!])
      const lost = textsOf(now).filter((text) => !after.includes(text))
      assert(lost.length <= 1, `lost ${lost.length} blocks`)
    }),
    { cases: 100 },
  )
})

test('of a page that did not change nothing does, whatever stands between its blocks', () => {
  const tight = '---\na: 1\n---\n#  T\n## A\ntext\n* a\n\n\n\n* b\n***\nend  \n\n\n'
  assert.equal(reverted(tight, tight, keysOf(tight)), tight)
  holds(fc.property(source, (text) => assert.equal(reverted(text, text, keysOf(text)), text)))
})

test('the space around a block that is taken back is what it was', () => {
  const before = '# T\n\n## A\ntext\n\n\n* a\nend\n'
  const now = before.replace('text', 'changed')
  const [, changed] = parsePage(now).document.nodes
  assert.equal(reverted(now, before, [changed!.key!]), before)
})

test('the title stays when a block beside it is reverted', () => {
  const now = '# New title\n\nB\n\nC\n'
  const [added] = parsePage(now).document.nodes
  assert.equal(reverted(now, '# Old title\n\nC\n', [added!.key!]), '# New title\n\nC\n')
  assert.equal(reverted('# New title\n', 'C\n', keysOf('C\n')), '# New title\n\nC\n')
})

test('blocks of one line are reverted together', () => {
  const before = '<p>one</p><p>two</p>\n\nend\n'
  const now = before.replace('one', 'uno').replace('two', 'due')
  const [first] = parsePage(now).document.nodes
  assert.equal(reverted(now, before, [first!.key!]), before)
})
