import { type Html, html } from '../../core/text/html.ts'
import { renderField, renderMessages } from './fields.ts'
import { renderFrame } from './frame.ts'
import type { Wording } from './words.ts'

interface LinkForm {
  error?: string
  token?: string
}

/** The field with the secret of a link. The script fills it in. @param token that was sent before */
export function renderLinkSecret({ t }: Wording, token = ''): Html {
  return renderField({
    name: 'token',
    label: t('Code of the link'),
    value: token,
    hint: t('The part of the link after “#”.'),
    autocomplete: 'off',
    maxlength: 255,
    fromLink: true,
  })
}

const newPassword = ({ t }: Wording) =>
  renderField({
    name: 'password',
    label: t('New password'),
    type: 'password',
    hint: t('At least 10 characters. Several words make a good one.'),
    autocomplete: 'new-password',
    minlength: 10,
    maxlength: 256,
  })

/** A page on which a new user sets a password and signs in. @param view.path receives the form */
export function renderInvitation(
  view: LinkForm & { path: string; title: string; keepsCookies: boolean; displayName?: string },
  wording: Wording,
): Html {
  const { t, rich } = wording
  const { path, title, error, token, keepsCookies, displayName } = view
  return renderFrame({
    wording,
    title,
    path,
    body: html`<h1>${title}</h1>
      ${renderMessages({ error: error ?? (keepsCookies ? undefined : t('You can set a password here, but signing in needs HTTPS.')) })}
      <p data-account role="status" hidden>${rich('You sign in with the address {email}.', { email: html`<b></b>` })}</p>
      <form method="post" action="${path}">
        ${renderLinkSecret(wording, token)}
        ${renderField({ name: 'displayName', label: t('Your name'), value: displayName ?? '', autocomplete: 'name', maxlength: 64, required: false, hint: t('As others see it.') })}
        ${newPassword(wording)}
        <button class="main">${t('Set the password and sign in')}</button>
      </form>`,
  })
}

/** The page of a link to reset a password. */
export function renderNewPassword({ error, token }: LinkForm, wording: Wording): Html {
  const { t } = wording
  return renderFrame({
    wording,
    title: t('Set a new password'),
    path: '/app/password',
    body: html`<h1>${t('Set a new password')}</h1>
      ${renderMessages({ error })}
      <form method="post" action="/app/password">
        ${renderLinkSecret(wording, token)}${newPassword(wording)}
        <button class="main">${t('Set the password')}</button>
      </form>
      <p class="beside">${t('Your sessions end in all browsers.')} <a href="/sign-in/forgotten">${t('Request another link')}</a></p>`,
  })
}

/** The page that requests a link to reset a password. */
export function renderForgotten({ email, error }: { email: string; error?: string }, wording: Wording): Html {
  const { t } = wording
  return renderFrame({
    wording,
    title: t('Forgot your password?'),
    path: '/sign-in/forgotten',
    body: html`<h1>${t('Forgot your password?')}</h1>
      ${renderMessages({ error })}
      <p>${t('You get an e-mail with a link to set a new one.')}</p>
      <form method="post" action="/sign-in/forgotten">
        ${renderField({ name: 'email', label: t('E-mail address'), type: 'email', value: email, autocomplete: 'username', maxlength: 254 })}
        <button class="main">${t('Send the link')}</button>
      </form>
      <p class="beside"><a href="/sign-in">${t('Back to the sign-in page')}</a></p>`,
  })
}

/** The page of an invitation to a user who has an account. */
export function renderJoin(
  view: { isSignedIn: boolean; organizationId: string; error?: string },
  wording: Wording,
): Html {
  const { t } = wording
  const { isSignedIn, organizationId, error } = view
  const path = `/app/join/${encodeURIComponent(organizationId)}`
  const title = t('Join an organization')
  if (!isSignedIn)
    return renderFrame({
      wording,
      title,
      path,
      body: html`<h1>${title}</h1>
        <p>${t('Sign in with the e-mail address to which the invitation was sent. Then you can accept it.')}</p>
        <p data-keep-link><a class="button main" href="/sign-in?next=${encodeURIComponent(path)}">${t('Sign in')}</a></p>
        <noscript><p class="hint">${t('Keep the link: you enter its code after signing in.')}</p></noscript>`,
    })
  return renderFrame({
    wording,
    title,
    path,
    signOut: true,
    body: html`<h1>${title}</h1>
      ${renderMessages({ error })}
      <form method="post" action="${path}">
        ${renderLinkSecret(wording)}
        <button class="main">${t('Accept the invitation')}</button>
      </form>
      <p class="beside"><a href="/app/me">${t('Your account')}</a></p>`,
  })
}
