import { FILM_HOSTS } from '../../core/web/embeds.ts'
import type { PageNeed } from '../../core/document/html/renderer.ts'
import { type AssetName, assetUrl } from '../assets/assets.ts'
import { attributes, type Html, html, raw } from '../../core/text/html.ts'
import type { PageView, Picture, SiteView } from './view.ts'

/**
 * The content security policy of pages. Scripts, styles and fonts come from the site alone, and nothing is inline.
 * Content can show images and media of any https address. Frames show only known video players and the site's own frame
 * that draws diagrams.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "media-src 'self' https:",
  "font-src 'self'",
  "connect-src 'self'",
  `frame-src 'self' ${FILM_HOSTS.join(' ')}`,
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  // The form of the search, which sends its query to the site itself.
  "form-action 'self'",
  "frame-ancestors 'self'",
]

/** The content security policy of all pages without forms that send requests to other servers. */
export const CONTENT_SECURITY_POLICY = POLICY.join('; ')

/** The policy of a page with such forms. @param origins where they send requests, and nothing else on the page does */
export function policyWith(origins: readonly string[]): string {
  if (origins.length === 0) return CONTENT_SECURITY_POLICY
  const connect = `connect-src 'self' ${origins.join(' ')}`
  return POLICY.map((one) => (one.startsWith('connect-src') ? connect : one)).join('; ')
}

/** The elements in the `<head>` of every page, error pages included. */
export function headCommon(site: SiteView, title: string, needs?: ReadonlySet<PageNeed>): Html {
  const asset = (name: AssetName) => assetUrl(name, site.assets)
  const runs = site.hasScripts !== false
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    ${icons(site.favicon, asset('icon.svg'))}
    ${runs ? html`<script src="${asset('theme.js')}"></script>` : ''}
    <link rel="preload" as="font" type="font/woff2" href="${asset('sans-basic.woff2')}" crossorigin />
    <link rel="preload" as="font" type="font/woff2" href="${asset('serif-basic.woff2')}" crossorigin />
    <link rel="stylesheet" href="${asset('site.css')}" />
    ${needs?.has('math') ? stylesheet(asset('math.css')) : ''}${needs?.has('diagrams') ? stylesheet(asset('diagrams.css')) : ''}${needs?.has('try-it') ? stylesheet(asset('try-it.css')) : ''}
    ${site.theme ? stylesheet(site.theme) : ''}
    ${runs ? html`<script type="module" src="${asset('site.js')}"></script>` : ''}
    ${needs?.has('diagrams') ? html`<script type="module" src="${asset('diagrams.js')}"></script>` : ''}${needs?.has('try-it') ? html`<script type="module" src="${asset('try-it.js')}"></script>` : ''} `
}

function icons(favicon: Picture | undefined, ofAllSites: string): Html {
  if (!favicon) return html`<link rel="icon" href="${ofAllSites}" />`
  if (!favicon.dark) return html`<link rel="icon" href="${favicon.src}" />`
  return html`<link rel="icon" media="(prefers-color-scheme: light)" href="${favicon.src}" />
    <link rel="icon" media="(prefers-color-scheme: dark)" href="${favicon.dark}" />`
}

/** An emoji as the address of an icon, which needs no request. @param character the emoji itself */
export function emojiIcon(character: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text y=".9em" font-size="90">${character}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

function stylesheet(href: string): Html {
  return html`<link rel="stylesheet" href="${href}" />`
}

/** The elements for search engines, link previews and clients that prefer the Markdown of a page. */
export function headOfPage(view: PageView): Html {
  const { head, markdownHref } = view
  return html`${named('description', head.description)}${named('robots', head.robots)}
  ${linked('canonical', head.canonical)}
  ${head.alternates?.map(
    ({ language, href }) => html`<link${attributes({ rel: 'alternate', hreflang: language, href })}>`,
  )}
  ${markdownHref ? html`<link rel="alternate" type="text/markdown" href="${markdownHref}" />` : ''}
  ${view.previous ? linked('prev', view.previous.href) : ''}${view.next ? linked('next', view.next.href) : ''}
  ${property('og:type', 'article')}${property('og:site_name', view.title)}${property('og:title', view.page.title)}
  ${property('og:description', head.description)}${property('og:url', head.canonical)}
  ${property('og:image', head.image)}${property('og:locale', view.language.replace('-', '_'))}
  ${property('article:modified_time', head.updatedAt)}
  ${named('twitter:card', head.image ? 'summary_large_image' : 'summary')}
  ${head.feed ? html`<link rel="alternate" type="application/rss+xml" title="${head.feed.title}" href="${head.feed.href}" />` : ''}
  ${head.structuredData ? raw(`<script type="application/ld+json">${scriptJson(head.structuredData)}</script>`) : ''} `
}

/** JSON inside a script element, which ends at the first `</script` and whose content has no entities. It is data, which the policy allows. */
function scriptJson(value: object): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function named(name: string, content: string | undefined): Html | undefined {
  return content ? html`<meta name="${name}" content="${content}" />` : undefined
}

function property(name: string, content: string | undefined): Html | undefined {
  return content ? html`<meta property="${name}" content="${content}" />` : undefined
}

function linked(rel: string, href: string | undefined): Html | undefined {
  return href ? html`<link rel="${rel}" href="${href}" />` : undefined
}
