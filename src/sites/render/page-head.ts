import { FILM_HOSTS } from '../../core/document/html/media.ts'
import type { PageNeed } from '../../core/document/html/renderer.ts'
import { type AssetName, assetUrl } from '../assets/assets.ts'
import { attributes, type Html, html } from '../../core/html.ts'
import type { PageView, SiteView } from './view.ts'

/**
 * The content security policy of all pages. Scripts, styles and fonts come from the site alone, and nothing is inline.
 * Content can show images and media of any https address. Frames show only known video players and the site's own frame
 * that draws diagrams.
 */
export const CONTENT_SECURITY_POLICY = [
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
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** The elements in the `<head>` of every page, error pages included. */
export function headCommon(site: SiteView, title: string, needs?: ReadonlySet<PageNeed>): Html {
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="${site.favicon ?? assetUrl('icon.svg')}" />
    <script src="${assetUrl('theme.js')}"></script>
    <link rel="preload" as="font" type="font/woff2" href="${assetUrl('sans-basic.woff2')}" crossorigin />
    <link rel="preload" as="font" type="font/woff2" href="${assetUrl('serif-basic.woff2')}" crossorigin />
    <link rel="stylesheet" href="${assetUrl('site.css')}" />
    ${needs?.has('math') ? stylesheet('math.css') : ''}${needs?.has('diagrams') ? stylesheet('diagrams.css') : ''}
    ${site.theme ? html`<link rel="stylesheet" href="${site.theme}" />` : ''}
    <script type="module" src="${assetUrl('site.js')}"></script>
    ${needs?.has('diagrams') ? html`<script type="module" src="${assetUrl('diagrams.js')}"></script>` : ''} `
}

function stylesheet(name: AssetName): Html {
  return html`<link rel="stylesheet" href="${assetUrl(name)}" />`
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
  ${named('twitter:card', head.image ? 'summary_large_image' : 'summary')} `
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
