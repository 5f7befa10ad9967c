import { type Html, html } from '../../core/text/html.ts'
import { renderButton, renderField, renderLastUse, renderMessages, renderTime } from './fields.ts'
import { renderFrame } from './frame.ts'
import { type SecurityView, renderSecurity } from './security.ts'
import type { Wording } from './words.ts'

/** A page of a list, and where the next one starts. */
export interface Listed<T> {
  items: readonly T[]
  next?: { page: string }
}

/** An API token of the user. */
export interface TokenView {
  id: string
  label: string
  readOnly: boolean
  createdAt: string
  expiresAt?: string
  lastUsedAt?: string
  /** The only organization that it reaches. */
  organization?: string
  /** The ids of the organizations that it is authorized for. */
  authorizedFor?: readonly string[]
}

/** A browser in which the user is signed in. */
export interface DeviceView {
  id: string
  device: string
  ip: string
  current: boolean
  createdAt: string
  lastUsedAt: string
}

/** The data that the account page shows. */
export interface AccountView {
  user: { displayName: string; email?: string }
  organizations: Listed<{ id: string; title: string }>
  /** Those that the session does not reach, because they require single sign-on. */
  closed: readonly { title: string; options: readonly { title: string; startUrl: string }[] }[]
  /** Those that require single sign-on, so that tokens need an authorization. */
  guarded: readonly { id: string; title: string }[]
  tokens: Listed<TokenView>
  sessions: Listed<DeviceView>
  /** Absent for a session that must not change the account. */
  security: SecurityView | undefined
  /** Whether the user signed in long ago, so that changes of the account require the password. */
  needsPassword: boolean
}

/** The outcome of the form that was sent. */
export interface Shown {
  error?: string | undefined
  note?: string | undefined
}

export function renderAccount(view: AccountView, shown: Shown, wording: Wording): Html {
  const { t } = wording
  const { user, organizations, closed, sessions, security, needsPassword } = view
  return renderFrame({
    wording,
    title: t('Your account'),
    path: '/app/me',
    wide: true,
    signOut: true,
    body: html`<h1>${user.displayName}</h1>
      <p class="lead">${user.email ?? ''}</p>
      <p><a href="/app/profile">${t('Picture, name, language and notifications')}</a></p>
      ${renderMessages(shown)}
      <section aria-labelledby="organizations">
        <h2 id="organizations">${t('Organizations')}</h2>
        ${
          organizations.items.length + closed.length === 0
            ? html`<p>${t('You are in no organization.')}</p>`
            : html`<ul class="rows">
                ${organizations.items.map(({ id, title }) => html`<li><a href="/app/o/${id}">${title}</a></li>`)}
                ${closed.map((one) => renderClosed(one, wording))}
              </ul>`
        }
        ${renderMore('orgs', organizations, wording)}
      </section>
      ${renderTokens(view, wording)} ${renderSessions(sessions, wording)}
      ${security ? renderSecurity(security, { email: user.email, needsPassword }, wording) : ''}
      <p class="beside">
        <a href="/docs">${t('Reference of the API')}</a>
      </p>`,
  })
}

function renderClosed({ title, options }: AccountView['closed'][number], { t }: Wording): Html {
  return html`<li>
    <div>
      <b>${title}</b>
      <p class="hint">${t('This organization requires single sign-on. Signing in with it ends this session.')}</p>
    </div>
    ${options.map(
      (one) =>
        html`<a class="button small" href="${one.startUrl}">${t('Sign in with SSO')}${
          options.length > 1 ? `: ${one.title}` : ''
        }<span class="unseen"> ${title}</span></a>`,
    )}
  </li>`
}

function renderTokens({ tokens, guarded, needsPassword }: AccountView, wording: Wording): Html {
  const { t, rich } = wording
  return html`<section aria-labelledby="tokens">
    <h2 id="tokens">${t('API tokens')}</h2>
    <p>${t('A program that has a token acts as you.')}</p>
    ${
      tokens.items.length === 0
        ? ''
        : html`<ul class="rows">
            ${tokens.items.map(
              (token) =>
                html`<li>
                  <div>
                    <b>${token.label}</b>${token.readOnly ? html` <span class="tag">${t('read-only')}</span>` : ''}
                    <p class="hint">
                      ${rich('Created {time}', { time: renderTime(token.createdAt, wording) })}${renderLastUse(token.lastUsedAt, wording)}${token.expiresAt ? rich(', expires {time}', { time: renderTime(token.expiresAt, wording) }) : ''}
                    </p>
                    ${guarded.filter(({ id }) => id === (token.organization ?? id)).map((one) => renderAuthorization(token, one, wording))}
                  </div>
                  ${renderButton(`/app/tokens/${token.id}/revoke`, t('Revoke'), token.label)}
                </li>`,
            )}
          </ul>`
    }
    ${renderMore('tokens', tokens, wording)}
    <details>
      <summary>${t('Create a token')}</summary>
      <form method="post" action="/app/tokens">
        ${renderField({ name: 'label', label: t('Name'), maxlength: 50, hint: t('What it is for, such as “backup script”.'), autocomplete: 'off' })}
        <div class="field">
          <label for="days">${t('Expires')}</label>
          <select id="days" name="days">
            <option value="7">${t('in {count} days', { count: 7 })}</option>
            <option value="30">${t('in {count} days', { count: 30 })}</option>
            <option value="90" selected>${t('in {count} days', { count: 90 })}</option>
            <option value="365">${t('in a year')}</option>
            <option value="">${t('never')}</option>
          </select>
        </div>
        <p class="check"><input type="checkbox" id="readOnly" name="readOnly" /> <label for="readOnly">${t('It can only read')}</label></p>
        ${renderField({
          id: 'token-password',
          name: 'password',
          label: t('Your password'),
          type: 'password',
          required: false,
          maxlength: 256,
          autocomplete: 'current-password',
          hint: needsPassword
            ? t('Without it, the token expires when this session would, if you do not sign out.')
            : t('Only for a token that lives longer than this session. Otherwise, leave it empty.'),
        })}
        <button class="main">${t('Create the token')}</button>
      </form>
    </details>
  </section>`
}

/** Whether a token opens an organization that requires single sign-on. */
function renderAuthorization(
  { id, label, authorizedFor = [] }: TokenView,
  organization: AccountView['guarded'][number],
  { t }: Wording,
): Html {
  const { title } = organization
  if (authorizedFor.includes(organization.id))
    return html`<p class="hint">${t('Authorized for {organization}', { organization: title })}</p>`
  return html`<p class="hint">
    <a href="/app/tokens/${id}/authorize">${t('Authorize for {organization}', { organization: title })}<span class="unseen"> ${label}</span></a>
  </p>`
}

function renderSessions(sessions: Listed<DeviceView>, wording: Wording): Html {
  const { t, rich } = wording
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">${t('Sessions')}</h2>
    <p>${t('The browsers in which you are signed in.')}</p>
    <ul class="rows">
      ${sessions.items.map(
        (session) =>
          html`<li>
            <div>
              <b>${session.device}</b>${session.current ? html` <span class="tag">${t('this browser')}</span>` : ''}
              <p class="hint">
                ${rich('From {address} since {time}', { address: session.ip, time: renderTime(session.createdAt, wording) })}${renderLastUse(session.lastUsedAt, wording)}
              </p>
            </div>
            ${renderButton(`/app/sessions/${session.id}/end`, session.current ? t('Sign out') : t('End'), session.device)}
          </li>`,
      )}
    </ul>
    ${renderMore('sessions', sessions, wording)}
    <form method="post" action="/app/sessions/end-others"><button>${t('Sign out everywhere else')}</button></form>
  </section>`
}

/** The link to the next items of a list. @param name of the parameter with their cursor */
function renderMore(name: string, { next }: Listed<unknown>, { t }: Wording): Html | '' {
  return next ? html`<p><a href="?${name}=${encodeURIComponent(next.page)}">${t('More')}</a></p>` : ''
}
