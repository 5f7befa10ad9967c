import { ownCookie, SESSION_COOKIE, sessionCookie } from '../../access/credentials/sessions.ts'
import { cookieOf } from '../../http/request/cookies.ts'
import type { Tx } from '../../db/schema.ts'
import type { SignInMethod } from '../../db/sign-in-tables.ts'
import { appendUserEvent } from '../../model/audit/user-event.ts'
import { openSession } from '../../model/people/session.ts'
import type { PageRequestContext } from './page.ts'

/** Proves that the browser has signed in before, so that attempts of strangers do not lock its user out. */
const DEVICE_COOKIE = '__Host-lectern-device'
const DEVICE_MS = 365 * 24 * 60 * 60_000

/**
 * Signs a user in who has proved who they are: opens a session, ends the one that the browser had, and logs it.
 * @returns the cookies for the browser
 */
export async function signIn(
  tx: Tx,
  { services, request, now }: Pick<PageRequestContext, 'services' | 'request' | 'now'>,
  user: {
    id: string
    email: string | null
    method: SignInMethod
    providerId?: string
    organizationId?: string
  },
): Promise<string[]> {
  const { id: userId, email, method, ...provider } = user
  const id = services.newId()
  const { ip } = request
  const userAgent = request.headers['user-agent']
  const { sessionTimes: times } = services
  const replaces = cookieOf(request, SESSION_COOKIE)
  const value = await openSession(tx, {
    id,
    userId,
    method,
    ip,
    userAgent,
    replaces,
    times,
    now,
    ...provider,
  })
  await appendUserEvent(tx, services.sealing, userId, {
    action: 'account.session.create',
    ip,
    requestId: request.id,
    targetType: 'session',
    targetId: id,
    now,
    after: { method },
  })
  return [sessionCookie(value, times), ...deviceCookies({ services, now }, email)]
}

/** The cookie of a browser whose user has proved to have an e-mail address. */
export function deviceCookies(
  { services, now }: Pick<PageRequestContext, 'services' | 'now'>,
  email: string | null,
): string[] {
  return email === null ? [] : [ownCookie(DEVICE_COOKIE, services.devices.issue(email, now), DEVICE_MS)]
}

/** The proof of an earlier sign-in with this browser. */
export function deviceOf({ request }: Pick<PageRequestContext, 'request'>): string | undefined {
  return cookieOf(request, DEVICE_COOKIE)?.slice(0, 256)
}
