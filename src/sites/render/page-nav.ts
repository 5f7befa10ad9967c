import { smallest } from '../../core/data/lists.ts'
import { emojiCharacter } from '../../core/document/html/inline.ts'
import type { OutlineItem } from '../../core/document/html/renderer.ts'
import { attributes, type Html, html } from '../../core/text/html.ts'
import { pageIcon } from './icons.ts'
import type { NamedLink, NavItem, Picture } from './view.ts'
import type { Words } from './words/words.ts'

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

/** The page tree. On small screens it is a popover, which works without JavaScript. @param links before the tree there */
export function pageTree(tree: readonly NavItem[], words: Words, links?: Html): Html {
  return html`<nav class="sidebar" id="~pages" popover aria-label="${words.pages}">
    <div class="drawer-head">
      <span>${words.pages}</span
      ><button
        type="button"
        class="tool"
        popovertarget="~pages"
        popovertargetaction="hide"
        aria-label="${words.close}"
      >
        <span class="ui ui-close"></span>
      </button>
    </div>
    ${links}
    <ul>
      ${treeItems(tree, '~branch', words)}
    </ul>
  </nav>`
}

/** The entries of a level of the page tree. @param prefix begins the ids of the branches below, and is unique on the page */
export function treeItems(items: readonly NavItem[], prefix: string, words: Words): Html {
  let branches = 0
  return html`${items.map(item)}`

  function item(entry: NavItem): Html {
    const { kind, level, children = [], expanded = false } = entry
    if (kind === 'earlier' || kind === 'later') {
      return html`<li class="rest ${kind}">
        <a${attributes({ href: entry.href ?? level, 'data-level': level })}>${entry.title}</a>
      </li>`
    }
    if (kind === 'group' && level === undefined) {
      return html`<li class="group">
        <p class="group-title">${symbol(entry)}${entry.title}</p>
        ${children.length > 0 ? html`<ul>${children.map(item)}</ul>` : ''}
      </li>`
    }
    const link = html`<a${attributes({ href: entry.href, class: kind === 'group' && 'group-title', 'aria-current': entry.current ? 'page' : undefined, rel: entry.external ? 'noopener' : undefined, target: entry.newWindow ? '_blank' : undefined })}>${symbol(entry)}<span>${entry.title}</span>${entry.external ? html`<span class="ui ui-external"></span>` : ''}</a>`
    if (children.length === 0 && level === undefined) return html`<li>${link}</li>`

    const id = `${prefix}-${++branches}`
    const toggle = html`<button${attributes({ type: 'button', class: 'toggle', 'aria-expanded': expanded ? 'true' : 'false', 'aria-controls': id, 'aria-label': words.under(entry.title) })}><span class="ui ui-chevron"></span></button>`
    return html`<li${attributes({ class: kind === 'group' && 'group' })}>
      <div class="nav-row">${link}${toggle}</div>
      <ul${attributes({ id, hidden: !expanded, 'data-level': level })}>${children.map(item)}</ul>
    </li>`
  }
}

/** The ancestors of the page in the tree. */
export function breadcrumbTrail(crumbs: readonly NamedLink[], words: Words): Html | undefined {
  if (crumbs.length === 0) return undefined
  return html`<nav class="breadcrumbs" aria-label="${words.breadcrumb}">
    <ol>
      ${crumbs.map((crumb) => html`<li>${anchor(crumb)}</li>`)}
    </ol>
  </nav>`
}

/** The headings of the page. On small screens the outline is a popover, like the page tree. */
export function outlineNav(items: readonly OutlineItem[], words: Words): Html {
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
    <p class="outline-title" id="~outline-title">${words.outline}</p>
    <ul>
      ${entries}
    </ul>
  </nav>`
}

/** The previous and the next page in reading order. */
export function pagination(
  previous: NamedLink | undefined,
  next: NamedLink | undefined,
  words: Words,
): Html | undefined {
  if (!previous?.href && !next?.href) return undefined
  return html`<nav class="pagination" aria-label="${words.neighbours}">
    ${neighbour(previous, 'prev', words.previous)}${neighbour(next, 'next', words.next)}
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
export function anchor(link: NamedLink, style?: string): Html {
  const content = html`${symbol(link)}${link.title}`
  if (!link.href) return html`<span>${content}</span>`
  return html`<a${attributes({ href: link.href, class: style, 'aria-current': link.current ? 'true' : undefined, rel: link.external ? 'noopener' : link.follow === false ? 'nofollow' : undefined, target: link.newWindow ? '_blank' : undefined })}>${content}</a>`
}
