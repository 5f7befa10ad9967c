import { type Html, html } from '../../core/text/html.ts'
import { PAGE_LANGUAGES } from '../../core/languages/page-languages.ts'
import { assetUrl } from '../../sites/assets/assets.ts'
import type { Wording } from './words.ts'

/** The content security policy of the server's own pages. Nothing is inline, and no page can frame them. */
export const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A page with the frame of all of them. */
export interface Framed {
  wording: Wording
  title: string
  body: Html
  /** A page of lists instead of one form. */
  wide?: boolean
  /** The way out, for people who are signed in. */
  signOut?: boolean
  /** The path that shows the page again, for a page on which people can choose the language. */
  path?: string
}

export function renderFrame({ wording, title, body, wide = false, signOut = false, path }: Framed): Html {
  const { language, t } = wording
  return html`<html lang="${language}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} · Lectern</title>
      <link rel="icon" href="${assetUrl('icon.svg')}" />
      <link rel="stylesheet" href="${assetUrl('console.css')}" />
      <script type="module" src="${assetUrl('console.js')}"></script>
    </head>
    <body class="${wide ? 'wide' : 'narrow'}">
      <a class="skip" href="#main">${t('Skip to the content')}</a>
      <header class="top">
        <a class="brand" href="/app"><img src="${assetUrl('icon.svg')}" alt="" width="28" height="28" /> Lectern</a>
        ${path === undefined ? '' : renderLanguages(path, wording)}
        ${signOut ? html`<form method="post" action="/sign-out"><button class="quiet">${t('Sign out')}</button></form>` : ''}
      </header>
      <main id="main" tabindex="-1" data-failed="${t('This did not work')}" data-show="${t('Show')}" data-hide="${t('Hide')}" data-password="${t('the password')}">${body}</main>
    </body>
  </html>`
}

/** A button for each other language, named in itself. */
function renderLanguages(path: string, { language, t }: Wording): Html {
  const others = Object.entries(PAGE_LANGUAGES).filter(([code]) => code !== language)
  return html`<form class="languages" method="post" action="/app/language" aria-label="${t('Language')}">
    <input type="hidden" name="next" value="${path}" />
    ${others.map(([code, name]) => html`<button class="quiet" name="language" value="${code}" lang="${code}">${name}</button>`)}
  </form>`
}
