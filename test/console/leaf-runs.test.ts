/** The ranges of comments count the text of a block as the server does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Node } from 'prosemirror-model'
import { leafText } from '../../src/core/document/leaf-text.ts'
import type { Block } from '../../src/core/document/model.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { CORPORA, pagesToTry, withoutCorpora } from '../corpus.ts'

// The sources of the browser have a configuration of their own, with the types of the DOM.
const load = (path: string): Promise<unknown> =>
  import(new URL(`../../src/console/app/${path}`, import.meta.url).href)
interface Range {
  start: number
  end: number
}
interface Shown {
  node: Node
  pos: number
  block: Block
  key: string
}
const { docOf } = (await load('content/schema/convert.ts')) as { docOf: (blocks: readonly Block[]) => Node }
const { piecesOf, placeBetween, shownBlocks } = (await load(
  'features/space/commented-page/leaf-runs.ts',
)) as {
  piecesOf: (shown: Shown, range: Range) => { from: number; to: number }[]
  placeBetween: (
    doc: Node,
    from: number,
    to: number,
  ) => { key: string; range?: Range; goesOn?: boolean } | undefined
  shownBlocks: (doc: Node) => Shown[]
}

const docIn = (markdown: string) => docOf(parsePage(`# Home\n\n${markdown}\n`).document.nodes)
/** The text of a document between the first and the last of some words. */
function selected(doc: Node, first: string, last: string) {
  const found: number[] = []
  doc.descendants((node, pos) => {
    const text = node.text ?? ''
    if (text.includes(first)) found[0] ??= pos + text.indexOf(first)
    if (text.includes(last)) found[1] ??= pos + text.indexOf(last) + last.length
  })
  const place = placeBetween(doc, found[0]!, found[1]!)
  const shown = shownBlocks(doc).find(({ key }) => key === place?.key)
  const words = shown && place?.range && leafText(shown.block).slice(place.range.start, place.range.end)
  return { place, shown, words }
}

test('words with marks, links, notes and signs between them are one range', () => {
  const doc = docIn(
    'A **very** good lamp[^1] with :bulb: and [a *blue* link](https://example.com).\n\n[^1]: It is red.',
  )
  const { place, shown, words } = selected(doc, 'ery', 'blu')
  assert.match(words ?? '', /^ery good lamp with .*and a blu$/)
  const pieces = piecesOf(shown!, place!.range!)
  assert.equal(pieces.map(({ from, to }) => doc.textBetween(from, to)).join(''), words)
})

test('what is selected in several blocks is a range of the first one', () => {
  const doc = docIn('One is here.\n\nTwo is there.')
  const { words, place } = selected(doc, 'is here', 'Two')
  assert.deepEqual([words, place?.goesOn], ['is here.', true])
  const [, second] = shownBlocks(doc)
  // A triple click selects a paragraph and ends at the beginning of the next one.
  for (const end of [second!.pos, second!.pos + 1]) assert.equal(placeBetween(doc, 1, end)?.goesOn, false)
  assert.equal(placeBetween(doc, 1, second!.pos + 2)?.goesOn, true)
})

test('a block whose text has no ranges is commented on as a whole', () => {
  const code = selected(docIn('```js\nconst one = 1\n```'), 'one', 'one')
  assert.deepEqual([code.shown?.block.type, code.place?.range], ['code', undefined])
  const title = selected(docIn('<details>\n\n<summary>Why</summary>\n\nBecause.\n\n</details>'), 'Why', 'Why')
  assert.equal(title.shown?.block.type, 'expandable')
})

for (const corpus of CORPORA)
  test(`every text of ${corpus} has its ranges`, { skip: withoutCorpora }, () => {
    let count = 0
    for (const [path, source] of pagesToTry(corpus, 2)) {
      const doc = docOf(parsePage(source).document.nodes)
      for (const shown of shownBlocks(doc)) {
        const text = leafText(shown.block)
        if (!shown.node.isTextblock || shown.node.type.name === 'image' || text === '') continue
        const pieces = piecesOf(shown, { start: 0, end: text.length })
        assert.equal(pieces.map(({ from, to }) => doc.textBetween(from, to)).join(''), text, path)
        count++
      }
    }
    assert(count > 50, `${count}`)
  })
