import { CONSOLE_POLICY, renderFrame } from '../console/render/frame.ts'
import { renderLinkSecret } from '../console/render/links.ts'
import { renderNotice } from '../console/render/notice.ts'
import { type Html, html } from '../core/html.ts'

/** The headers of these pages. With another referrer policy, browsers would send forms with the origin "null". */
export const PAGE_HEADERS = {
  'content-security-policy': CONSOLE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
}

/** The page for every sign-in that failed. It does not say why, because that would help an attacker. */
export function renderRefused(requestId: string): Html {
  return renderNotice({
    title: 'You are not signed in',
    text: `Signing in did not work. Try again. If it still does not work, ask an administrator, and tell them the number of this request: ${requestId}`,
  })
}

/** The page of a link from the operator. Opening it does nothing yet, because programs open links too. */
export function renderRecovery(): Html {
  return renderFrame({
    title: 'Sign in with a link of the operator',
    body: html`<h1>Sign in with a link of the operator</h1>
      <p>This link works once. It signs you in without a password and without single sign-on.</p>
      <form method="post" action="/sso/recover">
        ${renderLinkSecret()}
        <button class="main">Sign in</button>
      </form>`,
  })
}
