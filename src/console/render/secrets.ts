import { type Html, html } from '../../core/html.ts'
import { renderField, renderMessages } from './fields.ts'
import { renderFrame } from './frame.ts'
import { renderQrCode } from './qr-code.ts'

/** A button that copies the text of an element. Only the script shows it, because it does nothing without. */
const renderCopyButton = (selector: string): Html =>
  html`<p data-copies="${selector}" hidden><button type="button">Copy</button></p>`

/** The page that shows a new API token, once. */
export function renderNewToken({ label, token }: { label: string; token: string }): Html {
  return renderFrame({
    title: 'Your new token',
    signOut: true,
    body: html`<h1>Your new token</h1>
      <p>Store the token “${label}” now. It is not shown again.</p>
      <p><code class="secret">${token}</code></p>
      ${renderCopyButton('.secret')}
      <p><a class="button main" href="/app/me">I have stored it</a></p>`,
  })
}

/** The secret for an authenticator app. */
export interface NewFactor {
  secret: string
  /** The address for apps, with the secret. */
  uri: string
}

/** The page that shows the secret for an authenticator app, and asks for a first code. */
export function renderNewFactor({ made, error }: { made?: NewFactor; error?: string }): Html {
  return renderFrame({
    title: 'Set up an authenticator app',
    signOut: true,
    body: html`<h1>Set up an authenticator app</h1>
      ${renderMessages({ error })}
      ${
        made === undefined
          ? html`<p>If the app has no account for this server yet, <a href="/app#factor">begin again</a>.</p>`
          : html`<p>Add an account in the app, and scan this code:</p>
              ${renderQrCode(made.uri, 'A QR code with the secret for the app')}
              <p>Or type this secret:</p>
              <p><code class="secret">${made.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code></p>
              <p class="hint">Or <a href="${made.uri}">open the app on this device</a>.</p>`
      }
      <form method="post" action="/app/second-factor/confirm">
        ${renderField({ name: 'code', label: 'Code', hint: 'The six digits that the app shows now.', autocomplete: 'one-time-code', inputmode: 'numeric', maxlength: 32 })}
        <button class="main">Turn the second factor on</button>
      </form>
      <p class="beside"><a href="/app/me">Cancel</a></p>`,
  })
}

/** The page that shows new recovery codes, once. */
export function renderRecoveryCodes(codes: readonly string[]): Html {
  return renderFrame({
    title: 'Your recovery codes',
    signOut: true,
    body: html`<h1>Your recovery codes</h1>
      <p>
        Signing in with your password now requires a code of your app. If you lose the app, each of these codes signs you
        in once. Store them in a safe place: they are not shown again.
      </p>
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      ${renderCopyButton('.codes')}
      <p><a class="button main" href="/app/me">I have stored them</a></p>`,
  })
}
