import { all } from '../kit/find.ts'
import { memory } from '../kit/memory.ts'
import { showAnchor } from './anchor.ts'

interface Tab {
  title: string
  button: HTMLElement
  panel: HTMLElement
}

interface TabGroup {
  tabs: Tab[]
  /** Where a browser remembers the tab of all groups with the same titles. */
  key: string
}

/**
 * Tabs: arrow keys move between them, and groups with the same titles show the same tab, on this page and on others.
 * @returns shows the tabs that have an element in their panels
 */
export function startTabs(): (target: Element) => void {
  const groups = all('.tabs').map(readGroup)

  function choose(group: TabGroup, chosen: Tab) {
    const before = chosen.button.getBoundingClientRect().top
    select(group, chosen)
    for (const other of groups)
      if (other !== group && other.key === group.key) select(other, titled(other, chosen.title))
    memory.set(group.key, chosen.title)
    // Panels above may have changed their height; the chosen tab must stay where the reader clicked it.
    scrollBy({ top: chosen.button.getBoundingClientRect().top - before, behavior: 'instant' })
    showAnchor(chosen.panel.id)
  }

  for (const group of groups) {
    const { tabs, key } = group
    const remembered = titled(group, memory.get(key))
    if (remembered) select(group, remembered)

    for (const [index, tab] of tabs.entries()) {
      tab.button.addEventListener('click', () => choose(group, tab))
      tab.button.addEventListener('keydown', (event) => {
        const next = tabAfterKey(tabs, index, event.key)
        if (!next) return
        event.preventDefault()
        choose(group, next)
        next.button.focus()
      })
    }
  }

  return (target) => {
    for (const group of groups) {
      const tab = group.tabs.find(({ panel }) => panel.contains(target))
      if (tab) select(group, tab)
    }
  }
}

function readGroup(group: HTMLElement): TabGroup {
  const panels = all(':scope > .tab-panel', group)
  const tabs = all(':scope > .tab-list > [role=tab]', group).flatMap((button, index) => {
    const panel = panels[index]
    return panel ? [{ title: button.textContent.trim(), button, panel }] : []
  })
  const titles = tabs.map(({ title }) => title)
  return { tabs, key: `lectern-tab:${titles.toSorted().join('|')}` }
}

const titled = ({ tabs }: TabGroup, name: string | null) => tabs.find(({ title }) => title === name)

function select({ tabs }: TabGroup, selected: Tab | undefined) {
  for (const tab of tabs) {
    const isSelected = tab === selected
    tab.button.setAttribute('aria-selected', String(isSelected))
    tab.button.tabIndex = isSelected ? 0 : -1
    tab.panel.classList.toggle('selected', isSelected)
  }
}

/** The tab to which a key moves. At each end, the arrow keys continue at the other one. */
function tabAfterKey(tabs: readonly Tab[], index: number, key: string): Tab | undefined {
  if (key === 'ArrowRight') return tabs[index + 1] ?? tabs[0]
  if (key === 'ArrowLeft') return tabs.at(index - 1)
  if (key === 'Home') return tabs[0]
  return key === 'End' ? tabs.at(-1) : undefined
}
