/** Tabs of a page that is read: a list of titles, and the panel of one of them. The editor shows all panels. */
import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView, type NodeViewConstructor } from 'prosemirror-view'
import { element } from '../../ui/element.ts'
import { t } from '../../words/words.ts'

/** The open tab of each group, by the position of the group. A group that is not there shows its first tab. */
type Chosen = ReadonlyMap<number, number>

interface TabsState {
  /** Begins the ids of the elements, because a screen can show several documents. */
  name: string
  chosen: Chosen
  panels: DecorationSet
}

const KEY = new PluginKey<TabsState>('tabs')
let made = 0

/** Keeps which tabs are open, and hides the panels of the others. */
export function openTabs(): Plugin<TabsState> {
  return new Plugin<TabsState>({
    key: KEY,
    state: {
      init(_config, { doc }) {
        made += 1
        const name = `tabs-${made}`
        return { name, chosen: new Map(), panels: panelsOf(doc, name, new Map()) }
      },
      apply(tr, before) {
        const more = tr.getMeta(KEY) as Chosen | undefined
        if (!more) return before
        const chosen = new Map([...before.chosen, ...more])
        return { ...before, chosen, panels: panelsOf(tr.doc, before.name, chosen) }
      },
    },
    props: { decorations: (state) => KEY.getState(state)?.panels },
  })
}

function groupsOf(doc: Node): { group: Node; pos: number }[] {
  const groups: { group: Node; pos: number }[] = []
  doc.descendants((node, pos) => {
    if (node.type.name === 'tabs') groups.push({ group: node, pos })
    return !node.isTextblock
  })
  return groups
}

function panelsOf(doc: Node, name: string, chosen: Chosen): DecorationSet {
  const panels = groupsOf(doc).flatMap(({ group, pos }) => {
    const open = chosen.get(pos) ?? 0
    const found: Decoration[] = []
    group.forEach((item, offset, index) => {
      const from = pos + 1 + offset
      const id = `${name}-${pos}-${index}`
      found.push(
        Decoration.node(from, from + item.nodeSize, {
          id: `${id}-panel`,
          role: 'tabpanel',
          'aria-labelledby': id,
          ...(index === open ? {} : { hidden: '' }),
        }),
      )
    })
    return found
  })
  return DecorationSet.create(doc, panels)
}

const titlesOf = (group: Node): string[] =>
  group.children.map((item, index) => {
    const { title } = item.attrs.data as { title?: unknown }
    return (typeof title === 'string' && title.trim()) || t('editor.tab-number', { number: index + 1 })
  })

const kindOf = (group: Node): string => JSON.stringify(titlesOf(group).toSorted())

/** Opens the tabs around a block, and the tab itself if the block is one. */
export function openTabsAround(view: EditorView, pos: number): void {
  const $pos = view.state.doc.resolve(pos)
  const chosen = new Map<number, number>()
  for (let depth = 1; depth <= $pos.depth; depth++)
    if ($pos.node(depth).type.name === 'tabs') chosen.set($pos.before(depth), $pos.index(depth))
  if (chosen.size > 0) view.dispatch(view.state.tr.setMeta(KEY, chosen))
}

/** Opens a tab, and those with its title in all groups with the same titles, as published pages do. */
function choose(view: EditorView, pos: number, index: number): void {
  const { doc, tr } = view.state
  const group = doc.nodeAt(pos)
  if (!group) return
  const title = titlesOf(group)[index]!
  const kind = kindOf(group)
  const alike = groupsOf(doc)
    .filter((other) => other.pos !== pos && kindOf(other.group) === kind)
    .map((other) => [other.pos, titlesOf(other.group).indexOf(title)] as const)
  view.dispatch(tr.setMeta(KEY, new Map([...alike, [pos, index]])))
}

/** A group of tabs. */
export const tabsView: NodeViewConstructor = (node, view, getPos) => {
  const name = `${KEY.getState(view.state)?.name}-${getPos()}`
  const tabs = titlesOf(node).map((title, index) => {
    const id = `${name}-${index}`
    return element('button', { type: 'button', role: 'tab', id, 'aria-controls': `${id}-panel` }, title)
  })
  const list = element('div', { class: 'tab-list', role: 'tablist' }, ...tabs)
  const content = element('div', { class: 'tab-panels' })

  const show = () => {
    const pos = getPos()
    const open = (pos === undefined ? undefined : KEY.getState(view.state)?.chosen.get(pos)) ?? 0
    for (const [index, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(index === open))
      tab.tabIndex = index === open ? 0 : -1
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
      const to = reachedBy(event.key, index, tabs.length, getComputedStyle(list).direction === 'rtl')
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      open(to)
      tabs[to]!.focus({ preventScroll: true })
      tabs[to]!.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    })
  }
  show()
  return {
    dom: element('div', { class: 'group-of-tabs' }, list, content),
    contentDOM: content,
    update(next) {
      if (next !== node) return false
      show()
      return true
    },
    stopEvent: () => true,
    ignoreMutation: () => true,
  }
}

/** The tab that a key leads to. */
function reachedBy(key: string, index: number, count: number, isRtl: boolean): number | undefined {
  const step = isRtl ? -1 : 1
  switch (key) {
    case 'ArrowRight':
      return (index + step + count) % count
    case 'ArrowLeft':
      return (index - step + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}

/** A tab: its title is in the list. */
export const tabPanelView: NodeViewConstructor = () => {
  const dom = element('div', { class: 'tab-panel' })
  return { dom, contentDOM: dom, ignoreMutation: () => true }
}
