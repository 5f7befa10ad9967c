/** Whatever somebody does in the editor, the server accepts the document and reads it back as it was. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { type EditorState, TextSelection } from 'prosemirror-state'
import type { PlainId } from '../../src/console/app/words/message-ids.ts'
import { readMessages } from '../../tools/words/print.ts'
import { inEnglish } from './words.ts'
import { isBlankLine } from '../../src/core/document/build.ts'
import { isFault, readDocument } from '../../src/core/document/shape/check.ts'
import { normal } from '../../src/core/document/normal-form.ts'
import { parseMarkdown } from '../../src/core/document/parse.ts'
import { printDocument } from '../../src/core/document/print.ts'
import { holds } from '../property.ts'
import {
  aStep,
  begin,
  blockOf,
  blocks,
  documentOf,
  INSERT_GROUPS,
  type InsertGroup,
  load,
  makeCode,
  type Step,
  take,
} from './editor-steps.ts'

const { insertsFor } = (await load('editor/commands/insert-search.ts')) as {
  insertsFor: (query: string, say: (id: PlainId) => string[], state: EditorState) => InsertGroup[]
}

/** What the server stores of a document, and reads. */
function accepted(doc: Node): void {
  doc.check()
  const sent = doc.children.map(blockOf).filter((block) => !isBlankLine(block))
  const read = readDocument(JSON.parse(JSON.stringify(documentOf(sent))))
  if (isFault(read)) throw new Error(`${read.path} ${read.message}`)
  const back = parseMarkdown(printDocument(read)).document
  assert.deepEqual(normal(back).nodes, normal(read).nodes)
}

/** What has failed once. */
const FAILED: [string, Step[]][] = [
  // ProseMirror made an image without a picture for the text.
  [
    '<div><figure><img src="a.png" alt=""><figcaption></figcaption></figure> <figure><img src="b.png" alt=""><figcaption></figcaption></figure></div>',
    [
      { do: 'command', name: 'around' },
      { do: 'type', text: 'a' },
      { do: 'select', from: 0, to: 0 },
    ],
  ],
  // A paragraph that was dropped among updates became an update without a date.
  [
    'Plain.\n\n{% updates %}\n{% update date="2026-01-31" %}\nFaster.\n{% endupdate %}\n{% endupdates %}\n',
    [{ do: 'drop', at: 0.96 }],
  ],
  // Markdown has no bold text in a highlighted line.
  [
    '<pre><code><strong>one two\n</strong></code></pre>\n',
    [
      { do: 'select', from: 0, to: 0.5 },
      { do: 'command', name: 'bold' },
    ],
  ],
]

describe('whatever somebody does in the editor', () => {
  test('the server accepts the document and reads it back', () => {
    holds(
      fc.property(blocks, fc.array(aStep, { minLength: 1, maxLength: 12 }), (start, steps) => {
        let state = begin(start)
        for (const step of steps) {
          state = take(state, step)
          accepted(state.doc)
        }
      }),
      {
        cases: 3000,
        byDefault: 30,
        examples: FAILED.map(([markdown, steps]) => [parseMarkdown(markdown).document.nodes, steps]),
      },
    )
  })
})

test('a line with a text becomes code, in which the caret stays where it was', () => {
  let state = begin(parseMarkdown('const a = 1\n').document.nodes)
  for (const [at, text] of [
    [12, '1 line'],
    [6, 'in it'],
  ] as const) {
    state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)))
    makeCode(state, (tr) => {
      assert.equal(tr.selection.$from.parent.type.name, 'code_line', text)
      assert.equal(tr.selection.$from.parentOffset, at - 1, text)
    })
  }
})

describe('what one can insert', () => {
  const state = begin(parseMarkdown('Text.\n').document.nodes)
  const chinese = readMessages('zh')
  const spellingsOf = (id: PlainId) => [inEnglish(id), chinese[id]!]
  const found = (query: string) =>
    insertsFor(query, spellingsOf, state).flatMap(({ inserts }) =>
      inserts.map(({ title }) => inEnglish(title)),
    )

  test('is found by its name, by other words for it and by what it is for', () => {
    for (const [query, title] of [
      ['', 'Heading 1'],
      ['form', 'Formula'],
      ['picture', 'Image'],
      ['note', 'Hint'],
      ['callout', 'Hint'],
      ['toc', 'Heading 1'],
      ['youtube', 'Embed'],
      ['changelog', 'Updates'],
      ['check boxes', 'Task list'],
      ['code', 'Code'],
      ['图片', 'Image'],
      ['视频', 'Embed'],
    ] as const)
      assert.equal(found(query)[0], title, query)
    assert(found('image').includes('Image in the line'))
    assert.deepEqual(found('nothing like it'), [])
    assert(!found('anel').includes('Hint'), 'words are found by their beginnings')
  })

  test('is in groups, of which a search leaves those that fit', () => {
    const groups = (query: string) => insertsFor(query, spellingsOf, state).map(({ name }) => inEnglish(name))
    assert.deepEqual(
      groups(''),
      INSERT_GROUPS.map(({ name }) => inEnglish(name)),
    )
    assert.deepEqual(groups('openapi'), ['Code and APIs'])
    assert.deepEqual(groups('formula'), ['Tables and diagrams', 'In the line'])
  })
})
