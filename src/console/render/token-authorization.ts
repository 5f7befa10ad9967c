import { type Html, html } from '../../core/text/html.ts'
import { renderLastUse, renderTime } from './fields.ts'
import { renderFrame } from './frame.ts'
import type { Wording } from './words.ts'

/** An API token, and the organizations that require single sign-on of it. */
export interface TokenAuthorizationView {
  token: { id: string; createdAt: string; lastUsedAt: string | null }
  /** The organization whose provider opened the session. */
  here: { title: string } | undefined
  organizations: readonly { title: string; options: readonly { title: string; startUrl: string }[] }[]
}

/** The page on which a user authorizes an API token, or learns where to sign in for it. */
export function renderTokenAuthorization(view: TokenAuthorizationView, wording: Wording): Html {
  const { token, here, organizations } = view
  const { t, rich } = wording
  const lastUse = renderLastUse(token.lastUsedAt ?? undefined, wording)
  return renderFrame({
    wording,
    title: t('Authorize an API token'),
    signOut: true,
    body: html`<h1>${t('Authorize an API token')}</h1>
      <p>${rich('Created {time}', { time: renderTime(token.createdAt, wording) })}${lastUse}</p>
      ${
        here
          ? html`<p>${t('Programs that have this token will reach {organization} as you. Only authorize a token that you created yourself.', { organization: here.title })}</p>
            <form method="post"><button class="main">${t('Authorize for {organization}', { organization: here.title })}</button></form>`
          : renderSignIn(organizations, wording)
      }
      <p class="beside"><a href="/app/me">${t('Your account')}</a></p>`,
  })
}

function renderSignIn(organizations: TokenAuthorizationView['organizations'], { t }: Wording): Html {
  if (organizations.length === 0)
    return html`<p>${t('None of your organizations requires single sign-on, so the token needs no authorization.')}</p>`
  return html`<p>${t('First sign in with the organization’s provider. Signing in with it ends this session.')}</p>
    ${organizations.flatMap(({ title, options }) =>
      options.map(
        (one) =>
          html`<p><a class="button main" href="${one.startUrl}">${title}: ${t('Sign in with {provider}', { provider: one.title })}</a></p>`,
      ),
    )}`
}
