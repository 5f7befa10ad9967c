/** The keys and the shortcuts of Markdown by which one writes. */
import { baseKeymap, chainCommands, exitCode, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { Fragment, type NodeType, Slice } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { type Command, NodeSelection, type Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import { addRowAfter, goToNextCell, isInTable } from 'prosemirror-tables'
import { highlightLines } from './highlight.ts'
import { normalizer } from '../caret/normalize.ts'
import { schema } from '../../content/schema/schema.ts'
import { duplicate, moveBy, remove, selectAround } from '../../content/schema/units.ts'

const { nodes, marks } = schema
export const type = (name: string): NodeType => nodes[name]!

/** In code, a new line; after two empty lines at its end, a paragraph below the code. */
const newCodeLine: Command = (state, dispatch) => {
  const { $from, $to, empty } = state.selection
  if ($from.parent.type !== nodes.code_line) return false
  const code = $from.node(-1)
  const isLast = $from.index(-1) === code.childCount - 1
  if (empty && isLast && code.childCount > 1 && $from.parent.content.size === 0) {
    const tr = state.tr.delete($from.before(), $from.after())
    const after = tr.mapping.map($from.after(-1))
    tr.insert(after, nodes.paragraph!.create())
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView())
    return true
  }
  if ($to.parent.type !== nodes.code_line) return false
  const tr = state.tr.deleteSelection()
  dispatch?.(tr.split(tr.selection.from, 1, [{ type: type('code_line') }]).scrollIntoView())
  return true
}

/** Code, a caption and the title of an expandable are left downwards. */
const leaveDown: Command = (state, dispatch) => {
  const { $from } = state.selection
  const names = ['code_block', 'image', 'expandable', 'table']
  for (let depth = $from.depth; depth > 0; depth--) {
    if (!names.includes($from.node(depth).type.name)) continue
    const at = $from.after($from.node(depth).type.name === 'image' ? depth - 1 : depth)
    const tr = state.tr.insert(at, nodes.paragraph!.create())
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView())
    return true
  }
  return false
}

/** Puts the caret at the end of the next title. With the title selected, the next letter would replace it. */
const goToNextTitle: Command = (state, dispatch) =>
  goToNextCell(1)(
    state,
    dispatch && ((tr) => dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(tr.selection.to), -1)))),
  )

/** In the last cell of a table, adds a row and goes to its first cell. */
const goToNewRow: Command = (state, dispatch, view) => {
  if (!isInTable(state)) return false
  const isAdded = addRowAfter(state, dispatch)
  if (isAdded && view) goToNextCell(1)(view.state, (tr) => view.dispatch(tr.scrollIntoView()))
  return isAdded
}

/** In a caption, Enter begins a paragraph below the images; in a title of an expandable, it goes to the text. */
const leaveLine: Command = (state, dispatch) => {
  const { $from } = state.selection
  const { name } = $from.parent.type
  if (name === 'image') return leaveDown(state, dispatch)
  if (name !== 'expandable_title' && name !== 'table_header') return false
  if (name === 'table_header') return goToNextTitle(state, dispatch)
  dispatch?.(state.tr.setSelection(TextSelection.near(state.doc.resolve($from.after() + 1))))
  return true
}

const PARTS = [nodes.tabs_item, nodes.stepper_step, nodes.column, nodes.update]

/** An empty line at the end of the last tab, step, column or update goes below the group. */
const leaveGroup: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.depth < 3 || $from.parent.type !== nodes.paragraph || $from.parent.content.size > 0)
    return false
  const isLast = [-1, -2].every((depth) => $from.index(depth) === $from.node(depth).childCount - 1)
  if (!PARTS.includes($from.node(-1).type) || $from.node(-1).childCount === 1 || !isLast) return false
  const tr = state.tr.delete($from.before(), $from.after())
  const after = tr.mapping.map($from.after(-2))
  tr.insert(after, nodes.paragraph.create())
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView())
  return true
}

/** A new item of a list. A new task is not done. */
const newItem: Command = (state, dispatch, view) => {
  const item = state.selection.$from.node(-1) as typeof state.doc | undefined
  const data = item?.attrs.data as { checked?: boolean } | undefined
  return splitListItem(
    nodes.list_item!,
    data?.checked === undefined ? undefined : { data: { checked: false } },
  )(state, dispatch, view)
}

const lineBreak: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent || state.selection.$from.parent.type === nodes.table_header)
    return false
  dispatch?.(state.tr.insertText('\n').scrollIntoView())
  return true
}

/** Makes a list of the paragraphs, or another kind of list of the list; ends a list of this kind. */
export function listOf(name: 'list_unordered' | 'list_ordered' | 'list_tasks'): Command {
  return (state, dispatch, view) => {
    const { $from } = state.selection
    for (let depth = $from.depth; depth > 0; depth--) {
      const list = $from.node(depth)
      if (list.type === nodes.list_item || !list.type.name.startsWith('list_')) continue
      if (list.type === nodes[name]) return liftListItem(nodes.list_item!)(state, dispatch, view)
      dispatch?.(state.tr.setNodeMarkup($from.before(depth), nodes[name], { data: {} }))
      return true
    }
    return wrapInList(nodes[name]!)(state, dispatch)
  }
}

/** Replaces the text block of the caret by code with its text. */
export const makeCode: Command = (state, dispatch) => {
  const { $from, $to } = state.selection
  if (!$from.sameParent($to) || $from.parent.type !== nodes.paragraph || $from.depth < 1) return false
  const lines = $from.parent.textContent.split('\n')
  const before = $from.parent.textBetween(0, $from.parentOffset).split('\n')
  // Each line before that of the caret has two tokens beside its text.
  const caret = before.reduce((sum, { length }) => sum + length, 2 * before.length)
  const code = nodes.code_block!.create(
    null,
    lines.map((line) => nodes.code_line!.create(null, line === '' ? [] : [schema.text(line)])),
  )
  const tr = state.tr.replaceRangeWith($from.before(), $from.after(), code)
  const at = Math.min($from.before() + caret, $from.before() + code.nodeSize - 2)
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(at))).scrollIntoView())
  return true
}

const markRule = (pattern: RegExp, name: string) =>
  new InputRule(pattern, (state, match, start, end) => {
    const text = match[2] ?? ''
    const from = start + (match[1] ?? '').length
    const tr = state.tr.delete(from, end).insert(from, schema.text(text, [marks[name]!.create()]))
    return tr.removeStoredMark(marks[name]!)
  })

const MARK_RULES = [
  markRule(/(^|\s|[(“"'])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, 'bold'),
  markRule(/(^|[\s(“"'])[*_]([^*_\s](?:[^*_]*[^*_\s])?)[*_]$/, 'italic'),
  markRule(/(^|[\s(“"'])~~([^~\s](?:[^~]*[^~\s])?)~~$/, 'strikethrough'),
  markRule(/(^|[^`])`([^`]+)`$/, 'code'),
]

const rules = inputRules({
  rules: [
    textblockTypeInputRule(/^#\s$/, type('heading_1')),
    textblockTypeInputRule(/^##\s$/, type('heading_1')),
    textblockTypeInputRule(/^###\s$/, type('heading_2')),
    textblockTypeInputRule(/^####\s$/, type('heading_3')),
    wrappingInputRule(/^\[ ?\]\s$/, type('list_tasks')),
    wrappingInputRule(/^\s*[-*+]\s$/, type('list_unordered')),
    wrappingInputRule(/^(\d{1,9})[.)]\s$/, type('list_ordered'), ([, start]) =>
      start === '1' ? { data: {} } : { data: { start: Number(start) } },
    ),
    wrappingInputRule(/^>\s$/, type('blockquote')),
    new InputRule(/^```(\w*)\s$/, (state, match, start, end) => {
      const $start = state.doc.resolve(start)
      if ($start.parent.type !== nodes.paragraph || $start.parent.content.size !== end - start) return null
      return codeInstead(state.tr, $start.before(), $start.after(), match[1] ?? '')
    }),
    new InputRule(/^---$/, (state, _match, start) => {
      const $start = state.doc.resolve(start)
      if ($start.parent.type !== nodes.paragraph) return null
      const tr = state.tr.replaceRangeWith($start.before(), $start.after(), type('divider').create())
      const after = $start.before() + 1
      tr.insert(after, type('paragraph').create())
      return tr.setSelection(TextSelection.create(tr.doc, after + 1))
    }),
    ...MARK_RULES,
  ],
})

/** Replaces a range by empty code. */
function codeInstead(tr: Transaction, from: number, to: number, syntax: string): Transaction {
  const data = syntax === '' ? {} : { syntax }
  tr.replaceRangeWith(from, to, type('code_block').create({ data }, type('code_line').create()))
  return tr.setSelection(TextSelection.near(tr.doc.resolve(from + 2)))
}

/** In code, "```" and Enter begin it. */
const fence: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  const found = /^```(\w*)$/.exec($from.parent.textContent)
  if (!empty || !found || $from.parent.type !== nodes.paragraph) return false
  dispatch?.(codeInstead(state.tr, $from.before(), $from.after(), found[1] ?? ''))
  return true
}

/** Text that is pasted into code becomes lines of it. */
export function linesOf(text: string): Slice {
  const lines = text.split(/\r\n?|\n/)
  return new Slice(
    Fragment.from(
      lines.map((line) => type('code_line').create(null, line === '' ? [] : [schema.text(line)])),
    ),
    1,
    1,
  )
}

const markKeys = (openLink: Command): Record<string, Command> => ({
  'Mod-z': undo,
  'Mod-y': redo,
  'Shift-Mod-z': redo,
  'Mod-b': toggleMark(marks.bold!),
  'Mod-i': toggleMark(marks.italic!),
  'Mod-e': toggleMark(marks.code!),
  'Mod-k': openLink,
  Backspace: undoInputRule,
})

/** Removes an empty line beside a table. @param side 1 if the table is below the line, −1 if it is above it */
const withoutEmptyLine =
  (side: 1 | -1): Command =>
  (state, dispatch) => {
    const { $from, empty } = state.selection
    if (!empty || !$from.parent.isTextblock || $from.parent.content.size > 0) return false
    const [around, index] = [$from.node(-1), $from.index(-1)]
    if (around.maybeChild(index + side)?.type !== nodes.table || !around.canReplace(index, index + 1))
      return false
    const tr = state.tr.delete($from.before(), $from.after())
    const caret = TextSelection.near(tr.doc.resolve($from.before()), side)
    dispatch?.(tr.setSelection(caret).scrollIntoView())
    return true
  }

/** The command, unless it would select a whole table, whose cells the next letter would empty. */
const notOntoTable =
  (command: Command): Command =>
  (state, dispatch, view) =>
    command(
      state,
      dispatch &&
        ((tr) => {
          const { selection } = tr
          const isOnTable = selection instanceof NodeSelection && selection.node.type === nodes.table
          if (!isOnTable) dispatch(tr)
          else if (tr.docChanged) dispatch(tr.setSelection(TextSelection.near(selection.$from, -1)))
        }),
      view,
    )

/** The keys of the library, of which those that delete select no table. */
const baseKeys = Object.fromEntries(
  Object.entries(baseKeymap).map(([key, command]) => [
    key,
    /Backspace|Delete|^Ctrl-[dh]$|^Alt-d$/.test(key) ? notOntoTable(command) : command,
  ]),
)

/** The plugins for the keys of a text that is one paragraph. @param openLink asks for the target of a link */
export function lineKeys(openLink: Command): Plugin[] {
  return [inputRules({ rules: MARK_RULES }), keymap(markKeys(openLink)), keymap(baseKeymap)]
}

/** The plugins for keys. @param openLink asks for the target of a link */
export function keyPlugins(openLink: Command): Plugin[] {
  const item = type('list_item')
  return [
    rules,
    normalizer,
    keymap({
      ...markKeys(openLink),
      'Mod-Alt-0': setBlockType(type('paragraph')),
      'Mod-Alt-1': setBlockType(type('heading_1')),
      'Mod-Alt-2': setBlockType(type('heading_2')),
      'Mod-Alt-3': setBlockType(type('heading_3')),
      'Shift-Mod-7': listOf('list_ordered'),
      'Shift-Mod-8': listOf('list_unordered'),
      'Shift-Mod-9': wrapIn(type('blockquote')),
      'Alt-ArrowUp': moveBy(-1)(),
      'Alt-ArrowDown': moveBy(1)(),
      'Shift-Mod-d': duplicate(),
      'Shift-Mod-k': remove(),
      'Shift-Mod-h': highlightLines,
      Escape: selectAround,
      Enter: chainCommands(newCodeLine, fence, leaveLine, leaveGroup, newItem),
      'Mod-Enter': chainCommands(leaveDown, exitCode),
      'Shift-Enter': lineBreak,
      Backspace: chainCommands(undoInputRule, withoutEmptyLine(-1)),
      Delete: withoutEmptyLine(1),
      Tab: chainCommands(sinkListItem(item), goToNextCell(1), goToNewRow),
      'Shift-Tab': chainCommands(liftListItem(item), goToNextCell(-1)),
    }),
    keymap(baseKeys),
  ]
}
