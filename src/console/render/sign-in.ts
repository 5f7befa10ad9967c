import { type Html, html } from '../../core/text/html.ts'
import { renderField, renderMessages } from './fields.ts'
import { renderFrame } from './frame.ts'
import type { Wording } from './words.ts'

/** The data that the sign-in page shows. */
export interface SignInView {
  email: string
  /** The path to go to afterwards; empty for the account. */
  next: string
  keepsCookies: boolean
  error?: string | undefined
  note?: string | undefined
  /** Whether there were too many attempts with the address, or from the network. */
  isLocked?: boolean | undefined
  /** The identity providers for the domain of the address. */
  options?: readonly { title: string; startUrl: string }[] | undefined
}

export function renderSignIn(view: SignInView, wording: Wording): Html {
  const { t, rich } = wording
  const { email, next, error, note, options = [] } = view
  const title = t('Sign in')
  if (!view.keepsCookies)
    return renderFrame({
      wording,
      title,
      body: html`<h1>${title}</h1>
        <p class="message error" role="alert">${t('Signing in needs HTTPS.')}</p>
        <p>${rich('Over plain HTTP, everybody on the way could read your password, so browsers do not keep the session. Open this server at an address that begins with “https:”. Its operator sets the address with {setting}.', { setting: html`<code>LECTERN_URL</code>` })}</p>`,
    })
  const path = next === '' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`
  return renderFrame({
    wording,
    title,
    path,
    body: html`<h1>${title}</h1>
      ${renderMessages({ error, note })}
      ${view.isLocked ? html`<p>${wayRound(email, wording)}</p>` : ''}
      ${options.map(
        (one) =>
          html`<p><a class="button main" href="${one.startUrl}">${t('Sign in with {provider}', { provider: one.title })}</a></p>`,
      )}
      <form method="post" action="/sign-in">
        ${next === '' ? '' : html`<input type="hidden" name="next" value="${next}" />`}
        ${renderField({ name: 'email', label: t('E-mail address'), type: 'email', value: email, autocomplete: 'username', maxlength: 254, autofocus: email === '' })}
        ${renderField({ name: 'password', label: t('Password'), type: 'password', autocomplete: 'current-password', maxlength: 256, autofocus: email !== '', required: false })}
        <button class="main">${t('Sign in')}</button>
      </form>
      <div data-passkey="sign-in" data-next="${next}" hidden>
        <p class="or"><span>${t('or')}</span></p>
        <button class="wide" type="button">${t('Sign in with a passkey')}</button>
        <p class="message error" role="alert" hidden></p>
      </div>
      <p class="beside"><a href="/sign-in/forgotten">${t('Forgot your password?')}</a></p>`,
  })
}

/** How to sign in when the attempts of others have locked the address. */
function wayRound(email: string, { t, rich }: Wording): Html {
  const path = `/sign-in/forgotten${email === '' ? '' : `?email=${encodeURIComponent(email)}`}`
  return rich(
    'The attempts may be those of somebody else. You can still sign in with a passkey. Or {link}: in the browser in which you open it, you set a new password and sign in.',
    { link: html`<a href="${path}">${t('request a link by e-mail')}</a>` },
  )
}

/** The page for the code of a second factor. */
export function renderCodeForm({ error }: { error?: string }, wording: Wording): Html {
  const { t } = wording
  return renderFrame({
    wording,
    title: t('Enter your code'),
    path: '/sign-in/code',
    body: html`<h1>${t('Enter your code')}</h1>
      ${renderMessages({ error })}
      <form method="post" action="/sign-in/code">
        ${renderField({
          name: 'code',
          label: t('Code'),
          hint: t('The six digits of your authenticator app. Without the app, a recovery code.'),
          autocomplete: 'one-time-code',
          maxlength: 32,
          autofocus: true,
        })}
        <button class="main">${t('Sign in')}</button>
      </form>
      <p class="beside"><a href="/sign-in">${t('Start again')}</a></p>`,
  })
}
