import { type Html, html } from '../../core/html.ts'
import { renderField, renderMessages } from './fields.ts'
import { renderFrame } from './frame.ts'

/** What the sign-in page shows. */
export interface SignInView {
  email: string
  /** The path to go to afterwards; empty for the account. */
  next: string
  keepsCookies: boolean
  error?: string | undefined
  note?: string | undefined
  /** The identity providers for the domain of the address. */
  options?: readonly { title: string; startUrl: string }[] | undefined
}

export function renderSignIn(view: SignInView): Html {
  const { email, next, error, note, options = [] } = view
  const title = 'Sign in'
  if (!view.keepsCookies)
    return renderFrame({
      title,
      body: html`<h1>${title}</h1>
        <p class="message error" role="alert">Signing in needs HTTPS.</p>
        <p>
          Over plain HTTP, everybody on the way could read your password, so browsers do not keep the session. Open this
          server at an address that begins with “https:”. Its operator sets the address with <code>LECTERN_URL</code>.
        </p>`,
    })
  return renderFrame({
    title,
    body: html`<h1>${title}</h1>
      ${renderMessages({ error, note })}
      ${options.map(
        (one) => html`<p><a class="button main" href="${one.startUrl}">Sign in with ${one.title}</a></p>`,
      )}
      <form method="post" action="/sign-in">
        ${next === '' ? '' : html`<input type="hidden" name="next" value="${next}" />`}
        ${renderField({ name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username', maxlength: 254, autofocus: email === '' })}
        ${renderField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', maxlength: 256, autofocus: email !== '', required: false })}
        <button class="main">Sign in</button>
      </form>
      <div data-passkey="sign-in" data-next="${next}" hidden>
        <p class="or"><span>or</span></p>
        <button class="wide" type="button">Sign in with a passkey</button>
        <p class="message error" role="alert" hidden></p>
      </div>
      <p class="beside"><a href="/sign-in/forgotten">Forgot your password?</a></p>`,
  })
}

/** The page for the code of a second factor. */
export function renderCodeForm({ error }: { error?: string }): Html {
  return renderFrame({
    title: 'Enter your code',
    body: html`<h1>Enter your code</h1>
      ${renderMessages({ error })}
      <form method="post" action="/sign-in/code">
        ${renderField({
          name: 'code',
          label: 'Code',
          hint: 'The six digits of your authenticator app. Without the app, a recovery code.',
          autocomplete: 'one-time-code',
          maxlength: 32,
          autofocus: true,
        })}
        <button class="main">Sign in</button>
      </form>
      <p class="beside"><a href="/sign-in">Start again</a></p>`,
  })
}
