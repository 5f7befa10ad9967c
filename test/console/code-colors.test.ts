/** Which code the console has coloured, and where the colours are. The browser is in `reading.test.ts`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Node } from 'prosemirror-model'
import type { CodeToken } from '../../src/core/document/html/renderer.ts'
import type { Block } from '../../src/core/document/model.ts'

// The sources of the browser have a configuration of their own, with the types of the DOM.
const load = (path: string): Promise<unknown> =>
  import(new URL(`../../src/console/app/${path}`, import.meta.url).href)
const { docOf } = (await load('content/schema/convert.ts')) as { docOf: (blocks: readonly Block[]) => Node }
interface CodeBlock {
  code: string
  syntax: string
}
interface Color {
  from: number
  to: number
  type: { attrs: { class: string } }
}
const { batchesOf, codeBlocksOf, colorsOf } = (await load('content/views/code-colors.ts')) as {
  batchesOf: (blocks: readonly CodeBlock[]) => CodeBlock[][]
  codeBlocksOf: (doc: Node) => CodeBlock[]
  colorsOf: (block: CodeBlock, found: readonly CodeToken[][]) => Color[]
}

/** A block of code. The words of a line are leaves, of which each second is bold. */
function codeBlock(lines: string[][], syntax?: string): Block {
  const nodes = lines.map((words) => {
    const leaves = words.map((text, i) => ({
      object: 'leaf',
      text,
      marks: i % 2 ? [{ object: 'mark', type: 'bold' }] : [],
    }))
    return { object: 'block', type: 'code-line', data: {}, nodes: [{ object: 'text', leaves }] }
  })
  return { object: 'block', type: 'code', data: syntax ? { syntax } : {}, nodes } as unknown as Block
}
const paragraph = { object: 'block', type: 'paragraph', data: {}, nodes: [] } as unknown as Block
const quote = (...nodes: Block[]) =>
  ({ object: 'block', type: 'blockquote', data: {}, nodes }) as unknown as Block

test('the colours are those of the tokens, also where a mark begins inside of one, and inside of other blocks', () => {
  const doc = docOf([paragraph, quote(paragraph, codeBlock([['let ', 'na', 'me'], [], ['1', '2']], 'js'))])
  const [block] = codeBlocksOf(doc)
  assert.equal(block?.code, 'let name\n\n12')
  const found: CodeToken[][] = [
    [{ length: 3, kind: 'keyword' }, { length: 1 }, { length: 4, kind: 'variable' }],
    [],
    [{ length: 2, kind: 'constant' }],
  ]
  const shown = colorsOf(block, found).map(({ from, to, type }) => [
    doc.textBetween(from, to),
    type.attrs.class,
  ])
  assert.deepEqual(shown, [
    ['let', 'tk'],
    ['na', 'tv'],
    ['me', 'tv'],
    ['1', 'tn'],
    ['2', 'tn'],
  ])
  // An answer about other code, such as that of another version of the server.
  assert.deepEqual(colorsOf(block, found.slice(1)), [])
  const tooLong = colorsOf(block, [[{ length: 99, kind: 'keyword' }], [{ length: 9, kind: 'tag' }], []])
  assert.equal(tooLong.map(({ from, to }) => doc.textBetween(from, to)).join(''), 'let name')
})

test('code without a language and long code stay plain, and a request is bounded', () => {
  const long = Array.from({ length: 3000 }, () => ['a = 1 + 2'])
  const blocks = codeBlocksOf(docOf([codeBlock([['a']]), codeBlock([[]], 'js'), codeBlock(long, 'js')]))
  assert.deepEqual(blocks, [])

  const many = Array.from({ length: 400 }, (_, i) => ({ code: 'x'.repeat(i * 50), syntax: 'js' }))
  const batches = batchesOf(many)
  const size = (batch: CodeBlock[]) => batch.reduce((sum, { code }) => sum + code.length, 0)
  assert(batches.length > 2)
  assert(batches.every((batch) => batch.length <= 50 && size(batch) <= 100_000))
  assert(size(batches.flat()) <= 300_000)
  assert.deepEqual(batches.flat(), many.slice(0, batches.flat().length), 'in the order of the page')
})
