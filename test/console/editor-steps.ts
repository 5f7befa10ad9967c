/** What somebody does in the editor, in any order, without a browser. */
import type { PlainId } from '../../src/console/app/words/message-ids.ts'
import fc from 'fast-check'
import type { Node, Schema, Slice } from 'prosemirror-model'
import {
  type Command,
  EditorState,
  NodeSelection,
  type Plugin,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { baseKeymap, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  tableEditing,
} from 'prosemirror-tables'
import type { Block, Document } from '../../src/core/document/model.ts'
import { isFootnote } from '../../src/core/document/normal-form.ts'
import { parseMarkdown } from '../../src/core/document/parse.ts'
import { printDocument } from '../../src/core/document/print.ts'
import { BLOCKS } from '../core/document/every-block.ts'
import { anyDocument } from '../core/documents.ts'

// The sources of the browser have a configuration of their own, with the types of the DOM.
export const load = (path: string): Promise<unknown> =>
  import(new URL(`../../src/console/app/${path}`, import.meta.url).href)
type Unit = { pos: number; node: Node }
export const { blockOf, docOf } = (await load('content/schema/convert.ts')) as {
  blockOf: (node: Node) => Block
  docOf: (blocks: Block[]) => Node
}
export const { schema } = (await load('content/schema/schema.ts')) as { schema: Schema }
export const { keyPlugins, listOf, makeCode } = (await load('editor/commands/keys.ts')) as {
  keyPlugins: (openLink: Command) => Plugin[]
  listOf: (name: string) => Command
  makeCode: Command
}
const { highlightLines } = (await load('editor/commands/highlight.ts')) as { highlightLines: Command }
type Place = { table: Node; index: number }
const columns = (await load('content/schema/columns.ts')) as {
  addColumn: (state: EditorState, place: Place, side: 0 | 1) => Transaction
  changeColumn: (state: EditorState, place: Place, change: object) => Transaction
  columnAt: (doc: Node, pos: number) => Place
  dropColumn: (state: EditorState, place: Place) => Transaction
  moveColumn: (state: EditorState, place: Place, step: -1 | 1) => Transaction | undefined
  optionsIn: (place: Place) => object[]
}
interface Insert {
  title: PlainId
  run: unknown
}
export interface InsertGroup {
  name: PlainId
  inserts: readonly Insert[]
}
export const { INSERT_GROUPS } = (await load('editor/commands/insert-list.ts')) as {
  INSERT_GROUPS: readonly InsertGroup[]
}
const units = (await load('content/schema/units.ts')) as {
  addAfter: () => Command
  duplicate: () => Command
  moveBy: (step: number) => () => Command
  moveUnit: (tr: Transaction, unit: Unit, target: number) => boolean
  remove: () => Command
  selectAround: Command
  selectedUnit: (state: EditorState) => Unit | undefined
}
const { FORMS, turnInto } = (await load('editor/commands/turn-into.ts')) as {
  FORMS: readonly string[]
  turnInto: (form: string) => Command
}

export const idOf = (header: Node) => (header.attrs.column as { id: string }).id

/** A change of a column, which the selection chooses. */
const onColumn =
  (change: (state: EditorState, place: Place) => Transaction | undefined): Command =>
  (state, dispatch) => {
    const headers: number[] = []
    state.doc.descendants((node, pos) => {
      if (node.type === schema.nodes.table_header) headers.push(pos)
    })
    const pos = headers[state.selection.from % headers.length]
    const tr = pos === undefined ? undefined : change(state, columns.columnAt(state.doc, pos))
    if (tr) dispatch?.(tr)
    return tr !== undefined
  }

const COLUMNS: Record<string, (place: Place) => object> = {
  text: () => ({ textAlignment: 'right' }),
  number: () => ({}),
  checkbox: () => ({}),
  rating: () => ({ max: 5 }),
  select: (place) => ({ multiple: false, options: columns.optionsIn(place) }),
  'content-ref': () => ({}),
  image: () => ({}),
}

/** Commands that need no browser, by name. */
const COMMANDS: Record<string, Command> = {
  ...Object.fromEntries(
    INSERT_GROUPS.flatMap(({ inserts }) => inserts).flatMap(({ title, run }): [string, Command][] =>
      typeof run === 'function' ? [[`insert ${title}`, run as Command]] : [],
    ),
  ),
  ...Object.fromEntries(FORMS.map((form) => [`turn into ${form}`, turnInto(form)])),
  ...Object.fromEntries(
    ['Enter', 'Backspace', 'Delete', 'Mod-a'].map((key) => [key, baseKeymap[key]!] as const),
  ),
  up: units.moveBy(-1)(),
  down: units.moveBy(1)(),
  duplicate: units.duplicate(),
  remove: units.remove(),
  'add after': units.addAfter(),
  around: units.selectAround,
  list: listOf('list_unordered'),
  numbers: listOf('list_ordered'),
  tasks: listOf('list_tasks'),
  code: makeCode,
  heading: setBlockType(schema.nodes.heading_1!),
  quote: wrapIn(schema.nodes.blockquote!),
  bold: toggleMark(schema.marks.bold!),
  'mark code': toggleMark(schema.marks.code!),
  sink: sinkListItem(schema.nodes.list_item!),
  lift: liftListItem(schema.nodes.list_item!),
  split: splitListItem(schema.nodes.list_item!),
  undo,
  redo,
  row: addRowAfter,
  column: addColumnAfter,
  'no row': deleteRow,
  'no column': deleteColumn,
  'no table': deleteTable,
  'column before': onColumn((state, place) => columns.addColumn(state, place, 0)),
  'move column': onColumn((state, place) => columns.moveColumn(state, place, 1)),
  'drop column': onColumn(columns.dropColumn),
  ...Object.fromEntries(
    Object.entries(COLUMNS).map(([type, made]) => [
      `column of ${type}`,
      onColumn((state, place) =>
        columns.changeColumn(state, place, {
          column: { id: idOf(place.table.firstChild!.child(place.index)), type, ...made(place) },
          isHidden: false,
          width: null,
          title: 'Title',
          view: (place.table.attrs.data as { view: object }).view,
        }),
      ),
    ]),
  ),
  highlight: highlightLines,
}

export const documentOf = (nodes: Block[]): Document => ({
  object: 'document',
  data: { schemaVersion: 1 },
  nodes,
})

export type Step =
  | { do: 'command'; name: string }
  | { do: 'select'; from: number; to: number }
  | { do: 'node'; at: number }
  | { do: 'type'; text: string }
  | { do: 'paste'; blocks: Block[]; from: number; to: number }
  | { do: 'drop'; at: number }

export const share = fc.double({ min: 0, max: 1, noNaN: true })
/** The ids of the samples are shorter than those that Markdown can hold. */
const sample = (block: Block): Block =>
  JSON.parse(
    JSON.stringify(block).replaceAll(/"(?:f1|d1|r1|u1|install)"/g, '"abcdefgh0123456789abcd"'),
  ) as Block
const aSample = fc.constantFrom(...Object.values(BLOCKS).map(({ block }) => sample(block)))
/** Blocks as the server reads them. The definitions of footnotes are in the annotations too. */
export const blocks = fc
  .oneof(
    fc.array(
      aSample.filter(({ type }) => isFree(type)),
      { minLength: 1, maxLength: 4 },
    ),
    anyDocument.map(({ nodes }) => nodes),
  )
  .map((nodes) =>
    parseMarkdown(printDocument(documentOf(nodes))).document.nodes.filter((block) => !isFootnote(block)),
  )
const isFree = (type: string) =>
  !['list-item', 'code-line', 'image', 'tabs-item', 'stepper-step', 'column', 'update'].includes(type)

export const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(...Object.keys(COMMANDS)).map((name): Step => ({ do: 'command', name })),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('select' as const), from: share, to: share }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('node' as const), at: share }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('type' as const),
      text: fc.constantFrom('a', ' ', '* ', 'word', '1. ', '\n', '|', '# '),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('paste' as const), blocks, from: share, to: share }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const), at: share }) },
)

const nothing: Command = () => false

export function begin(nodes: Block[]): EditorState {
  return EditorState.create({
    doc: docOf(nodes),
    plugins: [...keyPlugins(nothing), history(), tableEditing()],
  })
}

export function take(state: EditorState, step: Step): EditorState {
  let next = state
  const dispatch = (tr: Transaction) => {
    next = next.applyTransaction(tr).state
  }
  const { doc, tr } = state
  const at = (part: number) => placeIn(doc, part)
  switch (step.do) {
    case 'command':
      COMMANDS[step.name]!(state, dispatch)
      break
    case 'select':
      dispatch(tr.setSelection(TextSelection.between(doc.resolve(at(step.from)), doc.resolve(at(step.to)))))
      break
    case 'node': {
      const places: number[] = []
      doc.descendants((node, pos) => {
        if (NodeSelection.isSelectable(node)) places.push(pos)
      })
      const place = places[Math.floor(step.at * (places.length - 1))]
      if (place !== undefined) dispatch(tr.setSelection(NodeSelection.create(doc, place)))
      break
    }
    case 'type':
      dispatch(tr.insertText(step.text))
      break
    case 'paste':
      dispatch(tr.replaceSelection(cut(docOf(step.blocks), step.from, step.to)))
      break
    case 'drop': {
      const unit = units.selectedUnit(state)
      if (unit && units.moveUnit(tr, unit, at(step.at))) dispatch(tr)
    }
  }
  return next
}

/** A place in a document. Browsers never put a caret into a character of two code units. */
function placeIn(doc: Node, part: number): number {
  const place = Math.floor(part * doc.content.size)
  const { nodeBefore, nodeAfter } = doc.resolve(place)
  const isWithin =
    /[\uD800-\uDBFF]$/.test(nodeBefore?.text ?? '') && /^[\uDC00-\uDFFF]/.test(nodeAfter?.text ?? '')
  return isWithin ? place + 1 : place
}

function cut(doc: Node, a: number, b: number): Slice {
  const [from = 0, to = 0] = [a, b].map((part) => placeIn(doc, part)).toSorted((x, y) => x - y)
  return doc.slice(from, to)
}
