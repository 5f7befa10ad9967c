import { type Html, html } from '../../core/text/html.ts'
import { FILM_HOSTS } from '../../core/web/embeds.ts'
import { assetUrl } from '../../sites/assets/assets.ts'
import type { Wording } from './words.ts'

/** The names of the files that the page of the console loads, and the nonce for the styles of its widgets. */
export interface AppView {
  script: string
  styles: string
  nonce: string
}

/** The content security policy of the console: no inline scripts, and no text becomes markup by chance. */
export function appPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob: https: http:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    // The players of videos, which pages of sites may frame too.
    `frame-src 'self' ${FILM_HOSTS.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types ProseMirrorClipboard',
  ].join('; ')
}

/** The one page of the console. Its script shows what the address names. */
export function renderApp({ script, styles, nonce }: AppView, { language, rich, t }: Wording): Html {
  const account = html`<a href="/app/me">${t('Your account')}</a>`
  return html`<html lang="${language}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta property="csp-nonce" nonce="${nonce}" content="${nonce}" />
      <meta name="formula-styles" content="${assetUrl('math.css')}" />
      <meta name="diagram-frame" content="${assetUrl('diagram-frame.html')}" />
      <title>Lectern</title>
      <link rel="icon" href="${assetUrl('icon.svg')}" />
      <link rel="stylesheet" href="${assetUrl('console.css')}" />
      <link rel="stylesheet" href="/app/files/${styles}" />
      <script type="module" src="/app/files/${script}"></script>
    </head>
    <body class="app">
      <div id="app"></div>
      <noscript>${rich('The console needs JavaScript. {account} works without it.', { account })}</noscript>
    </body>
  </html>`
}
