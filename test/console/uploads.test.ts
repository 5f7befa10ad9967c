/** Files that are uploaded while somebody writes on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Node, Schema } from 'prosemirror-model'
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state'

// The editor has types of the browser, which tests have not.
const part = (path: string) => import(new URL(`../../src/console/app/${path}`, import.meta.url).href)
const { newTable } = await part('editor/commands/inserts.ts')
const { schema } = (await part('content/schema/schema.ts')) as { schema: Schema }
const { beginUpload, endUpload, insertUploaded, uploadPlaces } = await part(
  'editor/commands/upload-places.ts',
)

const paragraph = (text: string) => schema.node('paragraph', null, text === '' ? [] : [schema.text(text)])
const FILE = { id: 'a', name: 'plan.pdf', contentType: 'application/pdf' }

function editing(...blocks: Node[]) {
  const view = {
    state: EditorState.create({ doc: schema.node('doc', null, blocks), plugins: [uploadPlaces] }),
    dispatch(tr: Transaction) {
      view.state = view.state.apply(tr)
    },
    /** Puts the caret at the end of a text. */
    caretAfter(text: string) {
      let found = -1
      view.state.doc.descendants((node, pos) => {
        if (node.isText && node.text === text) found = pos + node.nodeSize
      })
      view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, found)))
    },
  }
  return view
}

test('an uploaded file is inserted where the upload began, and the caret stays where the writer is', () => {
  const view = editing(paragraph('First'), paragraph('Second'))
  view.caretAfter('First')
  const upload = beginUpload(view)
  // Meanwhile, the writer writes above the place and below it.
  view.dispatch(view.state.tr.insert(0, paragraph('Above')))
  view.caretAfter('Second')
  insertUploaded(view, upload, FILE)
  insertUploaded(view, upload, { ...FILE, id: 'b' })
  endUpload(view, upload)
  const blocks = view.state.doc.children.filter(
    ({ type, content }) => type.name === 'file' || content.size > 0,
  )
  assert.deepEqual(
    blocks.map(({ type, textContent, attrs }) => (type.name === 'file' ? attrs.data.ref.file : textContent)),
    ['Above', 'First', 'a', 'b', 'Second'],
  )
  view.dispatch(view.state.tr.insertText('!'))
  assert(view.state.doc.textContent.endsWith('Second!'))
})

test('a file other than an image becomes a link in the cell of a table', () => {
  const view = editing(newTable(2, 1))
  let cell = -1
  view.state.doc.descendants((node, pos) => {
    if (cell < 0 && node.type.name === 'table_cell') cell = pos
  })
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, cell + 2)))
  const upload = beginUpload(view)
  insertUploaded(view, upload, FILE)
  insertUploaded(view, upload, { ...FILE, id: 'b' })
  const inside = view.state.doc.nodeAt(cell)!
  assert.equal(inside.textContent, 'plan.pdf plan.pdf')
  const refs = inside.firstChild!.children.map(({ marks }) => marks[0]?.attrs.ref?.file as string | undefined)
  assert.deepEqual(refs, ['a', undefined, 'b'])
})
