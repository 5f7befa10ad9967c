import { type Html, html } from '../../core/text/html.ts'
import { renderFrame } from './frame.ts'
import type { Wording } from './words.ts'

/** The page of an organization that requires single sign-on, for a session that does not reach it. */
export function renderClosedOrganization(
  { title, options }: { title: string; options: readonly { title: string; startUrl: string }[] },
  wording: Wording,
): Html {
  const { t } = wording
  return renderFrame({
    wording,
    title,
    signOut: true,
    body: html`<h1>${title}</h1>
      <p>${t('This organization requires single sign-on. Signing in with it ends this session.')}</p>
      ${options.map(
        (one) =>
          html`<p><a class="button main" href="${one.startUrl}">${t('Sign in with {provider}', { provider: one.title })}</a></p>`,
      )}
      <p class="beside"><a href="/app/me">${t('Your account')}</a></p>`,
  })
}
