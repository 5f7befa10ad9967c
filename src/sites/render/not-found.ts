/** The page for a path that does not exist. It shows the page tree of the site, so that readers can go on. */
import { html } from '../../core/text/html.ts'
import { assetUrl } from '../assets/assets.ts'
import { renderMessage, toStart } from './page.ts'
import { type FoundView, foundPages, searchForm } from './search-page.ts'
import type { SiteView } from './view.ts'
import { wordsOf } from './words/choose.ts'

/** What the reader of an unknown address may have meant. */
export interface MissingPage {
  /** The words of the address. */
  query: string
  /** The pages of similar addresses. */
  similar: { title: string; href: string }[]
  /** The pages with these words. */
  found: FoundView[]
}

/** The page for a path that does not exist, with what its reader may have meant. */
export function renderNotFound(
  site: SiteView,
  { query, similar, found }: MissingPage = { query: '', similar: [], found: [] },
): string {
  const words = wordsOf(site.language)
  const links = similar.map(
    ({ title, href }) =>
      html`<li><a href="${href}">${title}</a> <span class="detail">${shownPath(href, site.home)}</span></li>`,
  )
  const more = html`${links.length > 0 ? html`<h2>${words.similarPages}</h2><ul class="similar">${links}</ul>` : ''}
    ${found.length > 0 ? html`<h2>${words.foundByAddress}</h2><div class="found">${foundPages(found)}</div>` : ''}
    ${site.search === undefined ? '' : searchForm(site, query)}`
  return renderMessage(site, {
    title: words.notFound,
    text: words.notFoundText,
    more: html`<div class="suggestions">${more}</div>`,
    head: html`<link rel="stylesheet" href="${assetUrl('search.css', site.assets)}" />`,
    action: toStart(site),
  })
}

/** The path of a page below that of its space, as people read it. */
function shownPath(href: string, home: string): string {
  const path = href.startsWith(home) ? href.slice(home.length) : href
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
