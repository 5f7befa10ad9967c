import { type Html, html, nothing } from '../../core/html.ts'
import { renderButton, renderField, renderTime } from './fields.ts'

/** How the user can sign in. */
export interface SecurityView {
  factor: { enabled: boolean; recoveryCodes: number }
  passkeys: readonly { id: string; label: string; createdAt: string; lastUsedAt?: string }[]
}

/** @param user.needsPassword whether the user signed in long ago */
export function renderSecurity(
  { factor, passkeys }: SecurityView,
  { email, needsPassword }: { email: string | undefined; needsPassword: boolean },
): Html {
  return html`<section aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p>A passkey signs you in with your fingerprint, face or PIN. It works on no other site, so nobody can phish it.</p>
      ${
        passkeys.length === 0
          ? ''
          : html`<ul class="rows">
              ${passkeys.map(
                (passkey) =>
                  html`<li>
                    <div>
                      <b>${passkey.label}</b>
                      <p class="hint">
                        Registered ${renderTime(passkey.createdAt)}${passkey.lastUsedAt ? html`, last used ${renderTime(passkey.lastUsedAt)}` : ''}
                      </p>
                    </div>
                    ${renderButton(`/app/passkeys/${passkey.id}/delete`, 'Delete', passkey.label)}
                  </li>`,
              )}
            </ul>`
      }
      <noscript><p class="hint">Passkeys need JavaScript.</p></noscript>
      <details data-passkey="register" hidden>
        <summary>Add a passkey</summary>
        <form>
          ${renderField({ id: 'passkey-label', name: 'label', label: 'Name', maxlength: 50, hint: 'The device, such as “my phone”.', autocomplete: 'off' })}
          ${password('passkey-password', needsPassword)}
          <button class="main">Add the passkey</button>
          <p class="message error" role="alert" hidden></p>
        </form>
      </details>
    </section>
    <section aria-labelledby="factor">
      <h2 id="factor">Second factor</h2>
      ${factor.enabled ? renderFactor(factor.recoveryCodes) : renderNoFactor(needsPassword)}
    </section>
    <section aria-labelledby="change-password">
      <h2 id="change-password">Password</h2>
      <details>
        <summary>Change the password</summary>
        <form method="post" action="/app/change-password">
          ${accountName(email)}
          ${renderField({ name: 'current', label: 'Present password', type: 'password', autocomplete: 'current-password', maxlength: 256, required: false, hint: 'Leave it empty if you have none.' })}
          ${renderField({ id: 'new-password', name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', minlength: 10, maxlength: 256, hint: 'At least 10 characters. Your other sessions end.' })}
          <button class="main">Change the password</button>
        </form>
      </details>
    </section>`
}

function renderNoFactor(needsPassword: boolean): Html {
  return html`<p>With a second factor, signing in with your password also requires a code of an authenticator app.</p>
    <details>
      <summary>Set up an authenticator app</summary>
      <form method="post" action="/app/second-factor">
        ${password('factor-password', needsPassword)}
        <button class="main">Continue</button>
      </form>
    </details>`
}

function renderFactor(left: number): Html {
  return html`<p>Signing in with your password requires a code. You have ${left} recovery ${left === 1 ? 'code' : 'codes'} left.</p>
    <details>
      <summary>Replace the recovery codes</summary>
      <form method="post" action="/app/second-factor/codes">${code('codes-code')}<button class="main">Replace them</button></form>
    </details>
    <details>
      <summary>Turn the second factor off</summary>
      <form method="post" action="/app/second-factor/remove">${code('remove-code')}<button class="main">Turn it off</button></form>
    </details>`
}

const code = (id: string) =>
  renderField({
    id,
    name: 'code',
    label: 'Code',
    autocomplete: 'one-time-code',
    maxlength: 32,
    hint: 'Of your authenticator app, or a recovery code.',
  })

const password = (id: string, needed: boolean) =>
  needed
    ? renderField({
        id,
        name: 'password',
        label: 'Your password',
        type: 'password',
        autocomplete: 'current-password',
        maxlength: 256,
        hint: 'Because you signed in more than 15 minutes ago. Without a password, sign in again.',
      })
    : ''

/** Tells the password manager of the browser whose password changes. The form does not send it. */
function accountName(email: string | undefined): Html {
  return email === undefined
    ? nothing
    : html`<input type="text" autocomplete="username" value="${email}" readonly hidden />`
}
