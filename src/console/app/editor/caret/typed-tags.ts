/** Notes below tags of conditions that are typed as text: they hide nothing, whatever their writer meant. */
import type { Node, ResolvedPos } from 'prosemirror-model'
import { Plugin, TextSelection } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { conditionsIn } from '../../../../core/document/markdown/lookalikes.ts'
import { t } from '../../words/words.ts'
import { blockOf } from '../../content/schema/convert.ts'
import { valueTagsIn } from '../saving/value-tags.ts'
import { isInCell } from './cell-content.ts'
import { element } from '../../ui/element.ts'
import { schema } from '../../content/schema/schema.ts'

const { nodes } = schema

/** The tags of a block, and the end of the block from the start of the top-level one. */
interface Tagged {
  tags: readonly string[]
  end: number
  /** The tags are in values of the block, such as a title. */
  isValue?: true
}

/** So many notes are shown. */
const MOST = 20
/** The end of a tag is not looked for further away. */
const LONGEST_TAG = 1100
const CLOSING = /^[{｛][^%％]{0,3}[%％][^\p{L}/]{0,9}(?:end|\/)/iu

/** The tags of a text that open a condition, or look like that. */
function tagsIn(text: string): string[] {
  const tags: string[] = []
  let done = 0
  for (const at of conditionsIn(text)) {
    if (at < done) continue
    const line = text.slice(at, at + LONGEST_TAG)
    const tag = /^.{2,}?[%％]\s?[}｝]/u.exec(line)?.[0] ?? line
    if (!CLOSING.test(tag)) tags.push(tag)
    done = at + tag.length
  }
  return tags
}

/** The text in which somebody can have meant a tag: not that of code. */
function blockTagText(block: Node): string {
  if (block.type.spec.code === true) return ''
  let text = ''
  block.descendants((node) => {
    const isCode = node.marks.some(({ type }) => type.name === 'code')
    text += (isCode ? undefined : node.text) ?? '\ufffc'
  })
  return text
}

const known = new WeakMap<Node, readonly Tagged[]>()

/** The blocks in a block with tags. A part of a block, such as a title, counts for the whole block. */
function taggedIn(block: Node): readonly Tagged[] {
  const before = known.get(block)
  if (before) return before
  const found: Tagged[] = []
  const visit = (node: Node, pos: number, end: number) => {
    const tags = node.isTextblock ? tagsIn(blockTagText(node)) : []
    if (tags.length > 0) found.push({ tags, end })
    if (node.isTextblock) return
    const holdsBlocks = node.type.spec.content === 'block+'
    node.forEach((child, offset) => {
      const start = pos + 1 + offset
      visit(child, start, holdsBlocks ? start + child.nodeSize : end)
    })
  }
  visit(block, 0, block.nodeSize)
  const tags = valueTagsIn(blockOf(block))
  if (tags.length > 0) found.push({ tags, end: block.nodeSize, isValue: true })
  known.set(block, found)
  return found
}

/**
 * Shows the notes. A note goes once its tag is changed, or its writer keeps it as text.
 * @param doc the text at first, whose writer knows its tags
 */
export function typedTags(doc: Node): Plugin {
  const kept = new Set<string>()
  const keep = (block: Node) => {
    for (const { tags, isValue } of taggedIn(block)) if (!isValue) for (const tag of tags) kept.add(tag)
  }
  doc.forEach(keep)
  const draw = (view: EditorView, getPos: () => number | undefined) => noteOn(view, getPos, keep)
  return new Plugin({
    props: {
      decorations(state) {
        const notes: Decoration[] = []
        state.doc.forEach((block, pos) => {
          for (const { tags, end, isValue } of taggedIn(block)) {
            if (notes.length === MOST) continue
            if (isValue) notes.push(Decoration.widget(pos + end, noteOnValue, { ...NOTE, key: 'value' }))
            if (isValue || tags.every((tag) => kept.has(tag))) continue
            // Notes with the same key are not drawn anew while somebody writes.
            const key = opened(state.doc.resolve(pos + end)) === undefined ? 'text' : 'tag'
            notes.push(Decoration.widget(pos + end, draw, { ...NOTE, key }))
          }
        })
        return DecorationSet.create(state.doc, notes)
      },
    },
  })
}

/** The caret is never in a note, and its buttons are no part of the text. */
const NOTE = { side: -1, ignoreSelection: true, stopEvent: () => true }

function noteOn(
  view: EditorView,
  getPos: () => number | undefined,
  keep: (block: Node) => void,
): HTMLElement {
  const note = noteWith(t('editor.readers-see-tag-text'))
  const add = (label: string, run: ($end: ResolvedPos) => void) => {
    const button = element('button', { type: 'button', class: 'button' }, label)
    button.addEventListener('click', () => {
      run(view.state.doc.resolve(getPos()!))
      view.focus()
    })
    note.append(button)
  }
  if (opened(view.state.doc.resolve(getPos()!)) !== undefined)
    add(t('editor.make-condition'), ($end) => makeCondition(view, $end))
  add(t('editor.keep-text'), ($end) => {
    keep($end.nodeBefore!)
    view.updateState(view.state)
  })
  return note
}

/** A note below a block with a tag in a value, which stays until the writer removes the tag. */
const noteOnValue = () => noteWith(t('editor.title-address-another-value'))

function noteWith(text: string): HTMLElement {
  const about = element('p', { role: 'status' })
  // A screen reader reads what changes in an element that is there.
  setTimeout(() => about.append(text))
  return element('div', { class: 'typed-tag', contenteditable: 'false' }, about)
}

/** The words of a tag that is all of a paragraph. */
function tagWords({ type, children, textContent }: Node): string | undefined {
  const tag = textContent.trim()
  const isTag = type === nodes.paragraph && children.every(({ isText }) => isText) && /^\{%\s/.test(tag)
  return isTag && tag.indexOf('%}') === tag.length - 2 ? tag.slice(2, -2).trim() : undefined
}

/** The condition that the paragraph before a position opens. A cell holds no conditions. */
function opened($end: ResolvedPos): string | undefined {
  const words = $end.nodeBefore && !isInCell($end) ? tagWords($end.nodeBefore) : undefined
  return words?.startsWith('if ') ? words.slice(3).trim() : undefined
}

/** Replaces the tag before a position, and the blocks up to the end of its condition, by the condition. */
function makeCondition(view: EditorView, $end: ResolvedPos): void {
  const expression = opened($end)
  if (expression === undefined) return
  const below = $end.parent.children.slice($end.index())
  let depth = 0
  const closing = below.map(tagWords).findIndex((words) => {
    if (words?.startsWith('if ')) depth += 1
    return words === 'endif' && depth-- === 0
  })
  const inside = below.slice(0, Math.max(closing, 0))
  const replaced = below.slice(0, closing + 1)
  const from = $end.pos - $end.nodeBefore!.nodeSize
  const to = replaced.reduce((at, { nodeSize }) => at + nodeSize, $end.pos)
  const text = inside.length > 0 ? inside : nodes.paragraph!.create()
  const tr = view.state.tr.replaceWith(from, to, nodes.if!.create({ data: { expression } }, text))
  view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(from + 1))).scrollIntoView())
}
