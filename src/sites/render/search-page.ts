/** The results of a search of a site: as a list in the search box, and as a page for readers without JavaScript. */
import { type Html, html } from '../../core/text/html.ts'
import { assetUrl } from '../assets/assets.ts'
import { headCommon } from './page-head.ts'
import { siteHeader } from './header.ts'
import { pageTree } from './page-nav.ts'
import { frame } from './page.ts'
import type { SiteView } from './view.ts'
import { wordsOf } from './words/choose.ts'
import type { Words } from './words/words.ts'

/** A piece of the text around a match, and whether it is a word of the query. */
interface TextPart {
  text: string
  isMatch: boolean
}

/** A page that was found, and its best sections. */
export interface FoundView {
  title: string
  href: string
  /** The titles above the page, from the top. */
  trail: string[]
  text: TextPart[]
  sections: { title: string; href: string; text: TextPart[] }[]
}

/** The results of a query. */
export interface ResultsView {
  query: string
  count: number
  pages: FoundView[]
  /** The addresses of the pages of results before and after this one. */
  previous?: string
  next?: string
}

/** Whether a page of results is for all spaces of the site, and the address for the others. */
export interface ResultsScope {
  isEverywhere: boolean
  other: string
}

/** The results as options of the search box. Their ids are unique on any page, because content cannot choose a `~`. */
export function searchOptions(site: SiteView, { query, count, pages }: ResultsView): string {
  const words = wordsOf(site.language)
  const note = count === 0 ? words.nothingFound(query) : words.searchResults(count)
  let id = 0
  const option = (href: string, kind: string, content: Html) =>
    html`<a role="option" aria-selected="false" tabindex="-1" id="~found-${id++}" class="${kind}" href="${href}"
      >${content}</a
    >`
  return String(
    html`<span hidden data-note="${note}"></span>${pages.map((page) => [
      option(page.href, 'page', pageEntry(page)),
      page.sections.map((section) =>
        option(
          section.href,
          'section',
          html`<span class="found-title">${section.title}</span>${markedText(section.text)}`,
        ),
      ),
    ])}`,
  )
}

/** The results as a page of the site. @param results undefined before the reader has searched */
export function renderSearchPage(
  site: SiteView,
  results: ResultsView | undefined,
  scope?: ResultsScope,
): string {
  const words = wordsOf(site.language)
  const hasTree = site.tree.length > 0
  const note =
    results && (results.count === 0 ? words.nothingFound(results.query) : words.searchResults(results.count))
  const main = html`<main id="~content" tabindex="-1">
    <article class="search-page">
      <h1>${words.search}</h1>
      ${searchForm(site, results?.query ?? '', scope?.isEverywhere)}
      ${
        note || scope
          ? html`<p class="search-note">
              <span>${note}</span>
              ${scope ? html`<a href="${scope.other}">${scope.isEverywhere ? words.searchLess : words.searchEverywhere}</a>` : ''}
            </p>`
          : ''
      }
      <div class="found">
        ${results && foundPages(results.pages)}
      </div>
      ${results && turning(results, words)}
    </article>
  </main>`
  return frame(site, {
    head: html`${headCommon(site, `${words.search} – ${site.title}`)}
      <link rel="stylesheet" href="${assetUrl('search.css', site.assets)}" />
      <meta name="robots" content="noindex" />`,
    header: siteHeader(site, { outline: false, tree: hasTree }),
    classes: `layout no-outline${hasTree ? '' : ' no-tree'}`,
    content: html`${hasTree ? pageTree(site.tree, words) : ''}${main}`,
  })
}

/** The form that searches the site. @param isEverywhere whether it searches all spaces, and not only the usual ones */
export function searchForm({ search, language }: SiteView, query: string, isEverywhere = false): Html {
  const words = wordsOf(language)
  return html`<form class="search-form" role="search" action="${search ?? ''}">
    <span class="ui ui-search"></span>
    <input
      type="search"
      name="q"
      maxlength="512"
      value="${query}"
      aria-label="${words.searchSite}"
      placeholder="${words.searchSite}"
    />
    ${isEverywhere ? html`<input type="hidden" name="all" value="" />` : ''}
    <button type="submit" class="button primary">${words.search}</button>
  </form>`
}

/** Pages that were found, each with its best sections. */
export function foundPages(pages: readonly FoundView[]): Html {
  return html`${pages.map((page) => [
    html`<a class="page" href="${page.href}">${pageEntry(page)}</a>`,
    page.sections.map(
      (section) =>
        html`<a class="section" href="${section.href}"
          ><span class="found-title">${section.title}</span>${markedText(section.text)}</a
        >`,
    ),
  ])}`
}

function turning({ previous, next }: ResultsView, words: Words): Html | undefined {
  if (previous === undefined && next === undefined) return undefined
  return html`<p class="turning">
    ${previous === undefined ? '' : html`<a rel="prev" class="button" href="${previous}">${words.previous}</a>`}
    ${next === undefined ? '' : html`<a rel="next" class="button" href="${next}">${words.next}</a>`}
  </p>`
}

function pageEntry({ title, trail, text }: FoundView): Html {
  return html`${trail.length > 0 ? html`<span class="found-trail">${trail.join(' / ')}</span>` : ''}<span class="found-title">${title}</span>${markedText(text)}`
}

function markedText(parts: readonly TextPart[]): Html | undefined {
  if (parts.length === 0) return undefined
  return html`<span class="found-text"
    >${parts.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : text))}</span
  >`
}
