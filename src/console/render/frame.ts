import { type Html, html } from '../../core/html.ts'
import { assetUrl } from '../../sites/assets/assets.ts'

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
  title: string
  body: Html
  /** A page of lists instead of one form. */
  wide?: boolean
  /** The way out, for people who are signed in. */
  signOut?: boolean
}

export function renderFrame({ title, body, wide = false, signOut = false }: Framed): Html {
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} · Lectern</title>
      <link rel="icon" href="${assetUrl('icon.svg')}" />
      <link rel="stylesheet" href="${assetUrl('console.css')}" />
      <script type="module" src="${assetUrl('console.js')}"></script>
    </head>
    <body class="${wide ? 'wide' : 'narrow'}">
      <a class="skip" href="#main">Skip to the content</a>
      <header class="top">
        <a class="brand" href="/app"><img src="${assetUrl('icon.svg')}" alt="" width="28" height="28" /> Lectern</a>
        ${signOut ? html`<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>` : ''}
      </header>
      <main id="main" tabindex="-1">${body}</main>
    </body>
  </html>`
}
