/** Tabs that are written: a strip with their titles, and the panel of the open one. The open tab is where the caret is. */
import type { Node } from 'prosemirror-model'
import { TextSelection } from 'prosemirror-state'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import { element } from '../../../ui/element.ts'
import { t } from '../../../words/words.ts'
import { addMemberButton } from '../block-views.ts'
import { ignoresControls, setDataAt } from '../controls.ts'
import { openTabsAt, positionOfTab, shownTabs, tabReachedBy, type TabGroup, titlesOf } from './open-tabs.ts'

/** A tab of the strip. The title of the open one is a field; that of another one is a button, which opens it. */
interface StripTab {
  dom: HTMLElement
  button: HTMLButtonElement
  field: HTMLInputElement
}

/** Puts the caret at the start of a tab, which opens it. */
function enterTab(view: EditorView, group: TabGroup, index: number): void {
  const pos = positionOfTab(group, index)
  const caret = TextSelection.near(view.state.doc.resolve(pos + 1), 1)
  view.dispatch(view.state.tr.setSelection(caret))
  openTabsAt(view, [pos])
}

/** Whether a key leaves the title: an arrow at its edge, and every arrow where nothing can be written. */
function isAtEdge({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLInputElement)) return true
  const { selectionStart, selectionEnd, value } = target
  if (key === 'Home' || key === 'End' || selectionStart !== selectionEnd) return false
  return selectionStart === (key === 'ArrowLeft' ? 0 : value.length)
}

/** The strip of a group: its tabs, and what happens when one is pointed at or left by a key. */
class TabStrip {
  readonly dom: HTMLElement
  readonly #view: EditorView
  readonly #group: () => TabGroup | undefined
  readonly #tabs: StripTab[] = []

  constructor(view: EditorView, getPos: () => number | undefined) {
    this.#view = view
    this.#group = () => {
      const pos = getPos()
      const group = pos === undefined ? null : view.state.doc.nodeAt(pos)
      return pos !== undefined && group ? { group, pos } : undefined
    }
    const add = addMemberButton(view, getPos, 'editor.add-a-tab')
    const attributes = { class: 'tab-list', role: 'group', 'aria-label': t('block.tabs') }
    this.dom = element('div', { ...attributes, contenteditable: 'false' }, add)
  }

  show(group: Node, shown: number): void {
    const titles = titlesOf(group)
    while (this.#tabs.length > titles.length) this.#tabs.pop()!.dom.remove()
    for (const [index, title] of titles.entries()) {
      const { dom, button, field } = (this.#tabs[index] ??= this.#add(index))
      const { title: written, tags } = group.child(index).attrs.data as { title?: unknown; tags?: string[] }
      button.replaceChildren(title)
      for (const tag of tags ?? []) button.append(' ', element('span', { class: 'tag' }, tag))
      field.value = typeof written === 'string' ? written : ''
      field.placeholder = title
      const isShown = index === shown
      dom.toggleAttribute('data-open', isShown)
      button.hidden = isShown
      field.hidden = !isShown
    }
  }

  #add(index: number): StripTab {
    const button = element('button', { type: 'button' })
    const field = element('input', { 'aria-label': t('editor.title-tab'), class: 'node-title' })
    const dom = element('span', { class: 'tab' }, button, field)
    this.dom.lastElementChild!.before(dom)
    button.addEventListener('click', () => this.#enter(index))
    field.addEventListener('change', () => {
      const group = this.#group()
      if (group) setDataAt(this.#view, positionOfTab(group, index), { title: field.value })
    })
    dom.addEventListener('keydown', (event) => this.#takeKey(event, index))
    return { dom, button, field }
  }

  #takeKey(event: KeyboardEvent, index: number): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return
    const isField = event.target instanceof HTMLInputElement
    if (isField && ['Enter', 'Escape', 'ArrowDown'].includes(event.key)) {
      event.preventDefault()
      this.#enter(index)
      return
    }
    const isRtl = getComputedStyle(this.dom).direction === 'rtl'
    const to = isAtEdge(event) ? tabReachedBy(event.key, index, this.#tabs.length, isRtl) : undefined
    const group = to === undefined ? undefined : this.#group()
    if (to === undefined || !group) return
    event.preventDefault()
    enterTab(this.#view, group, to)
    const { field } = this.#tabs[to]!
    field.focus()
    field.select()
  }

  /** Goes to the text of a tab. */
  #enter(index: number): void {
    // A title that was changed is set first: the group is another node then.
    this.#view.focus()
    const group = this.#group()
    if (group) enterTab(this.#view, group, index)
  }
}

/** A group of tabs that is written. */
export const writtenTabsView: NodeViewConstructor = (node, view, getPos, decorations) => {
  const strip = new TabStrip(view, getPos)
  strip.show(node, shownTabs(decorations).shown)
  const content = element('div', { class: 'tab-panels' })
  return {
    dom: element('div', { class: 'group-of-tabs' }, strip.dom, content),
    contentDOM: content,
    update(next, now) {
      if (next.type !== node.type) return false
      strip.show(next, shownTabs(now).shown)
      return true
    },
    stopEvent: ({ target }) => strip.dom.contains(target as globalThis.Node),
    ignoreMutation: ignoresControls,
  }
}

/** A tab that is written: its title is in the strip. */
export const writtenPanelView: NodeViewConstructor = (node) => {
  const dom = element('div', { class: 'tab-panel' })
  return { dom, contentDOM: dom, update: (next) => next.type === node.type, ignoreMutation: ignoresControls }
}
