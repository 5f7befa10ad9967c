import { providerSignOutPath } from '../../model/membership/provider-logout.ts'
import { noSessionCookie } from '../../access/credentials/sessions.ts'
import { readUserAgent } from '../../core/web/user-agent.ts'
import type { ApiError } from '../../http/errors.ts'
import { closedOrganizations, guardedOrganizations } from '../../model/membership/sign-in-options.ts'
import type { Passkey } from '../../model/people/passkey.ts'
import type { SecondFactor } from '../../model/people/second-factor.ts'
import type { Session } from '../../model/people/session.ts'
import { isFresh } from '../../model/people/sign-in.ts'
import type { Token } from '../../model/people/token.ts'
import type { User } from '../../model/people/user.ts'
import {
  type AccountView,
  type DeviceView,
  type Listed,
  renderAccount,
  type Shown,
} from '../render/account.ts'
import { renderNotice } from '../render/notice.ts'
import { renderClosedOrganization } from '../render/organization.ts'
import { renderNewToken } from '../render/secrets.ts'
import type { PagePhrase, Wording } from '../render/words.ts'
import {
  type ApiAnswer,
  type ApiInput,
  refusalText,
  type PageAnswer,
  type PageHandler,
  type PageRequestContext,
} from './page.ts'

const AT_ONCE = 50
const DAY = 24 * 60 * 60_000
const LIFETIMES = ['7', '30', '90', '365']

const NOTES = new Map(
  Object.entries<PagePhrase>({
    'token-revoked': 'The token is revoked.',
    'token-authorized': 'The token is authorized.',
    'session-ended': 'The session has ended.',
    'sessions-ended': 'All other sessions have ended.',
    'passkey-added': 'The passkey is registered. You can sign in with it.',
    'passkey-deleted': 'The passkey is deleted.',
    'password-changed': 'Your password is changed, and your other sessions have ended.',
    'factor-removed': 'Signing in requires no more codes.',
  }),
)

/** The account with its tokens and sessions, and the console. */
export const accountPages: Record<string, PageHandler> = {
  'GET /app': signedIn((context) => context.console()),

  'GET /app/me': signedIn((context) => accountPage(context, { note: noteIn(context) })),

  'GET /app/o/:organizationId': signedIn((context) => organizationPage(context)),
  'GET /app/o/:organizationId/*': signedIn((context) => organizationPage(context)),
  'GET /app/inbox': signedIn((context) => context.console()),
  'GET /app/drafts': signedIn((context) => context.console()),
  'GET /app/installation': signedIn((context) => context.console()),
  'GET /app/profile': signedIn((context) => context.console()),
  'GET /app/s/*': signedIn((context) => context.console()),
  'GET /app/c/*': signedIn((context) => context.console()),

  'GET /app/*': signedIn(async ({ wording }) => notHere(wording)),

  'POST /app/tokens': signedIn(async (context) => {
    const { form, now, call } = context
    const days = LIFETIMES.find((one) => one === form.get('days'))
    const password = form.get('password')
    const { error, body } = await call('createToken', {
      body: {
        label: (form.get('label') ?? '').trim(),
        readOnly: form.get('readOnly') === 'on',
        ...(days ? { expiresAt: new Date(now.getTime() + Number(days) * DAY).toISOString() } : {}),
        ...(password ? { password } : {}),
      },
    })
    if (error) return refused(context, error)
    return { page: renderNewToken(body as Token & { token: string }, context.wording) }
  }),

  'POST /app/tokens/:tokenId/revoke': signedIn((context) =>
    act(context, 'deleteToken', { params: context.params }, 'token-revoked'),
  ),

  'POST /app/sessions/:sessionId/end': signedIn(async (context) => {
    const { params, me } = context
    const { db, sealing } = context.services
    const own = params.sessionId === me?.session.id ? params.sessionId : undefined
    const atProvider =
      own === undefined ? undefined : await providerSignOutPath(db.read, sealing, own, context.now)
    const answer = await act(context, 'endSessionById', { params }, 'session-ended')
    if (own === undefined) return answer
    return { location: atProvider ?? '/sign-in?note=signed-out', cookies: [noSessionCookie()] }
  }),

  'POST /app/sessions/end-others': signedIn((context) =>
    act(context, 'endOtherSessions', {}, 'sessions-ended'),
  ),
}

/** A page that only signed-in people see. Others sign in first, and then come back to it. */
export function signedIn(handle: PageHandler): PageHandler {
  return async (context) => {
    if (context.me) return handle(context)
    const { method, url } = context.request
    const next = method === 'GET' ? `?next=${encodeURIComponent(url)}` : ''
    return { location: `/sign-in${url === '/app' ? '' : next}` }
  }
}

/** The console. People whose session is not enough for an organization learn how to get in. */
async function organizationPage({
  params,
  me,
  services,
  wording,
  console: app,
}: PageRequestContext): Promise<PageAnswer> {
  const closed = me ? await closedOrganizations(services.db.read, me) : []
  const one = closed.find(({ id }) => id === params.organizationId)
  return one ? { status: 403, page: renderClosedOrganization(one, wording) } : app()
}

/** Calls an operation of the API, and shows the account again with what became of it. */
export async function act(
  context: PageRequestContext,
  operation: string,
  input: ApiInput,
  note: string,
): Promise<PageAnswer> {
  const { error } = await context.call(operation, input)
  return error ? refused(context, error) : { location: `/app/me?note=${note}` }
}

/** The account with the reason why something was refused. */
export function refused(context: PageRequestContext, error: ApiError): Promise<PageAnswer> {
  return accountPage(context, { status: error.status, error: refusalText(error, context.wording) })
}

async function accountPage(
  context: PageRequestContext,
  { status = 200, ...shown }: Shown & { status?: number },
): Promise<PageAnswer> {
  const { form, call, me, now, services, wording } = context
  const [user, organizations, closed, guarded, tokens, sessions, factor, passkeys] = await Promise.all([
    call('getAuthenticatedUser'),
    call('listOrganizationsForAuthenticatedUser', { query: pageAt(form.get('orgs')) }),
    me ? closedOrganizations(services.db.read, me) : [],
    me ? guardedOrganizations(services.db.read, me) : [],
    call('listTokens', { query: pageAt(form.get('tokens')) }),
    call('listSessions', { query: pageAt(form.get('sessions')) }),
    call('getSecondFactor'),
    call('listPasskeys', { query: pageAt(null) }),
  ])
  const view: AccountView = {
    user: user.body as User,
    organizations: listIn(organizations),
    closed,
    guarded,
    tokens: listIn(tokens),
    sessions: {
      ...listIn(sessions),
      items: listIn<Session>(sessions).items.map((one) => toDevice(one, wording)),
    },
    // A session of an identity provider must not change the account.
    security:
      factor.error === undefined
        ? { factor: factor.body as SecondFactor, passkeys: listIn<Passkey>(passkeys).items }
        : undefined,
    needsPassword: !me || !isFresh(me, now),
  }
  return { status, page: renderAccount(view, shown, wording) }
}

/** The list in a response; an empty one for guests, who may not see it, and for a cursor that is none. */
function listIn<T>({ error, body }: ApiAnswer): Listed<T> {
  return error ? { items: [] } : (body as Listed<T>)
}

function pageAt(cursor: string | null): Record<string, string> {
  return { limit: String(AT_ONCE), ...(cursor ? { page: cursor } : {}) }
}

const NAMES: Record<string, string> = {
  chrome: 'Chrome',
  firefox: 'Firefox',
  safari: 'Safari',
  edge: 'Edge',
  ie: 'Internet Explorer',
  opera: 'Opera',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  android: 'Android',
  ios: 'iOS',
}

function toDevice(session: Session, { t }: Wording): DeviceView {
  const agent = readUserAgent(session.userAgent ?? '')
  const [browser, system] = [NAMES[agent.browser], NAMES[agent.os]]
  const both = browser && system && t('{browser} on {system}', { browser, system })
  return { ...session, device: both ?? browser ?? system ?? t('Unknown browser') }
}

function noteIn({ form, wording }: PageRequestContext): string | undefined {
  const note = NOTES.get(form.get('note') ?? '')
  return note && wording.t(note)
}

export const notHere = (wording: Wording): PageAnswer => ({
  status: 404,
  page: renderNotice(
    {
      title: wording.t('There is no page here'),
      text: wording.t('Either it does not exist, or you have no access to it.'),
      link: { to: '/app/me', title: wording.t('Your account') },
    },
    wording,
  ),
})
