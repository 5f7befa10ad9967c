/** Puts what was chosen from the completion into a text of the editor. */
import type { Node } from 'prosemirror-model'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { emojiCode } from '../../ui/emoji-code.ts'
import type { ContentRef } from '../../../../core/document/model.ts'
import { schema } from '../../content/schema/schema.ts'
import type { Completed } from './completions.ts'
import { type Trigger, triggerAtEnd } from './trigger.ts'

const { nodes, marks } = schema
/** Marks in which signs are letters like others. */
const LITERAL = [marks.code!, marks.keyboard!]

/** In characters. What is further away from the caret of a line is not looked at. */
const LONGEST_LINE = 2000

/** Finds the sign before the caret of a text; there is none in code. */
export function triggerAt({ selection, storedMarks }: EditorState): Trigger | undefined {
  const { $from, empty } = selection
  if (!empty || !(selection instanceof TextSelection) || !$from.parent.inlineContent) return undefined
  if ($from.parent.type.spec.code === true) return undefined
  const set = storedMarks ?? $from.marks()
  return LITERAL.some((mark) => mark.isInSet(set))
    ? undefined
    : triggerAtEnd(textUpTo($from.parent, $from.parentOffset))
}

/** The text of a line up to a place. What is code or no text has U+FFFC for each of its tokens. */
function textUpTo(line: Node, end: number): string {
  const start = Math.max(0, end - LONGEST_LINE)
  let text = ''
  line.nodesBetween(start, end, (node, pos, parent) => {
    if (parent !== line) return false
    const from = Math.max(0, start - pos)
    const isLiteral = LITERAL.some((mark) => mark.isInSet(node.marks))
    text += ((isLiteral ? undefined : node.text) ?? '\uFFFC'.repeat(node.nodeSize)).slice(from, end - pos)
    return false
  })
  return text
}

/** What is put in place of the sign; undefined for a page that has to be made first. */
function contentFor(completed: Completed): Node | undefined {
  switch (completed.is) {
    case 'mention':
      return nodes.mention!.create({ data: { ref: completed.ref } })
    case 'link':
      return linkTo(completed.ref, completed.title)
    case 'text':
      return schema.text(completed.text)
    case 'emoji':
      return nodes.emoji!.create({ data: { code: emojiCode(completed.emoji) } })
    case 'icon':
      return nodes.icon!.create({ data: { icon: completed.icon } })
    case 'variable':
      return nodes.expression!.create({ data: { expression: completed.expression } })
    default:
      return undefined
  }
}

const linkTo = (ref: ContentRef, title: string): Node => schema.text(title, [marks.link!.create({ ref })])

/** Whether something can be put at the caret: titles of columns, for example, hold text alone. */
export function canComplete({ selection: { $from } }: EditorState, completed: Completed): boolean {
  const { parent } = $from
  const node = contentFor(completed) ?? linkTo({ kind: 'anchor', anchor: '' }, 'x')
  const index = $from.index()
  return (
    parent.canReplaceWith(index, index, node.type) &&
    node.marks.every(({ type }) => parent.type.allowsMarkType(type))
  )
}

/** Replaces the sign and the text after it, up to the caret. @returns undefined for a page that has to be made first */
export function completing(
  state: EditorState,
  length: number,
  completed: Completed,
): Transaction | undefined {
  const node = contentFor(completed)
  const { $from } = state.selection
  return node && replaced(state, $from.pos - length, $from.pos, node)
}

/** Links a page that was made, where its title stands after the sign. @returns undefined if that has been changed */
export function linkingMade(
  state: EditorState,
  typed: { from: number; text: string },
  ref: ContentRef,
  title: string,
): Transaction | undefined {
  const { doc } = state
  const isAt = (pos: number) => {
    const end = pos + typed.text.length
    return end <= doc.content.size && doc.textBetween(pos, end, '\n', '\uFFFC') === typed.text
  }
  let from = isAt(typed.from) ? typed.from : undefined
  // Words that somebody writes above it move it.
  doc.descendants((node, pos) => {
    if (from !== undefined) return false
    const at = node.text?.indexOf(typed.text) ?? -1
    if (at >= 0) from = pos + at
    return true
  })
  return from === undefined ? undefined : replaced(state, from, from + typed.text.length, linkTo(ref, title))
}

function replaced(state: EditorState, from: number, to: number, node: Node): Transaction {
  const around = state.doc
    .resolve(from)
    .marks()
    .filter(({ type }) => type !== marks.link)
  const marked = node.mark(around.reduce((set, mark) => mark.addToSet(set), node.marks))
  const isAtCaret = state.selection.empty && state.selection.from === to
  const tr = state.tr.replaceWith(from, to, marked)
  if (isAtCaret) tr.setSelection(TextSelection.create(tr.doc, from + marked.nodeSize))
  return tr.removeStoredMark(marks.link!).scrollIntoView()
}
