import { attributes, type Html, html } from '../../core/text/html.ts'
import { anchor, symbol } from './page-nav.ts'
import type { SectionTab } from './view.ts'
import type { Words } from './words/words.ts'

/** The least number of tabs that can be too many for the row. */
const MANY = 4

/**
 * The sections of a site as a row of tabs; a group is a menu, which opens and closes without JavaScript. A menu after a long
 * row has all of them. The script hides it while the row has room for all tabs.
 */
export function sectionTabs(tabs: readonly SectionTab[] | undefined, words: Words): Html | undefined {
  if (!tabs || (tabs.length < 2 && !tabs[0]?.children)) return undefined
  return html`<nav class="sections" aria-label="${words.sections}">
    <ul class="section-tabs">
      ${tabs.map((tab, i) => html`<li>${tab.children ? menu(tab, `~sections-${i}`) : anchor(tab)}</li>`)}
    </ul>
    ${tabs.length < MANY ? '' : menuOfAll(tabs, words)}
  </nav>`
}

function menuOfAll(tabs: readonly SectionTab[], { allSections }: Words): Html {
  const id = '~sections-all'
  return html`<button type="button" class="tool all-sections" popovertarget="${id}" aria-label="${allSections}">
      <span class="ui ui-chevron"></span>
    </button>
    <ul class="section-menu" id="${id}" popover>${tabs.map(entry)}</ul>`
}

function menu({ children = [], ...group }: SectionTab, id: string): Html {
  return html`<button${attributes({ type: 'button', popovertarget: id, class: holdsCurrent(children) && 'current' })}>
      ${symbol(group)}${group.title}<span class="ui ui-chevron"></span>
    </button>
    <ul${attributes({ class: 'section-menu', id, popover: '' })}>${children.map(entry)}</ul>`
}

function entry(tab: SectionTab): Html {
  if (!tab.children) {
    return html`<li>${anchor(tab)}${tab.description ? html`<p>${tab.description}</p>` : ''}</li>`
  }
  return html`<li><span class="section-group">${tab.title}</span><ul>${tab.children.map(entry)}</ul></li>`
}

function holdsCurrent(tabs: readonly SectionTab[]): boolean {
  return tabs.some(({ current, children }) => current || holdsCurrent(children ?? []))
}
