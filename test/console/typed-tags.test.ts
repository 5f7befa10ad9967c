/** A tag of a condition that somebody types as text: where a note about it is. A browser shows it in typed-tags-writing.test.ts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Node } from 'prosemirror-model'
import { EditorState, type Plugin } from 'prosemirror-state'
import type { DecorationSet } from 'prosemirror-view'
import { block, paragraph } from '../../src/core/document/build.ts'
import { parseMarkdown } from '../../src/core/document/parse.ts'
import { BLOCKS } from '../core/document/every-block.ts'
import { docOf, load } from './editor-steps.ts'

const { typedTags } = (await load('editor/caret/typed-tags.ts')) as { typedTags: (doc: Node) => Plugin }

/** The texts before the notes on a document. @param first the document as it was opened */
function notedIn(doc: Node, first = docOf([])): string[] {
  const plugin = typedTags(first)
  const state = EditorState.create({ doc })
  const notes = plugin.props.decorations!.call(plugin, state) as DecorationSet
  return notes.find().map(({ from }) => doc.resolve(from).nodeBefore!.textContent)
}
const docWith = (markdown: string) => docOf(parseMarkdown(markdown).document.nodes)

const TAG = '{% if visitor.claims.plan == "pro" %}'

describe('a note on a typed tag', () => {
  for (const text of [
    TAG,
    `Before ${TAG} and behind.`,
    '{%if a%}',
    '{%- if a -%}',
    '{% IF a %}',
    '{% if a',
    '｛％ if a ％｝',
    '{% unless a %}',
    '{% elsif a %}',
    '{% endif %} {% if a %}',
  ])
    test(`is below what opens a condition: ${text}`, () => {
      assert.deepEqual(notedIn(docOf([paragraph(text)])), [text])
      assert.deepEqual(notedIn(docOf([paragraph(text)]), docOf([paragraph(text)])), [], 'it was there')
    })

  for (const [name, doc] of Object.entries({
    'another tag': docOf([paragraph('{% hint %} {{ if a }} % if')]),
    'an end': docOf([paragraph('{% endif %} {% end if %}')]),
    'inline code': docWith(`Write \`${TAG}\`.`),
    code: docWith(`\`\`\`\n${TAG}\n\`\`\``),
    'a condition': docWith(`${TAG}\n\none\n\n{% endif %}`),
  }))
    test(`is not on ${name}`, () => assert.deepEqual(notedIn(doc), []))

  test('is below the innermost block that can have a block below it', () => {
    const inside = (type: 'blockquote' | 'hint') => block(type, {}, [paragraph(TAG), paragraph('two')])
    for (const type of ['blockquote', 'hint'] as const)
      assert.deepEqual(notedIn(docOf([paragraph('one'), inside(type)])), [TAG])
    const escaped = String.raw`\{% if a %}`
    for (const [markdown, noted] of [
      [`- one\n- ${escaped}\n`, '{% if a %}'],
      [`| A | B |\n| - | - |\n| ${escaped} | two |\n`, '{% if a %}'],
    ] as const)
      assert.deepEqual(notedIn(docWith(markdown)), [noted], markdown)
  })

  test('is on no block of another kind, and at most twenty are shown', () => {
    assert.deepEqual(notedIn(docOf(Object.values(BLOCKS).map((one) => one.block))), [])
    const many = Array.from({ length: 50 }, (_, i) => paragraph(`{% if a == ${i} %}`))
    assert.equal(notedIn(docOf(many)).length, 20)
  })

  test('takes time in proportion to the text', () => {
    for (const part of ['{% if ', '{% if a %}', '{', '{%', '{% endif ', '{% if a %\n']) {
      const begun = performance.now()
      notedIn(docOf([paragraph(part.repeat(20_000))]))
      assert(performance.now() - begun < 3000, part)
    }
  })
})
