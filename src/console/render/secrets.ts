import { type Html, html } from '../../core/text/html.ts'
import { renderField, renderMessages } from './fields.ts'
import { renderFrame } from './frame.ts'
import { renderQrCode } from './qr-code.ts'
import type { Wording } from './words.ts'

/** A button that copies the text of an element. Only the script shows it, because it does nothing without. */
const renderCopyButton = (selector: string, { t }: Wording): Html =>
  html`<p data-copies="${selector}" data-copied="${t('Copied')}" hidden><button type="button">${t('Copy')}</button></p>`

/** The page that shows a new API token, once. */
export function renderNewToken({ label, token }: { label: string; token: string }, wording: Wording): Html {
  const { t } = wording
  return renderFrame({
    wording,
    title: t('Your new token'),
    signOut: true,
    body: html`<h1>${t('Your new token')}</h1>
      <p>${t('Store the token “{name}” now. It is not shown again.', { name: label })}</p>
      <p><code class="secret">${token}</code></p>
      ${renderCopyButton('.secret', wording)}
      <p><a class="button main" href="/app/me">${t('I have stored it')}</a></p>`,
  })
}

/** The secret for an authenticator app. */
export interface NewFactor {
  secret: string
  /** The address for apps, with the secret. */
  uri: string
}

/** The page that shows the secret for an authenticator app, and asks for a first code. */
export function renderNewFactor(
  { made, error }: { made?: NewFactor; error?: string },
  wording: Wording,
): Html {
  const { t, rich } = wording
  return renderFrame({
    wording,
    title: t('Set up an authenticator app'),
    signOut: true,
    body: html`<h1>${t('Set up an authenticator app')}</h1>
      ${renderMessages({ error })}
      ${
        made === undefined
          ? html`<p>${rich('If the app has no account for this server yet, {beginAgain}.', { beginAgain: html`<a href="/app/me#factor">${t('begin again')}</a>` })}</p>`
          : html`<p>${t('Add an account in the app, and scan this code:')}</p>
              ${renderQrCode(made.uri, t('A QR code with the secret for the app'))}
              <p>${t('Or type this secret:')}</p>
              <p><code class="secret">${made.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code></p>
              <p class="hint"><a href="${made.uri}">${t('Or open the app on this device')}</a></p>`
      }
      <form method="post" action="/app/second-factor/confirm">
        ${renderField({ name: 'code', label: t('Code'), hint: t('The six digits that the app shows now.'), autocomplete: 'one-time-code', inputmode: 'numeric', maxlength: 32 })}
        <button class="main">${t('Turn the second factor on')}</button>
      </form>
      <p class="beside"><a href="/app/me">${t('Cancel')}</a></p>`,
  })
}

/** The page that shows new recovery codes, once. */
export function renderRecoveryCodes(codes: readonly string[], wording: Wording): Html {
  const { t } = wording
  return renderFrame({
    wording,
    title: t('Your recovery codes'),
    signOut: true,
    body: html`<h1>${t('Your recovery codes')}</h1>
      <p>${t('Signing in with your password now requires a code of your app. If you lose the app, each of these codes signs you in once. Store them in a safe place: they are not shown again.')}</p>
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      ${renderCopyButton('.codes', wording)}
      <p><a class="button main" href="/app/me">${t('I have stored them')}</a></p>`,
  })
}
