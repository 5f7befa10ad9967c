import { attributes, type Html, html } from '../../core/text/html.ts'
import { anchor, picture, symbol } from './page-nav.ts'
import { sectionTabs } from './section-tabs.ts'
import type { HeaderItem, NamedLink, SiteView } from './view.ts'
import { wordsOf } from './words/choose.ts'
import type { Words } from './words/words.ts'

/** The bar at the top: menu, name of the site, variants, links, theme. */
export function siteHeader(site: SiteView, options: { outline: boolean; tree: boolean }): Html {
  const words = wordsOf(site.language)
  const name = site.logo
    ? picture({ alt: site.title, ...site.logo }, { class: 'logo' })
    : html`${symbol(site)}<span>${site.title}</span>`
  const menu = options.tree ? popoverButton('menu', '~pages', words.menu, 'menu') : ''
  const outline = options.outline ? popoverButton('to-outline', '~outline', words.outline, 'outline') : ''
  const theme =
    site.themeToggle === false
      ? ''
      : html`<button type="button" class="tool theme" aria-label="${words.darkTheme}" aria-pressed="false">
          <span class="ui ui-theme"></span>
        </button>`

  return html`<header class="site-header">
    <div class="site-bar">
      ${menu}<a class="site-name" href="${site.home}">${name}</a>${variants(site.variants, words)}${searchLink(site, words)}<span
        class="spread"
      ></span
      >${links(site.links, words)}${outline}${theme}
    </div>
    ${sectionTabs(site.sections, words)}
  </header>`
}

/** Leads to the page for searching. The script opens a box instead, also by the keys that it names. */
function searchLink({ search, searchList }: SiteView, words: Words): Html | undefined {
  if (search === undefined) return undefined
  return html`<a${attributes({ class: 'search-open', href: search, 'data-list': searchList, 'aria-keyshortcuts': 'Control+K Meta+K /' })}>
    <span class="ui ui-search"></span><span>${words.search}</span><kbd>/</kbd>
  </a>`
}

function popoverButton(kind: string, target: string, label: string, drawing: string): Html {
  return html`<button type="button" class="tool ${kind}" popovertarget="${target}" aria-label="${label}">
    <span class="ui ui-${drawing}"></span>
  </button>`
}

function links(items: readonly HeaderItem[] | undefined, words: Words): Html | undefined {
  if (!items?.length) return undefined
  return html`<nav class="site-links" aria-label="${words.siteLinks}">
    <ul>
      ${items.map((item) => html`<li>${headerItem(item)}</li>`)}
    </ul>
  </nav>`
}

/** A link, a button, or a menu that opens with a click and without JavaScript. */
function headerItem(item: HeaderItem): Html {
  const style = item.button && `button ${item.button}`
  if (!item.links?.length) return anchor(item, style)
  // The menu begins with the target of the item, which otherwise could not be reached.
  const entries = item.href ? [{ ...item, links: undefined }, ...item.links] : item.links
  return html`<details class="dropdown">
    <summary${attributes({ class: style })}>${item.title}<span class="ui ui-chevron"></span></summary>
    <ul>
      ${entries.map((entry) => html`<li>${anchor(entry)}</li>`)}
    </ul>
  </details>`
}

function variants(choices: readonly NamedLink[], words: Words): Html | undefined {
  if (choices.length < 2) return undefined
  const current = choices.find((link) => link.current) ?? choices[0]!
  return html`<details class="dropdown variants">
    <summary aria-label="${words.version(current.title)}">
      ${symbol(current)}<span>${current.title}</span><span class="ui ui-chevron"></span>
    </summary>
    ${choiceList(choices, words)}
  </details>`
}

/** A longer list of choices has a field that filters it. */
const UNFILTERED_MOST = 10

function choiceList(choices: readonly NamedLink[], { filter }: Words): Html {
  return html`<ul>
    ${
      choices.length > UNFILTERED_MOST
        ? html`<li class="menu-filter needs-script">
            <input type="search" autocomplete="off" aria-label="${filter}" placeholder="${filter}" />
          </li>`
        : ''
    }
    ${choices.map((link) => html`<li>${anchor(link)}</li>`)}
  </ul>`
}

/** Renders the part of the drawer on small screens that replaces the bar: the spaces to choose from, and the links. */
export function drawerLinks({ language, variants: choices, links: items = [] }: SiteView): Html | undefined {
  const words = wordsOf(language)
  const current = choices.length < 2 ? undefined : (choices.find((link) => link.current) ?? choices[0])
  if (!current && items.length === 0) return undefined
  return html`<div class="drawer-links">
    ${
      current
        ? html`<details>
            <summary aria-label="${words.version(current.title)}">
              ${symbol(current)}<span>${current.title}</span><span class="ui ui-chevron"></span>
            </summary>
            ${choiceList(choices, words)}
          </details>`
        : ''
    }
    ${items.length > 0 ? html`<ul>${items.map((item) => html`<li>${drawerItem(item)}</li>`)}</ul>` : ''}
  </div>`
}

function drawerItem(item: HeaderItem): Html {
  const own = item.href
    ? anchor(item, item.button && `button ${item.button}`)
    : html`<span>${item.title}</span>`
  if (!item.links?.length) return own
  return html`${own}<ul>${item.links.map((link) => html`<li>${anchor(link)}</li>`)}</ul>`
}
