/** Whatever somebody does in the editor, the server accepts the document and reads it back as it was. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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
import { CHINESE } from '../../src/console/app/words-zh.ts'
import { isBlankLine } from '../../src/core/document/build.ts'
import { isFault, readDocument } from '../../src/core/document/check.ts'
import type { Block, Document } from '../../src/core/document/model.ts'
import { isFootnote, normal } from '../../src/core/document/normal-form.ts'
import { parseMarkdown } from '../../src/core/document/parse.ts'
import { printDocument } from '../../src/core/document/print.ts'
import { BLOCKS } from '../core/document/every-block.ts'
import { anyDocument } from '../core/documents.ts'
import { holds } from '../property.ts'

// The sources of the browser have a configuration of their own, with the types of the DOM.
const load = (path: string): Promise<unknown> =>
  import(new URL(`../../src/console/app/editor/${path}`, import.meta.url).href)
type Unit = { pos: number; node: Node }
const { blockOf, docOf } = (await load('convert.ts')) as {
  blockOf: (node: Node) => Block
  docOf: (blocks: Block[]) => Node
}
const { schema } = (await load('schema.ts')) as { schema: Schema }
const { keyPlugins, listOf, makeCode } = (await load('keys.ts')) as {
  keyPlugins: (openLink: Command) => Plugin[]
  listOf: (name: string) => Command
  makeCode: Command
}
const { highlightLines } = (await load('highlight.ts')) as { highlightLines: Command }
type Place = { table: Node; index: number }
const columns = (await load('columns.ts')) as {
  addColumn: (state: EditorState, place: Place, side: 0 | 1) => Transaction
  changeColumn: (state: EditorState, place: Place, change: object) => Transaction
  columnAt: (doc: Node, pos: number) => Place
  dropColumn: (state: EditorState, place: Place) => Transaction
  moveColumn: (state: EditorState, place: Place, step: -1 | 1) => Transaction | undefined
  optionsIn: (place: Place) => object[]
}
interface Insert {
  title: string
  run: unknown
}
interface InsertGroup {
  name: string
  inserts: readonly Insert[]
}
const { INSERT_GROUPS } = (await load('insert-list.ts')) as { INSERT_GROUPS: readonly InsertGroup[] }
const { insertsFor } = (await load('insert-search.ts')) as {
  insertsFor: (query: string, say: (text: string) => string, state: EditorState) => InsertGroup[]
}
const units = (await load('units.ts')) as {
  FORMS: readonly string[]
  addAfter: () => Command
  duplicate: () => Command
  moveBy: (step: number) => () => Command
  moveUnit: (tr: Transaction, unit: Unit, target: number) => boolean
  remove: () => Command
  selectAround: Command
  selectedUnit: (state: EditorState) => Unit | undefined
  turnInto: (form: string) => Command
}

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
  ...Object.fromEntries(units.FORMS.map((form) => [`turn into ${form}`, units.turnInto(form)])),
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
          column: { id: 'chosen', type, ...made(place) },
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

const documentOf = (nodes: Block[]): Document => ({ object: 'document', data: { schemaVersion: 1 }, nodes })

type Step =
  | { do: 'command'; name: string }
  | { do: 'select'; from: number; to: number }
  | { do: 'node'; at: number }
  | { do: 'type'; text: string }
  | { do: 'paste'; blocks: Block[]; from: number; to: number }
  | { do: 'drop'; at: number }

const share = fc.double({ min: 0, max: 1, noNaN: true })
/** The ids of the samples are shorter than those that Markdown can hold. */
const sample = (block: Block): Block =>
  JSON.parse(
    JSON.stringify(block).replaceAll(/"(?:f1|d1|r1|u1|install)"/g, '"abcdefgh0123456789abcd"'),
  ) as Block
const aSample = fc.constantFrom(...Object.values(BLOCKS).map(({ block }) => sample(block)))
/** Blocks as the server reads them. The definitions of footnotes are in the annotations too. */
const blocks = fc
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

const aStep: fc.Arbitrary<Step> = fc.oneof(
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

function begin(nodes: Block[]): EditorState {
  return EditorState.create({
    doc: docOf(nodes),
    plugins: [...keyPlugins(nothing), history(), tableEditing()],
  })
}

function take(state: EditorState, step: Step): EditorState {
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
  const found = (query: string) =>
    insertsFor(query, (text) => CHINESE[text] ?? text, state).flatMap(({ inserts }) =>
      inserts.map(({ title }) => title),
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
    const groups = (query: string) => insertsFor(query, (text) => text, state).map(({ name }) => name)
    assert.deepEqual(
      groups(''),
      INSERT_GROUPS.map(({ name }) => name),
    )
    assert.deepEqual(groups('openapi'), ['Code and APIs'])
    assert.deepEqual(groups('formula'), ['Tables and diagrams', 'In the line'])
  })
})
