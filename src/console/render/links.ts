import { type Html, html } from '../../core/html.ts'
import { renderField, renderMessages } from './fields.ts'
import { renderFrame } from './frame.ts'

interface LinkForm {
  error?: string
  token?: string
}

/** The field with the secret of a link. The script fills it in. @param token that was sent before */
export function renderLinkSecret(token = ''): Html {
  return renderField({
    name: 'token',
    label: 'Code of the link',
    value: token,
    hint: 'The part of the link after “#”.',
    autocomplete: 'off',
    maxlength: 255,
    fromLink: true,
  })
}

const newPassword = () =>
  renderField({
    name: 'password',
    label: 'New password',
    type: 'password',
    hint: 'At least 10 characters. Several words make a good one.',
    autocomplete: 'new-password',
    minlength: 10,
    maxlength: 256,
  })

/** A page on which a new user sets a password and signs in. @param view.path receives the form */
export function renderInvitation(
  view: LinkForm & { path: string; title: string; keepsCookies: boolean; displayName?: string },
): Html {
  const { path, title, error, token, keepsCookies, displayName } = view
  return renderFrame({
    title,
    body: html`<h1>${title}</h1>
      ${renderMessages({ error: error ?? (keepsCookies ? undefined : 'You can set a password here, but signing in needs HTTPS.') })}
      <p data-account role="status" hidden>You sign in with the address <b></b>.</p>
      <form method="post" action="${path}">
        ${renderLinkSecret(token)}
        ${renderField({ name: 'displayName', label: 'Your name', value: displayName ?? '', autocomplete: 'name', maxlength: 64, required: false, hint: 'As others see it.' })}
        ${newPassword()}
        <button class="main">Set the password and sign in</button>
      </form>`,
  })
}

/** The page of a link to reset a password. */
export function renderNewPassword({ error, token }: LinkForm): Html {
  return renderFrame({
    title: 'Set a new password',
    body: html`<h1>Set a new password</h1>
      ${renderMessages({ error })}
      <form method="post" action="/app/password">
        ${renderLinkSecret(token)}${newPassword()}
        <button class="main">Set the password</button>
      </form>
      <p class="beside">Your sessions end in all browsers. <a href="/sign-in/forgotten">Request another link</a></p>`,
  })
}

/** The page that requests a link to reset a password. */
export function renderForgotten({ email, error }: { email: string; error?: string }): Html {
  return renderFrame({
    title: 'Forgot your password?',
    body: html`<h1>Forgot your password?</h1>
      ${renderMessages({ error })}
      <p>You get an e-mail with a link to set a new one.</p>
      <form method="post" action="/sign-in/forgotten">
        ${renderField({ name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username', maxlength: 254 })}
        <button class="main">Send the link</button>
      </form>
      <p class="beside"><a href="/sign-in">Back to the sign-in page</a></p>`,
  })
}

/** The page of an invitation to a user who has an account. */
export function renderJoin(view: { isSignedIn: boolean; organizationId: string; error?: string }): Html {
  const { isSignedIn, organizationId, error } = view
  const path = `/app/join/${encodeURIComponent(organizationId)}`
  const title = 'Join an organization'
  if (!isSignedIn)
    return renderFrame({
      title,
      body: html`<h1>${title}</h1>
        <p>Sign in with the e-mail address to which the invitation was sent. Then you can accept it.</p>
        <p data-keep-link><a class="button main" href="/sign-in?next=${encodeURIComponent(path)}">Sign in</a></p>
        <noscript><p class="hint">Keep the link: you enter its code after signing in.</p></noscript>`,
    })
  return renderFrame({
    title,
    signOut: true,
    body: html`<h1>${title}</h1>
      ${renderMessages({ error })}
      <form method="post" action="${path}">
        ${renderLinkSecret()}
        <button class="main">Accept the invitation</button>
      </form>
      <p class="beside"><a href="/app/me">Your account</a></p>`,
  })
}
