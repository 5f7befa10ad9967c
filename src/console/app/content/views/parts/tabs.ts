/** Tabs of a page that is read: a list of titles, and the panel of one of them. */
import type { Node } from 'prosemirror-model'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import { element } from '../../../ui/element.ts'
import { openTabsAt, positionOfTab, shownTabs, tabGroupsOf, tabReachedBy, titlesOf } from './open-tabs.ts'

const kindOf = (group: Node): string => JSON.stringify(titlesOf(group).toSorted())

/** Opens a tab, and those with its title in all groups with the same titles, as published pages do. */
function choose(view: EditorView, pos: number, index: number): void {
  const { doc } = view.state
  const group = doc.nodeAt(pos)
  if (!group) return
  const title = titlesOf(group)[index]!
  const kind = kindOf(group)
  const alike = tabGroupsOf(doc)
    .filter((other) => other.pos !== pos && kindOf(other.group) === kind)
    .map((other) => positionOfTab(other, titlesOf(other.group).indexOf(title)))
  openTabsAt(view, [...alike, positionOfTab({ group, pos }, index)])
}

/** A group of tabs. */
export const tabsView: NodeViewConstructor = (node, view, getPos, decorations) => {
  const { ids } = shownTabs(decorations)
  const tabs = titlesOf(node).map((title, index) => {
    const id = `${ids}-${index}`
    return element('button', { type: 'button', role: 'tab', id, 'aria-controls': `${id}-panel` }, title)
  })
  const list = element('div', { class: 'tab-list', role: 'tablist' }, ...tabs)
  const content = element('div', { class: 'tab-panels' })

  const show = (shown: number) => {
    for (const [index, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(index === shown))
      tab.tabIndex = index === shown ? 0 : -1
    }
  }
  const open = (index: number) => {
    const pos = getPos()
    if (pos === undefined) return
    const { top } = list.getBoundingClientRect()
    choose(view, pos, index)
    // Groups above may have changed their height: the tab stays where it was pressed.
    scrollBy({ top: list.getBoundingClientRect().top - top, behavior: 'instant' })
  }
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => open(index))
    tab.addEventListener('keydown', (event) => {
      const to = tabReachedBy(event.key, index, tabs.length, getComputedStyle(list).direction === 'rtl')
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      open(to)
      tabs[to]!.focus({ preventScroll: true })
      tabs[to]!.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    })
  }
  show(shownTabs(decorations).shown)
  return {
    dom: element('div', { class: 'group-of-tabs' }, list, content),
    contentDOM: content,
    update(next, now) {
      if (next !== node) return false
      show(shownTabs(now).shown)
      return true
    },
    stopEvent: () => true,
    ignoreMutation: () => true,
  }
}

/** A tab that is read: its title is in the list. */
export const tabPanelView: NodeViewConstructor = () => {
  const dom = element('div', { class: 'tab-panel' })
  return { dom, contentDOM: dom, ignoreMutation: () => true }
}
