/** Which tabs of a document are open, and the panels that are hidden. A group without an open tab shows its first one. */
import type { Node } from 'prosemirror-model'
import { NodeSelection, Plugin, PluginKey, type Selection, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { t } from '../../../words/words.ts'

interface TabsState {
  /** Begins the ids of the elements, because a screen can show several documents. Tabs that are written have no ids. */
  name: string
  /** The positions of the open tabs. */
  open: readonly number[]
  panels: DecorationSet
}

/** A group of tabs, and its position. */
export interface TabGroup {
  group: Node
  pos: number
}

const KEY = new PluginKey<TabsState>('tabs')
let made = 0

/**
 * Keeps which tabs are open, and hides the panels of the others.
 * @param followsCaret opens the tab that has the caret, so that nobody writes in a hidden one
 */
export function openTabs({ followsCaret = false } = {}): Plugin<TabsState> {
  return new Plugin<TabsState>({
    key: KEY,
    state: {
      init(_config, { doc }) {
        made += 1
        const name = followsCaret ? '' : `tabs-${made}`
        return { name, open: [], panels: panelsOf(doc, name, []) }
      },
      apply(tr, before) {
        let open = tr.docChanged ? positionsNow(before.open, tr, 'tabs_item') : before.open
        const more = (tr.getMeta(KEY) ?? []) as readonly number[]
        const followed = followsCaret && (tr.docChanged || tr.selectionSet) ? tabsAt(tr.selection) : []
        for (const pos of [...more, ...followed]) open = withOpen(tr.doc, open, pos)
        if (open === before.open && !tr.docChanged) return before
        return { ...before, open, panels: panelsOf(tr.doc, before.name, open) }
      },
    },
    props: { decorations: (state) => KEY.getState(state)?.panels },
  })
}

/** The positions of nodes of a type after a transaction; without those of nodes that it has deleted. */
export function positionsNow(positions: readonly number[], tr: Transaction, type: string): number[] {
  return positions.flatMap((pos) => {
    const now = tr.mapping.map(pos)
    return tr.doc.nodeAt(now)?.type.name === type ? [now] : []
  })
}

/** The tabs around both ends of a selection, from outside to inside. */
function tabsAt(selection: Selection): number[] {
  const tabs = [selection.$anchor, selection.$head].flatMap(($pos) =>
    Array.from({ length: $pos.depth }, (_, index) => index + 1).flatMap((depth) =>
      $pos.node(depth).type.name === 'tabs_item' ? [$pos.before(depth)] : [],
    ),
  )
  const isTab = selection instanceof NodeSelection && selection.node.type.name === 'tabs_item'
  return isTab ? [...tabs, selection.from] : tabs
}

/** The open tabs with one more, which closes the others of its group. */
function withOpen(doc: Node, open: readonly number[], pos: number): readonly number[] {
  const $pos = doc.resolve(pos)
  const others = open.filter((one) => one !== pos && doc.resolve(one).parent === $pos.parent)
  if (others.length === 0 && (open.includes(pos) || $pos.index() === 0)) return open
  return [...open.filter((one) => one !== pos && !others.includes(one)), pos]
}

const known = new WeakMap<Node, readonly TabGroup[]>()

/** The groups in a block, by their positions from its start. */
function groupsIn(block: Node): readonly TabGroup[] {
  const before = known.get(block)
  if (before) return before
  const groups: TabGroup[] = block.type.name === 'tabs' ? [{ group: block, pos: 0 }] : []
  block.descendants((group, pos) => {
    if (group.type.name === 'tabs') groups.push({ group, pos: pos + 1 })
    return !group.isTextblock
  })
  known.set(block, groups)
  return groups
}

/** The groups of tabs in a document. */
export function tabGroupsOf(doc: Node): TabGroup[] {
  const groups: TabGroup[] = []
  doc.forEach((block, start) => {
    for (const { group, pos } of groupsIn(block)) groups.push({ group, pos: start + pos })
  })
  return groups
}

function panelsOf(doc: Node, name: string, open: readonly number[]): DecorationSet {
  const panels = tabGroupsOf(doc).flatMap(({ group, pos }) => {
    const found: Decoration[] = []
    let shown = 0
    group.forEach((_item, offset, index) => {
      if (open.includes(pos + 1 + offset)) shown = index
    })
    group.forEach((item, offset, index) => {
      const from = pos + 1 + offset
      const id = `${name}-${pos}-${index}`
      found.push(
        Decoration.node(from, from + item.nodeSize, {
          ...(name !== '' && { id: `${id}-panel`, role: 'tabpanel', 'aria-labelledby': id }),
          ...(index !== shown && { hidden: '' }),
        }),
      )
    })
    const ids = name === '' ? '' : `${name}-${pos}`
    found.push(Decoration.node(pos, pos + group.nodeSize, {}, { ids, shown }))
    return found
  })
  return DecorationSet.create(doc, panels)
}

/** How a group is shown: what begins the ids of its tabs, and the index of the open one. */
export function shownTabs(decorations: readonly Decoration[]): { ids: string; shown: number } {
  const found = decorations.find(({ spec }) => 'shown' in (spec as object))
  return (found?.spec as { ids: string; shown: number } | undefined) ?? { ids: '', shown: 0 }
}

/** The titles of the tabs of a group, with a number for those without a title. */
export const titlesOf = (group: Node): string[] =>
  group.children.map((item, index) => {
    const { title } = item.attrs.data as { title?: unknown }
    return (typeof title === 'string' && title.trim()) || t('editor.tab-number', { number: index + 1 })
  })

/** The position of a tab of a group. */
export const positionOfTab = ({ group, pos }: TabGroup, index: number): number =>
  group.children.slice(0, index).reduce((at, { nodeSize }) => at + nodeSize, pos + 1)

/** Opens tabs. @param positions those of the tabs */
export function openTabsAt(view: EditorView, positions: readonly number[]): void {
  if (positions.length > 0) view.dispatch(view.state.tr.setMeta(KEY, positions))
}

/** Opens the tabs around a block, and the tab itself if the block is one. */
export function openTabsAround(view: EditorView, pos: number): void {
  const $pos = view.state.doc.resolve(pos)
  const around = Array.from({ length: $pos.depth + 1 }, (_, depth) => depth).flatMap((depth) =>
    $pos.node(depth).type.name === 'tabs' ? [$pos.posAtIndex($pos.index(depth), depth)] : [],
  )
  openTabsAt(view, around)
}

/** The tab that a key leads to. */
export function tabReachedBy(key: string, index: number, count: number, isRtl: boolean): number | undefined {
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
