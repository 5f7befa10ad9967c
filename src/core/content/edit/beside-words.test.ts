/** An edit at the edge of a text keeps the element or the reference around it as its author wrote it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeText } from '../../../../test/core/letter-edits.ts'
import { toDocument } from '../../document/to-document.ts'
import { parsePage } from '../../document/parse.ts'
import type { Block } from '../../document/model.ts'
import { editBlocks } from './edit-blocks.ts'

const LINK = '<a href="https://x.org" target="_blank" id="z">docs</a>'
const NEW_TEXTS = [
  'docs!',
  'docs guide',
  'the docs',
  'docs.',
  '"docs"',
  'Docs',
  'guide',
  'doc s',
  '(docs',
  'docs: all',
]

test('the text of a link of HTML changes alone', () => {
  for (const [before, behind] of [
    ['See ', ' b.'],
    ['', ' b.'],
    ['See ', ''],
    ['Docs, see ', ', and docs.'],
  ]) {
    const source = `${before}${LINK}${behind}\n`
    for (const isWhole of [true, false])
      for (const text of NEW_TEXTS) {
        const edited = changeText(source, { text: before === '' ? 0 : 1, isWhole }, () => text)
        const after = edited?.after.replaceAll('&quot;', '"')
        assert.equal(
          after,
          source.replace('>docs<', () => `>${text}<`),
          text,
        )
      }
  }
})

test('the alternative text of an image of HTML changes alone', () => {
  const source = 'An <img src="i.png" alt="C" width="20" align="left"> b.\n'
  for (const alt of ['C logo', 'The C', 'C!', 'D']) {
    const document = toDocument(parsePage(source).document)
    const blocks = document.nodes.map((block) => JSON.parse(JSON.stringify(block)) as Block)
    for (const node of blocks[0]?.nodes ?? [])
      if (node.object === 'inline' && node.type === 'inline-image') node.data.alt = alt
    const edited = editBlocks({ source, references: new Map(), entries: blocks.map((block) => ({ block })) })
    assert.ok('source' in edited)
    assert.equal(edited.source, source.replace('"C"', `"${alt}"`))
  }
})

test('a link whose text is its label keeps its definition when the text changes', () => {
  const definitions = '\n[docs]: https://x.org "Title"\n[b *c*]: y.md\n'
  const kept = (line: string, text: string, isWhole: boolean) =>
    changeText(`${line}\n${definitions}`, { text: 1, isWhole }, () => text)?.after
  for (const text of ['docs!', 'the docs', 'guide', 'd'])
    for (const isWhole of [true, false])
      for (const [line, short] of [
        ['See [docs] and [docs][].', '[docs]'],
        ['See [docs][] and [docs].', '[docs][]'],
        ['- See [docs]: [b *c*]', '[docs]'],
        ['> See [Docs](z.md), (docs)', 'Docs'],
        ['See [docs][docs] [x].', '[docs][docs]'],
      ] as const) {
        const changed = short === 'Docs' ? text : `[${text}][docs]`
        assert.equal(kept(line, text, isWhole), `${line.replace(short, () => changed)}\n${definitions}`)
      }
  // The text has formatting, and the label keeps it.
  const [before, after] = ['[b *c*] and', '[bee *c*][b *c*] and'].map((line) => `${line}\n${definitions}`)
  assert.equal(changeText(before!, { text: 0, isWhole: true }, () => 'bee ')?.after, after)
  // Brackets that are no link stay text.
  const plain = `A [note] here.\n${definitions}`
  assert.equal(
    changeText(plain, { text: 0, isWhole: true }, (was) => was.replace('note', 'notes'))?.after,
    plain.replace('note', 'notes'),
  )
})
