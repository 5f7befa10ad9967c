/** What the endpoints of single sign-on share: a request, its provider, and the session that it opens. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownCookie, sessionCookie } from '../access/credentials/sessions.ts'
import { randomText } from '../core/data/id.ts'
import type { Tx } from '../db/schema.ts'
import { WORDINGS, type Wording } from '../console/render/words.ts'
import { pageLanguageOf } from '../http/request/page-language.ts'
import { cookieOf } from '../http/request/cookies.ts'
import type { Services } from '../http/route.ts'
import type { IdentityProvider } from '../model/membership/identity-provider.ts'
import { memberFor } from './member.ts'
import type { oidcSignIn } from './oidc.ts'
import type { Person } from './person.ts'
import { refuse } from './sign-in-refused.ts'
import { REQUEST_MS } from './sign-in-requests.ts'
import { openSessionFor } from './session.ts'

/** A request for an endpoint of single sign-on, with what it is answered from. */
export interface SsoRequest {
  services: Services
  oidc: ReturnType<typeof oidcSignIn>
  request: FastifyRequest
  reply: FastifyReply
}

/** An endpoint of single sign-on. @throws SignInRefused */
export type SsoEndpoint = (sso: SsoRequest) => Promise<FastifyReply>

/** The parameters of a path with a provider. */
export type ProviderParams = { providerId: string }

/** The provider in the path, active or not: its metadata is needed to configure it. @throws SignInRefused */
export async function needProvider(
  { services, request }: SsoRequest,
  kind?: IdentityProvider['kind'],
): Promise<IdentityProvider> {
  const provider = await services.db.read
    .selectFrom('identityProvider')
    .selectAll()
    .where('id', '=', (request.params as ProviderParams).providerId)
    .executeTakeFirst()
  if (!provider) return refuse('There is no such provider')
  if (kind !== undefined && provider.kind !== kind) return refuse(`The provider is not one of ${kind}`)
  return provider
}

/** Opens a session for a person whom a provider has signed in. @returns the value of its cookie */
export async function signInPerson(
  tx: Tx,
  { services, request }: SsoRequest,
  provider: IdentityProvider,
  person: Person,
): Promise<string> {
  const { mail, now, newId, sealing, sessionTimes: times } = services
  const at = now()
  const { userId, joined } = await memberFor(tx, provider, person, {
    mailed: mail.configured,
    now: at,
    newId,
  })
  const { samlName } = person
  return openSessionFor(tx, sealing, {
    userId,
    provider,
    joined,
    samlName,
    request,
    id: newId(),
    times,
    now: at,
  })
}

/** Sends a browser on with its new session. */
export function redirectSignedIn(
  { services, reply }: SsoRequest,
  cookie: string,
  path: string,
): FastifyReply {
  return reply.header('set-cookie', sessionCookie(cookie, services.sessionTimes)).redirect(path, 303)
}

/** Ties a sign-in to the browser that began it. */
const COOKIE = '__Host-lectern-sso'
const COOKIE_VALUE = /^[0-9a-z]{43}$/
const COOKIE_LENGTH = 43

/** The browser that sent a request, by its cookie; empty if it has none. */
export function browserOf({ request }: SsoRequest): string {
  return cookieOf(request, COOKIE) ?? ''
}

/** The browser that sent a request, or a new name for it. */
export function knownBrowser(sso: SsoRequest): string {
  const sent = browserOf(sso)
  return COOKIE_VALUE.test(sent) ? sent : randomText(COOKIE_LENGTH)
}

/** The cookie that ties a sign-in to a browser. */
export const browserCookie = (browser: string): string => ownCookie(COOKIE, browser, REQUEST_MS)

/** The words of a page, in the language of the person. */
export const wordingOf = ({ request }: SsoRequest): Wording => WORDINGS[pageLanguageOf(request)]

/** A parameter of the query of a request, if it is there once. */
export function queryText({ request }: SsoRequest, name: string): string {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

/** The fields of a form that a request has sent. */
export function sentForm({ request }: SsoRequest): Record<string, string> {
  return (request.body ?? {}) as Record<string, string>
}
