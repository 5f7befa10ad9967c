import { type Html, html } from '../../core/html.ts'
import { renderButton, renderField, renderMessages, renderTime } from './fields.ts'
import { renderFrame } from './frame.ts'
import { type SecurityView, renderSecurity } from './security.ts'

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

/** What the page of the account shows. */
export interface AccountView {
  user: { displayName: string; email?: string }
  organizations: Listed<{ id: string; title: string }>
  /** Those that the session does not reach, because they require single sign-on. */
  closed: readonly { title: string; options: readonly { title: string; startUrl: string }[] }[]
  tokens: Listed<TokenView>
  sessions: Listed<DeviceView>
  /** Absent for a session that must not change the account. */
  security: SecurityView | undefined
  /** Whether the user signed in long ago, so that changes of the account require the password. */
  needsPassword: boolean
}

/** What became of the form that was sent. */
export interface Shown {
  error?: string | undefined
  note?: string | undefined
}

export function renderAccount(view: AccountView, shown: Shown): Html {
  const { user, organizations, closed, tokens, sessions, security, needsPassword } = view
  return renderFrame({
    title: 'Your account',
    wide: true,
    signOut: true,
    body: html`<h1>${user.displayName}</h1>
      <p class="lead">${user.email ?? ''}</p>
      <p><a href="/app/profile">Picture, name, language and notifications</a></p>
      ${renderMessages(shown)}
      <section aria-labelledby="organizations">
        <h2 id="organizations">Organizations</h2>
        ${
          organizations.items.length + closed.length === 0
            ? html`<p>You are in no organization.</p>`
            : html`<ul class="rows">
                ${organizations.items.map(({ id, title }) => html`<li><a href="/app/o/${id}">${title}</a></li>`)}
                ${closed.map(renderClosed)}
              </ul>`
        }
        ${renderMore('orgs', organizations)}
      </section>
      ${renderTokens(tokens, needsPassword)} ${renderSessions(sessions)}
      ${security ? renderSecurity(security, { email: user.email, needsPassword }) : ''}
      <p class="beside">
        <a href="/docs">Reference of the API</a>
      </p>`,
  })
}

function renderClosed({ title, options }: AccountView['closed'][number]): Html {
  return html`<li>
    <div>
      <b>${title}</b>
      <p class="hint">This organization requires single sign-on. Signing in with it ends this session.</p>
    </div>
    ${options.map(
      (one) =>
        html`<a class="button small" href="${one.startUrl}">Sign in with SSO${
          options.length > 1 ? `: ${one.title}` : ''
        }<span class="unseen"> to ${title}</span></a>`,
    )}
  </li>`
}

function renderTokens(tokens: Listed<TokenView>, needsPassword: boolean): Html {
  return html`<section aria-labelledby="tokens">
    <h2 id="tokens">API tokens</h2>
    <p>A program that has a token acts as you.</p>
    ${
      tokens.items.length === 0
        ? ''
        : html`<ul class="rows">
            ${tokens.items.map(
              (token) =>
                html`<li>
                  <div>
                    <b>${token.label}</b>${token.readOnly ? html` <span class="tag">read-only</span>` : ''}
                    <p class="hint">
                      Created ${renderTime(token.createdAt)}${token.lastUsedAt ? html`, last used ${renderTime(token.lastUsedAt)}` : ''}${token.expiresAt ? html`, expires ${renderTime(token.expiresAt)}` : ''}
                    </p>
                  </div>
                  ${renderButton(`/app/tokens/${token.id}/revoke`, 'Revoke', token.label)}
                </li>`,
            )}
          </ul>`
    }
    ${renderMore('tokens', tokens)}
    <details>
      <summary>Create a token</summary>
      <form method="post" action="/app/tokens">
        ${renderField({ name: 'label', label: 'Name', maxlength: 50, hint: 'What it is for, such as “backup script”.', autocomplete: 'off' })}
        <div class="field">
          <label for="days">Expires</label>
          <select id="days" name="days">
            <option value="7">in 7 days</option>
            <option value="30">in 30 days</option>
            <option value="90" selected>in 90 days</option>
            <option value="365">in a year</option>
            <option value="">never</option>
          </select>
        </div>
        <p class="check"><input type="checkbox" id="readOnly" name="readOnly" /> <label for="readOnly">It can only read</label></p>
        ${renderField({
          id: 'token-password',
          name: 'password',
          label: 'Your password',
          type: 'password',
          required: false,
          maxlength: 256,
          autocomplete: 'current-password',
          hint: needsPassword
            ? 'Without it, the token expires with this session.'
            : 'Only for a token that lives longer than this session. Otherwise, leave it empty.',
        })}
        <button class="main">Create the token</button>
      </form>
    </details>
  </section>`
}

function renderSessions(sessions: Listed<DeviceView>): Html {
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">Sessions</h2>
    <p>The browsers in which you are signed in.</p>
    <ul class="rows">
      ${sessions.items.map(
        (session) =>
          html`<li>
            <div>
              <b>${session.device}</b>${session.current ? html` <span class="tag">this browser</span>` : ''}
              <p class="hint">
                From ${session.ip} since ${renderTime(session.createdAt)}, last used ${renderTime(session.lastUsedAt)}
              </p>
            </div>
            ${renderButton(`/app/sessions/${session.id}/end`, session.current ? 'Sign out' : 'End', session.device)}
          </li>`,
      )}
    </ul>
    ${renderMore('sessions', sessions)}
    <form method="post" action="/app/sessions/end-others"><button>Sign out everywhere else</button></form>
  </section>`
}

/** The link to the next items of a list. @param name of the parameter with their cursor */
export function renderMore(name: string, { next }: Listed<unknown>): Html | '' {
  return next ? html`<p><a href="?${name}=${encodeURIComponent(next.page)}">More</a></p>` : ''
}
