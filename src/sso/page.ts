import type { FastifyReply } from 'fastify'
import { CONSOLE_POLICY, renderFrame } from '../console/render/frame.ts'
import { renderLinkSecret } from '../console/render/emailed-links.ts'
import { renderNotice } from '../console/render/notice.ts'
import type { Wording } from '../console/render/words.ts'
import { type Html, html } from '../core/text/html.ts'

/** The headers of these pages. With another referrer policy, browsers would send forms with the origin "null". */
const PAGE_HEADERS = {
  'content-security-policy': CONSOLE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  vary: 'accept-language, cookie',
  'x-robots-tag': 'noindex, nofollow',
}

/** The page for every sign-in that failed. It does not say why, because that would help an attacker. */
export function renderRefused(requestId: string, wording: Wording): Html {
  const title = wording.t('You are not signed in')
  const text = wording.t(
    'Signing in did not work. Try again. If it still does not work, ask an administrator, and tell them the number of this request: {id}',
    { id: requestId },
  )
  return renderNotice({ title, text }, wording)
}

/** The page for every request to sign out that failed. */
export function renderNotSignedOut(requestId: string, wording: Wording): Html {
  const title = wording.t('This did not work')
  const text = wording.t(
    'The request of the sign-in provider to sign you out was not accepted. Tell an administrator the number of this request: {id}',
    { id: requestId },
  )
  return renderNotice({ title, text, link: { to: '/sign-out', title: wording.t('Sign out') } }, wording)
}

/** The page from which a browser goes on to a provider that signs the person out. */
export function renderSigningOut(provider: string, to: string, wording: Wording): Html {
  const title = wording.t('Signing out')
  const text = wording.t('You are signed out of Lectern. {provider} signs you out now.', { provider })
  return renderNotice({ title, text, link: { to, title: wording.t('Continue') } }, wording)
}

/** The page of a link from the operator. Opening it does nothing yet, because programs open links too. */
export function renderRecovery(wording: Wording): Html {
  const { t } = wording
  const title = t('Sign in with a link of the operator')
  return renderFrame({
    wording,
    title,
    path: '/sso/recover',
    body: html`<h1>${title}</h1>
      <p>${t('This link works once. It signs you in without a password and without single sign-on.')}</p>
      <form method="post" action="/sso/recover">
        ${renderLinkSecret(wording)}
        <button class="main">${t('Sign in')}</button>
      </form>`,
  })
}

/** Sends a page. */
export function sendPage(reply: FastifyReply, page: Html): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers(PAGE_HEADERS)
    .send(`<!doctype html>\n${page.toString()}`)
}
