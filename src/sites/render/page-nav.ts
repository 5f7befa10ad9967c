import { smallest } from '../../core/lists.ts'
import { emojiCharacter } from '../../core/document/html/inline.ts'
import type { OutlineItem } from '../../core/document/html/renderer.ts'
import { attributes, type Html, html } from '../../core/html.ts'
import { pageIcon } from './icons.ts'
import type { NamedLink, NavItem, Picture, SiteView } from './view.ts'

/** A larger tree leaves out its folded branches, so that the size of a page does not grow with the space. */
const MAX_TREE = 600

/** The emoji or icon beside a title. It is decoration, so screen readers skip it. */
export function symbol(of: { icon?: string; emoji?: string }): Html | undefined {
  if (of.emoji) return html`<span class="symbol emoji" aria-hidden="true">${emojiCharacter(of.emoji)}</span>`
  const icon = of.icon ? pageIcon(of.icon) : undefined
  return icon && html`<span class="symbol">${icon}</span>`
}

/** A picture with its version for the dark theme. */
export function picture(
  of: Picture,
  options: { class?: string; width?: number; height?: number } = {},
): Html {
  const { src, dark, alt = '' } = of
  const one = (source: string, themed: string) =>
    html`<img${attributes({ ...options, src: source, alt, class: [options.class, themed].filter(Boolean).join(' ') || undefined, decoding: 'async' })}>`
  return dark ? html`${one(src, 'only-light')}${one(dark, 'only-dark')}` : one(src, '')
}

/** The bar at the top: menu, name of the site, variants, links, theme. */
export function siteHeader(site: SiteView, options: { outline: boolean; tree: boolean }): Html {
  const name = site.logo
    ? picture({ alt: site.title, ...site.logo }, { class: 'logo' })
    : html`${symbol(site)}<span>${site.title}</span>`
  const menu = options.tree
    ? html`<button type="button" class="tool menu" popovertarget="~pages" aria-label="Menu">
        <span class="ui ui-menu"></span>
      </button>`
    : ''
  const outline = options.outline
    ? html`<button
        type="button"
        class="tool to-outline"
        popovertarget="~outline"
        aria-label="On this page"
      >
        <span class="ui ui-outline"></span>
      </button>`
    : ''
  const theme =
    site.themeToggle === false
      ? ''
      : html`<button type="button" class="tool theme" aria-label="Dark theme" aria-pressed="false">
          <span class="ui ui-theme"></span>
        </button>`
  const links = site.links?.length
    ? html`<nav class="site-links" aria-label="Site links">
        <ul>
          ${site.links.map((link) => html`<li>${anchor(link)}</li>`)}
        </ul>
      </nav>`
    : ''

  return html`<header class="site-header">
    <div class="site-bar">
      ${menu}<a class="site-name" href="${site.home}">${name}</a>${variants(site.variants)}<span
        class="spread"
      ></span
      >${links}${outline}${theme}
    </div>
    ${sections(site.sections)}
  </header>`
}

/** The page tree. On small screens it is a popover, which works without JavaScript. */
export function pageTree(tree: readonly NavItem[]): Html {
  const whole = count(tree) <= MAX_TREE
  let branches = 0
  return html`<nav class="sidebar" id="~pages" popover aria-label="Pages">
    <div class="drawer-head">
      <span>Pages</span
      ><button
        type="button"
        class="tool"
        popovertarget="~pages"
        popovertargetaction="hide"
        aria-label="Close"
      >
        <span class="ui ui-close"></span>
      </button>
    </div>
    ${list(tree, undefined)}
  </nav>`

  function list(items: readonly NavItem[], branch: Html | undefined): Html {
    return html`<ul${branch}>${items.map(item)}</ul>`
  }

  function item(entry: NavItem): Html {
    const children = entry.children ?? []
    if (entry.kind === 'group') {
      return html`<li class="group">
        <p class="group-title">${symbol(entry)}${entry.title}</p>
        ${children.length > 0 ? list(children, undefined) : ''}
      </li>`
    }
    const link = html`<a${attributes({ href: entry.href, 'aria-current': entry.current ? 'page' : undefined, rel: entry.external ? 'noopener' : undefined })}>${symbol(entry)}<span>${entry.title}</span>${entry.external ? html`<span class="ui ui-external"></span>` : ''}</a>`
    if (children.length === 0 || (!whole && !entry.expanded)) return html`<li>${link}</li>`

    const id = `~branch-${++branches}`
    const toggle = html`<button${attributes({ type: 'button', class: 'toggle', 'aria-expanded': entry.expanded ? 'true' : 'false', 'aria-controls': id, 'aria-label': `Pages under ${entry.title}` })}><span class="ui ui-chevron"></span></button>`
    return html`<li>
      <div class="nav-row">${link}${toggle}</div>
      ${list(children, attributes({ id, hidden: !entry.expanded }))}
    </li>`
  }
}

/** The ancestors of the page in the tree. */
export function breadcrumbTrail(crumbs: readonly NamedLink[]): Html | undefined {
  if (crumbs.length === 0) return undefined
  return html`<nav class="breadcrumbs" aria-label="Breadcrumb">
    <ol>
      ${crumbs.map((crumb) => html`<li>${anchor(crumb)}</li>`)}
    </ol>
  </nav>`
}

/** The headings of the page. On small screens the outline is a popover, like the page tree. */
export function outlineNav(items: readonly OutlineItem[]): Html {
  const top = smallest(items.map((item) => item.level))
  const entries = items
    .filter((item) => item.level <= top + 1)
    .map(
      (item) =>
        html`<li class="depth-${item.level - top}">
          <a href="#${encodeURIComponent(item.id)}">${item.title}</a>
        </li>`,
    )
  return html`<nav class="outline" id="~outline" popover aria-labelledby="~outline-title">
    <p class="outline-title" id="~outline-title">On this page</p>
    <ul>
      ${entries}
    </ul>
  </nav>`
}

/** The previous and the next page in reading order. */
export function pagination(previous: NamedLink | undefined, next: NamedLink | undefined): Html | undefined {
  if (!previous?.href && !next?.href) return undefined
  return html`<nav class="pagination" aria-label="Previous and next page">
    ${neighbour(previous, 'prev', 'Previous')}${neighbour(next, 'next', 'Next')}
  </nav>`
}

function neighbour(link: NamedLink | undefined, rel: 'prev' | 'next', label: string): Html | undefined {
  if (!link?.href) return undefined
  const title = html`${symbol(link)}${link.title}`
  return html`<a class="${rel}" rel="${rel}" href="${link.href}"
    ><span class="direction">${label}</span> <span class="to">${title}</span></a
  >`
}

/** A named link; only its name if it has no address. */
export function anchor(link: NamedLink): Html {
  const content = html`${symbol(link)}${link.title}`
  if (!link.href) return html`<span>${content}</span>`
  return html`<a${attributes({ href: link.href, 'aria-current': link.current ? 'true' : undefined, rel: link.external ? 'noopener' : undefined })}>${content}</a>`
}

function variants(links: readonly NamedLink[]): Html | undefined {
  if (links.length < 2) return undefined
  const current = links.find((link) => link.current) ?? links[0]!
  return html`<details class="variants">
    <summary aria-label="Version: ${current.title}">
      ${symbol(current)}${current.title}<span class="ui ui-chevron"></span>
    </summary>
    <ul>
      ${links.map((link) => html`<li>${anchor(link)}</li>`)}
    </ul>
  </details>`
}

function sections(links: readonly NamedLink[] | undefined): Html | undefined {
  if (!links || links.length < 2) return undefined
  return html`<nav class="sections" aria-label="Sections">
    <ul>
      ${links.map((link) => html`<li>${anchor(link)}</li>`)}
    </ul>
  </nav>`
}

function count(items: readonly NavItem[]): number {
  return items.reduce((sum, item) => sum + 1 + count(item.children ?? []), 0)
}
