import { FILM_HOSTS } from '../core/document/html/media.ts'
import { assetUrl } from './assets.ts'
import { attributes, type Html, html } from './html.ts'
import type { PageView, SiteView } from './view.ts'

/**
 * The content security policy of all pages: nothing inline, scripts and styles from here alone, no forms, no objects;
 * images and media over https from anywhere, because content shows them; frames only of the known film players.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "media-src 'self' https:",
  "font-src 'self'",
  "connect-src 'self'",
  `frame-src ${FILM_HOSTS.join(' ')}`,
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** What stands in the `<head>` of every page, errors included. */
export function headCommon(site: SiteView, title: string): Html {
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="${site.favicon ?? assetUrl('icon.svg')}" />
    <script src="${assetUrl('theme.js')}"></script>
    <link rel="preload" as="font" type="font/woff2" href="${assetUrl('sans-basic.woff2')}" crossorigin />
    <link rel="preload" as="font" type="font/woff2" href="${assetUrl('serif-basic.woff2')}" crossorigin />
    <link rel="stylesheet" href="${assetUrl('site.css')}" />
    ${site.theme ? html`<link rel="stylesheet" href="${site.theme}" />` : ''}
    <script type="module" src="${assetUrl('site.js')}"></script> `
}

/** What search engines, link previews and readers of the page's other forms look for. */
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
