import { type Html, html, nothing } from '../../core/text/html.ts'
import { renderButton, renderField, renderLastUse, renderTime } from './fields.ts'
import type { Wording } from './words.ts'

/** How the user can sign in. */
export interface SecurityView {
  factor: { enabled: boolean; recoveryCodes: number }
  passkeys: readonly { id: string; label: string; createdAt: string; lastUsedAt?: string }[]
}

/** @param user.needsPassword whether the user signed in long ago */
export function renderSecurity(
  { factor, passkeys }: SecurityView,
  { email, needsPassword }: { email: string | undefined; needsPassword: boolean },
  wording: Wording,
): Html {
  const { t, rich } = wording
  return html`<section aria-labelledby="passkeys">
      <h2 id="passkeys">${t('Passkeys')}</h2>
      <p>${t('A passkey signs you in with your fingerprint, face or PIN. It works on no other site, so nobody can phish it.')}</p>
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
                        ${rich('Registered {time}', { time: renderTime(passkey.createdAt, wording) })}${renderLastUse(passkey.lastUsedAt, wording)}
                      </p>
                    </div>
                    ${renderButton(`/app/passkeys/${passkey.id}/delete`, t('Delete'), passkey.label)}
                  </li>`,
              )}
            </ul>`
      }
      <noscript><p class="hint">${t('Passkeys need JavaScript.')}</p></noscript>
      <details data-passkey="register" data-known="${t('This device has a passkey already.')}" hidden>
        <summary>${t('Add a passkey')}</summary>
        <form>
          ${renderField({ id: 'passkey-label', name: 'label', label: t('Name'), maxlength: 50, hint: t('The device, such as “my phone”.'), autocomplete: 'off' })}
          ${password('passkey-password', needsPassword, wording)}
          <button class="main">${t('Add the passkey')}</button>
          <p class="message error" role="alert" hidden></p>
        </form>
      </details>
    </section>
    <section aria-labelledby="factor">
      <h2 id="factor">${t('Second factor')}</h2>
      ${factor.enabled ? renderFactor(factor.recoveryCodes, wording) : renderNoFactor(needsPassword, wording)}
    </section>
    <section aria-labelledby="change-password">
      <h2 id="change-password">${t('Password')}</h2>
      <details>
        <summary>${t('Change the password')}</summary>
        <form method="post" action="/app/change-password">
          ${accountName(email)}
          ${renderField({ name: 'current', label: t('Present password'), type: 'password', autocomplete: 'current-password', maxlength: 256, required: false, hint: t('Leave it empty if you have none.') })}
          ${renderField({ id: 'new-password', name: 'password', label: t('New password'), type: 'password', autocomplete: 'new-password', minlength: 10, maxlength: 256, hint: t('At least 10 characters. Your other sessions end.') })}
          <button class="main">${t('Change the password')}</button>
        </form>
      </details>
    </section>`
}

function renderNoFactor(needsPassword: boolean, wording: Wording): Html {
  const { t } = wording
  return html`<p>${t('With a second factor, signing in with your password also requires a code of an authenticator app.')}</p>
    <details>
      <summary>${t('Set up an authenticator app')}</summary>
      <form method="post" action="/app/second-factor">
        ${password('factor-password', needsPassword, wording)}
        <button class="main">${t('Continue')}</button>
      </form>
    </details>`
}

function renderFactor(left: number, wording: Wording): Html {
  const { t } = wording
  const codes =
    left === 1
      ? t('You have one recovery code left.')
      : t('You have {count} recovery codes left.', { count: left })
  return html`<p>${t('Signing in with your password requires a code.')} ${codes}</p>
    <details>
      <summary>${t('Replace the recovery codes')}</summary>
      <form method="post" action="/app/second-factor/codes">${code('codes-code', wording)}<button class="main">${t('Replace them')}</button></form>
    </details>
    <details>
      <summary>${t('Turn the second factor off')}</summary>
      <form method="post" action="/app/second-factor/remove">${code('remove-code', wording)}<button class="main">${t('Turn it off')}</button></form>
    </details>`
}

const code = (id: string, { t }: Wording) =>
  renderField({
    id,
    name: 'code',
    label: t('Code'),
    autocomplete: 'one-time-code',
    maxlength: 32,
    hint: t('Of your authenticator app, or a recovery code.'),
  })

const password = (id: string, needed: boolean, { t }: Wording) =>
  needed
    ? renderField({
        id,
        name: 'password',
        label: t('Your password'),
        type: 'password',
        autocomplete: 'current-password',
        maxlength: 256,
        hint: t('Because you signed in more than 15 minutes ago. Without a password, sign in again.'),
      })
    : ''

/** Tells the password manager of the browser whose password changes. The form does not send it. */
function accountName(email: string | undefined): Html {
  return email === undefined
    ? nothing
    : html`<input type="text" autocomplete="username" value="${email}" readonly hidden />`
}
