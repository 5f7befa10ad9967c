/** A tag of a condition that somebody types into a value of a block, such as a title, keeps no page from being saved. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Node } from 'prosemirror-model'
import { EditorState, type Plugin } from 'prosemirror-state'
import type { DecorationSet } from 'prosemirror-view'
import { block, inline, line, paragraph, voidBlock } from '../../src/core/document/build.ts'
import { isFault, readDocument } from '../../src/core/document/shape/check.ts'
import type { Block } from '../../src/core/document/model.ts'
import { plainValues } from '../../src/core/document/shape/plain-values.ts'
import { BLOCKS } from '../core/document/every-block.ts'
import { docOf, load } from './editor-steps.ts'

interface Unsaved {
  title?: string
  entries: Block[]
}
const { withoutTags } = (await load('editor/saving/value-tags.ts')) as {
  withoutTags: (unsaved: Unsaved) => Unsaved
}
const { typedTags } = (await load('editor/caret/typed-tags.ts')) as { typedTags: (doc: Node) => Plugin }

const TAG = '{% if a %}'

/** How many notes a document has. */
function countNotes(blocks: Block[]): number {
  const doc = docOf(blocks)
  const plugin = typedTags(doc)
  return (plugin.props.decorations!.call(plugin, EditorState.create({ doc })) as DecorationSet).find().length
}

const whole = Object.entries(BLOCKS).filter(([, one]) => !isFault(readDocument({ nodes: [one.block] })))
const values: [name: string, Block][] = [
  ...whole.map(([name, one]): [string, Block] => [name, one.block]),
  ['image', block('images', {}, [BLOCKS.image.block])],
  ['embed', voidBlock('embed', { url: 'https://a.example' })],
]

for (const [name, one] of values)
  for (const [nth, value] of [...plainValues([one], '')].entries()) {
    if (typeof value.data[value.name] !== 'string') continue
    test(`a tag in "${value.name}" of a block is saved as its words, and has a note: ${name}`, () => {
      const typed = structuredClone(one)
      const { data, name: field } = [...plainValues([typed], '')][nth]!
      const words = data[field] as string
      data[field] = `${TAG}${words} x`
      assert(isFault(readDocument({ nodes: [typed] })), 'the server refuses it')
      const { entries } = withoutTags({ entries: [paragraph('Before.'), typed] })
      assert(!isFault(readDocument({ nodes: entries })))
      assert.equal([...plainValues([entries[1]!], '')][nth]!.data[field], `${words} x`)
      assert.equal(countNotes([one]), 0)
      assert.equal(countNotes([typed]), 1)
    })
  }

test('a tag in an address is removed, and one within a condition stays', () => {
  const ref = { kind: 'url', url: `https://a.example/${TAG}b` } as const
  const linked = block('paragraph', {}, line([inline('link', { ref }, line([{ text: 'a', marks: [] }]))]))
  const within = block('if', { expression: 'a' }, [linked])
  const { entries } = withoutTags({ entries: [linked, within] })
  assert.match(JSON.stringify(entries[0]), /"https:\/\/a\.example\/b"/)
  assert.equal(entries[1], within)
  assert.deepEqual([countNotes([linked]), countNotes([within])], [1, 0])
})

test('the title of a page is saved without a tag', () => {
  assert.deepEqual(withoutTags({ title: `A ${TAG}b{% endif %} c`, entries: [] }), {
    title: 'A b c',
    entries: [],
  })
})
