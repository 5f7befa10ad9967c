/** The elements of blocks with controls: groups and their members, code, headers of tables, and blocks that are one thing. */
import { DOMSerializer, type Node } from 'prosemirror-model'
import type { EditorView, NodeView, NodeViewConstructor } from 'prosemirror-view'
import type { Length, TableView } from '../../../../core/document/model.ts'
import type { PlainId } from '../../words/message-ids.ts'
import { t } from '../../words/words.ts'
import { shownAtom } from '../schema/atoms.ts'
import { ignoresControls } from './controls.ts'
import { diagramSource } from './parts/diagram-source.ts'
import { SourceDrawing } from './parts/source-drawing.ts'
import { columnOf } from '../schema/columns.ts'
import { blockType } from '../schema/node-names.ts'
import { element } from '../../ui/element.ts'
import { hasFields } from '../schema/without-fields.ts'
import { nameOfNode } from '../schema/names.ts'
import type { Ask } from './questions.ts'
import type { HeaderAttrs } from '../schema/schema-table.ts'
import { addAfter } from '../schema/units.ts'

/** The values that a view needs in order to ask about its node. */
export interface Asking {
  view: EditorView
  getPos: () => number | undefined
  ask: Ask
}

const dataOf = (node: Node) => node.attrs.data as Record<string, unknown>

/** A length as CSS has it. */
export const cssLength = (value: Length): string =>
  typeof value === 'number' ? `${value}px` : `${value.value}${value.unit}`

/** A button that asks about a node. It is no part of the text. */
function askButton(
  { view, getPos, ask }: Asking,
  attributes: Record<string, string>,
  text: string,
  field?: string,
): HTMLElement {
  const button = element('button', { type: 'button', contenteditable: 'false', ...attributes }, text)
  button.addEventListener('click', (event) => {
    event.preventDefault()
    const pos = getPos()
    const node = pos === undefined ? null : view.state.doc.nodeAt(pos)
    if (pos === undefined || !node) return
    if (node.type.name === 'table_header') ask({ kind: 'column', node, pos })
    else if (node.type.name === 'table') ask({ kind: 'table', node, pos })
    else ask({ kind: 'settings', node, pos, ...(field !== undefined && { field }) })
  })
  return button
}

/** The button that opens the settings of a node. */
export const settingsButton = (asking: Asking, label: string, text = '⋯'): HTMLElement =>
  askButton(asking, { class: 'node-settings', 'aria-label': label }, text)

/** The button that asks for the description of an image that has none. */
export const describeButton = (asking: Asking): HTMLElement =>
  askButton(asking, { class: 'describe-image' }, `+ ${t('editor.describe-this-image')}`, 'alt')

/** Returns the label of the settings of a node. */
export const settingsOf = (node: Node): string => `${t('common.settings')}: ${t(nameOfNode(node.type))}`

/** Whether a node has settings. */
export const hasSettings = (node: Node): boolean => node.type.name === 'table' || hasFields(node.type)

const isOwn = (event: Event) =>
  event.target instanceof Element && event.target.closest('.node-settings, .add-member') !== null

/** A block that is one thing, with a button for its settings. */
export const atomView =
  (ask: Ask): NodeViewConstructor =>
  (node, view, getPos) => {
    const shown = shownAtom(blockType(node.type.name), dataOf(node), {})
    const dom = DOMSerializer.renderSpec(document, shown).dom
    if (view.editable && hasSettings(node))
      dom.append(settingsButton({ view, getPos, ask }, settingsOf(node)))
    const drawing = view.editable ? new SourceDrawing() : undefined
    const source = diagramSource(node)
    if (drawing && source !== undefined) dom.append(drawing.dom)
    drawing?.draw(source)
    return { dom, stopEvent: isOwn, ignoreMutation: () => true, destroy: () => drawing?.end() }
  }

const ABOUT_DIAGRAMS = 'editor.readers-see-diagram-graph'

/** Code, with the name of its language. */
export const codeView =
  (ask: Ask): NodeViewConstructor =>
  (node, view, getPos) => {
    const content = element('code')
    const pre = element('pre', { tabindex: '0' }, content)
    const dom = element('div', { class: 'code-block' }, pre)
    const title = element('span', { class: 'code-title', contenteditable: 'false' })
    dom.prepend(title)
    const button = view.editable ? settingsButton({ view, getPos, ask }, settingsOf(node)) : undefined
    const about = element('p', { class: 'code-about', contenteditable: 'false' }, t(ABOUT_DIAGRAMS))
    const drawing = new SourceDrawing()
    if (button) {
      dom.prepend(button)
      dom.append(about, drawing.dom)
    }
    const show = (one: Node) => {
      const { syntax, title: name, overflow, lineNumbers } = dataOf(one)
      title.textContent = typeof name === 'string' ? name : ''
      title.hidden = title.textContent === ''
      pre.classList.toggle('wrapped', overflow === 'wrap')
      pre.classList.toggle('numbered', lineNumbers === true)
      if (!button) return
      const source = diagramSource(one)
      // The drawing says what is wrong with a source, so the hint is for the first words.
      about.hidden = source === undefined || source.trim() !== ''
      drawing.draw(source)
      button.textContent = typeof syntax === 'string' ? syntax : t('common.language')
      button.setAttribute('aria-label', `${button.textContent} – ${settingsOf(one)}`)
    }
    show(node)
    return { ...withContent(node, dom, content, show), destroy: () => drawing.end() }
  }

/** A view with content, which is updated as long as its type is the same. */
function withContent(
  node: Node,
  dom: HTMLElement,
  content: HTMLElement,
  show: (node: Node) => void,
): NodeView {
  return {
    dom,
    contentDOM: content,
    update(next) {
      if (next.type !== node.type) return false
      show(next)
      return true
    },
    stopEvent: isOwn,
    ignoreMutation: ignoresControls,
  }
}

/** A button that adds a member to the end of a group. */
export function addMemberButton(
  view: EditorView,
  getPos: () => number | undefined,
  label: PlainId,
): HTMLElement {
  const button = element(
    'button',
    { type: 'button', class: 'add-member', contenteditable: 'false' },
    `+ ${t(label)}`,
  )
  button.addEventListener('click', (event) => {
    event.preventDefault()
    const pos = getPos()
    const group = pos === undefined ? null : view.state.doc.nodeAt(pos)
    if (pos === undefined || !group?.lastChild) return
    const last = pos + group.nodeSize - 1 - group.lastChild.nodeSize
    addAfter({ pos: last, node: group.lastChild })(view.state, view.dispatch, view)
    view.focus()
  })
  return button
}

/** A group, with a button that adds a member. */
export function groupView(tag: 'div' | 'ol', label: PlainId): NodeViewConstructor {
  return (node, view, getPos) => {
    const content = element(tag, { class: 'members' })
    const dom = element('div', { class: `group-of-${node.type.name}` }, content)
    if (view.editable) dom.append(addMemberButton(view, getPos, label))
    return withContent(node, dom, content, () => undefined)
  }
}

/** A column of a layout, with its width. */
export const columnView: NodeViewConstructor = (node) => {
  const dom = element('div', { class: 'column' })
  const show = (one: Node) => {
    const { width, verticalAlignment } = dataOf(one) as { width?: Length; verticalAlignment?: string }
    dom.style.flex = width === undefined ? '' : `0 1 ${cssLength(width)}`
    dom.style.alignSelf = { middle: 'center', bottom: 'end' }[verticalAlignment ?? ''] ?? ''
  }
  show(node)
  return withContent(node, dom, dom, show)
}

/** A table: rows and columns, or cards. */
export const tableView =
  (ask: Ask): NodeViewConstructor =>
  (node, view, getPos) => {
    const content = element('tbody')
    const wrapper = element('div', { class: 'table-wrapper', tabindex: '0' }, element('table', {}, content))
    const dom = element('div', { class: 'table-block' }, wrapper)
    if (view.editable) dom.append(settingsButton({ view, getPos, ask }, settingsOf(node)))
    const show = (one: Node) => {
      const { view: shown } = dataOf(one) as { view: TableView }
      dom.classList.toggle('cards', shown.type === 'cards')
      dom.classList.toggle('large', shown.type === 'cards' && shown.cardSize === 'large')
      dom.classList.toggle('headless', shown.type === 'grid' && shown.hideHeader)
    }
    show(node)
    return withContent(node, dom, content, show)
  }

/** The title of a column, with a button for the column. */
export const headerView =
  (ask: Ask): NodeViewConstructor =>
  (node, view, getPos) => {
    const content = element('span', { class: 'header-title', 'data-empty': t('common.title') })
    const dom = element('th', { scope: 'col' }, content)
    if (view.editable)
      dom.append(settingsButton({ view, getPos, ask }, `${t('common.settings')}: ${t('block.column')}`, '▾'))
    const show = (one: Node) => {
      const { isHidden, width, column } = one.attrs as HeaderAttrs
      dom.classList.toggle('hidden-column', isHidden)
      dom.style.width = width === null ? '' : `${width}px`
      dom.style.textAlign = column?.type === 'text' ? column.textAlignment : ''
    }
    show(node)
    return withContent(node, dom, content, show)
  }

/** A cell of text, as its column is aligned. */
export const textCellView: NodeViewConstructor = (node, view, getPos) => {
  const dom = element('td')
  const show = () => {
    const pos = getPos()
    if (pos === undefined) return
    const $pos = view.state.doc.resolve(pos)
    const column = columnOf({ table: $pos.node(-1), tablePos: 0, index: $pos.index() })
    dom.style.textAlign = column.type === 'text' ? column.textAlignment : ''
  }
  queueMicrotask(show)
  return withContent(node, dom, dom, () => queueMicrotask(show))
}
