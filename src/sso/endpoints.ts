import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownCookie, sessionCookie } from '../access/sessions.ts'
import { renderNotice } from '../console/render/notice.ts'
import { WORDINGS } from '../console/render/words.ts'
import { randomText } from '../core/id.ts'
import type { Html } from '../core/html.ts'
import { cookieOf } from '../http/cookies.ts'
import { ownPath } from '../http/own-path.ts'
import { hasNul, pageFault } from '../http/page-fault.ts'
import { pageLanguageOf } from '../http/page-language.ts'
import { isOwnRequest } from '../http/same-origin.ts'
import type { Services } from '../http/route.ts'
import { isActive, type IdentityProvider, serviceOf } from '../model/membership/identity-provider.ts'
import { memberFor } from './member.ts'
import { newOidcSecrets, oidcSignIn, type OidcSecrets } from './oidc.ts'
import { PAGE_HEADERS, renderRecovery, renderRefused } from './page.ts'
import type { Person } from './person.ts'
import { quoted, refuse, SignInRefused } from './refused.ts'
import {
  answerRequest,
  findOpenRequest,
  insertRequest,
  REQUEST_MS,
  signInRequestPurpose,
  takeAnswered,
  takeOpen,
  useAssertion,
} from './requests.ts'
import { metadataOf, requestUrl, trustOf } from './saml-service.ts'
import { verifyResponse } from './saml.ts'
import { openSessionFor, useRecoveryLink } from './session.ts'

/** Ties a sign-in to the browser that began it. */
const COOKIE = '__Host-lectern-sso'
const COOKIE_VALUE = /^[0-9a-z]{43}$/
const COOKIE_LENGTH = 43
/** A response of 128 kB in base64, as a form. */
const FORM_LIMIT = 256 * 1024
const FORM = 'application/x-www-form-urlencoded'

type Params = { providerId: string }

/** Counts a request by its client. @throws 429 */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Adds the pages of single sign-on: where it starts, where providers send people back, and the metadata of this service.
 * Every failure shows the same page, and the log has the reason.
 */
export async function mountSso(
  server: FastifyInstance,
  services: Services,
  count: CountRequest,
): Promise<void> {
  const { db, urls, now, sessionTimes: times } = services
  const oidc = oidcSignIn(services)

  await server.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: FORM_LIMIT }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    )
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      count(request, reply)
      if (hasNul(request.url)) refuse('The address contains the character NUL')
    })
    scope.setErrorHandler((error, request, reply) => sendFault(error, request, reply))
    const get = (path: string, handler: Step) => on('GET', path, handler)
    const on = (method: 'GET' | 'POST', url: string, handler: Step) =>
      scope.route({
        method,
        url,
        schema: { hide: true },
        exposeHeadRoute: false,
        // CORS is for the clients of the API.
        config: { cors: false } as object,
        ...(method === 'POST' ? { bodyLimit: FORM_LIMIT } : {}),
        handler,
      })

    get('/sso/:providerId', start)
    get('/sso/:providerId/metadata', metadata)
    on('POST', '/sso/:providerId/acs', receiveResponse)
    get('/sso/:providerId/finish', finish)
    get('/sso/:providerId/callback', receiveCode)
    get('/sso/recover', showRecovery)
    on('POST', '/sso/recover', recover)
  })

  async function start(request: FastifyRequest, reply: FastifyReply) {
    const provider = await needProvider(request)
    if (!isActive(provider)) refuse('The provider is not configured')
    const sent = cookieOf(request, COOKIE) ?? ''
    const browser = COOKIE_VALUE.test(sent) ? sent : randomText(COOKIE_LENGTH)
    const returnPath = ownPath(textIn(request.query, 'next'))
    const secrets = provider.kind === 'oidc' ? newOidcSecrets() : undefined
    // An id of XML begins with a letter or "_".
    const id = secrets?.state ?? `_${randomBytes(20).toString('hex')}`
    const url = secrets
      ? await oidc.startUrl(provider, serviceOf(urls, provider).callbackURL, secrets)
      : await requestUrl(services, provider, id)
    const sealedSecrets = secrets && services.sealing.seal(JSON.stringify(secrets), signInRequestPurpose(id))
    await db.write((tx) =>
      insertRequest(tx, {
        id,
        providerId: provider.id,
        browser,
        returnPath,
        ...(sealedSecrets && { sealedSecrets }),
        now: now(),
      }),
    )
    reply.header('set-cookie', ownCookie(COOKIE, browser, REQUEST_MS))
    return reply.redirect(url, 302)
  }

  async function metadata(request: FastifyRequest, reply: FastifyReply) {
    const provider = await needProvider(request, 'saml')
    return reply.type('application/samlmetadata+xml; charset=utf-8').send(metadataOf(services, provider))
  }

  async function receiveResponse(request: FastifyRequest, reply: FastifyReply) {
    const provider = await needProvider(request, 'saml')
    const { SAMLResponse = '', RelayState } = (request.body ?? {}) as Record<string, string>
    const at = now()
    const { id, person, usableUntil, requestId } = await verifyResponse(
      SAMLResponse,
      trustOf(services, provider),
      {
        isOpen: async (open) => (await findOpenRequest(db.read, provider.id, open, at)) !== undefined,
        allowsUnsolicited: provider.allowsUnsolicited === 1,
        now: at,
      },
    )
    const { next, cookie } = await db.write(async (tx) => {
      if (!(await useAssertion(tx, { providerId: provider.id, id, until: usableUntil })))
        refuse(`The assertion ${quoted(id)} was used before`)
      if (requestId === undefined)
        return {
          next: ownPath(RelayState),
          cookie: await signIn(tx, provider, person, request),
        }
      const ticket = await answerRequest(tx, { providerId: provider.id, id: requestId, person, now: at })
      if (ticket === undefined) return refuse(`The request ${quoted(requestId)} was answered before`)
      return { next: `/sso/${provider.id}/finish?ticket=${ticket}`, cookie: undefined }
    })
    if (cookie !== undefined) reply.header('set-cookie', sessionCookie(cookie, times))
    return reply.redirect(next, 303)
  }

  async function finish(request: FastifyRequest, reply: FastifyReply) {
    const provider = await needProvider(request, 'saml')
    const answered = {
      providerId: provider.id,
      ticket: textIn(request.query, 'ticket'),
      browser: cookieOf(request, COOKIE) ?? '',
      now: now(),
    }
    const { cookie, returnPath } = await db.write(async (tx) => {
      const taken = await takeAnswered(tx, answered)
      if (!taken?.person) return refuse('This browser did not begin the sign-in, or it is over')
      const person = JSON.parse(taken.person) as Person
      return { cookie: await signIn(tx, provider, person, request), returnPath: taken.returnPath }
    })
    return reply.header('set-cookie', sessionCookie(cookie, times)).redirect(returnPath, 303)
  }

  async function receiveCode(request: FastifyRequest, reply: FastifyReply) {
    const provider = await needProvider(request, 'oidc')
    const id = textIn(request.query, 'state')
    const browser = cookieOf(request, COOKIE) ?? ''
    const taken = await db.write((tx) => takeOpen(tx, { providerId: provider.id, id, browser, now: now() }))
    if (!taken?.sealedSecrets) return refuse('This browser did not begin the sign-in, or it is over')
    const opened = services.sealing.open(taken.sealedSecrets, signInRequestPurpose(id))
    const secrets = JSON.parse(opened ?? 'null') as OidcSecrets | null
    if (!secrets) return refuse('The secrets of the sign-in were sealed with another secret')

    const url = new URL(serviceOf(urls, provider).callbackURL)
    url.search = new URL(request.url, url).search
    const person = await oidc.personAt(provider, url, { ...secrets, state: id })
    const cookie = await db.write((tx) => signIn(tx, provider, person, request))
    return reply.header('set-cookie', sessionCookie(cookie, times)).redirect(taken.returnPath, 303)
  }

  const signIn: SignIn = async (tx, provider, person, request) => {
    const at = now()
    const { userId, joined } = await memberFor(tx, provider, person, {
      mailed: services.mail.configured,
      now: at,
      newId: services.newId,
    })
    return openSessionFor(tx, services.sealing, {
      userId,
      provider,
      joined,
      request,
      id: services.newId(),
      times,
      now: at,
    })
  }

  async function showRecovery(request: FastifyRequest, reply: FastifyReply) {
    return sendPage(reply, renderRecovery(WORDINGS[pageLanguageOf(request)]))
  }

  async function recover(request: FastifyRequest, reply: FastifyReply) {
    const origin = () => new URL(urls.api('')).origin
    if (!isOwnRequest('POST', request.headers, origin)) refuse('Another site sent the form')
    await services.attempt({ ip: request.ip, by: 'link' }, now())
    const { token = '' } = (request.body ?? {}) as Record<string, string>
    const cookie = await db.write((tx) =>
      useRecoveryLink(tx, services.sealing, {
        token: token.trim(),
        request,
        id: services.newId(),
        times,
        now: now(),
      }),
    )
    return reply.header('set-cookie', sessionCookie(cookie, times)).redirect('/app', 303)
  }

  /** The provider in the path, active or not: its metadata is needed to configure it. @throws SignInRefused */
  async function needProvider(
    { params }: FastifyRequest,
    kind?: IdentityProvider['kind'],
  ): Promise<IdentityProvider> {
    const provider = await db.read
      .selectFrom('identityProvider')
      .selectAll()
      .where('id', '=', (params as Params).providerId)
      .executeTakeFirst()
    if (!provider) return refuse('There is no such provider')
    if (kind !== undefined && provider.kind !== kind) return refuse(`The provider is not one of ${kind}`)
    return provider
  }
}

type Step = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
type SignIn = (
  tx: Parameters<typeof memberFor>[0],
  provider: IdentityProvider,
  person: Person,
  request: FastifyRequest,
) => Promise<string>

/** Shows why a request failed. Of a sign-in that is refused, only the log has the reason. */
function sendFault(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const wording = WORDINGS[pageLanguageOf(request)]
  if (error instanceof SignInRefused) {
    const { providerId: provider } = request.params as Partial<Params>
    request.log.warn({ id: request.id, provider, reason: error.message }, 'sign-in refused')
    return sendPage(reply.code(403), renderRefused(request.id, wording))
  }
  const { status, text, retryAfter } = pageFault(error, request)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  const notice = { title: wording.t('This did not work'), text: wording.message(text) }
  return sendPage(reply.code(status), renderNotice(notice, wording))
}

/** A parameter of a query, if it is there once. */
function textIn(query: unknown, name: string): string {
  const value = (query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

function sendPage(reply: FastifyReply, page: Html): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers(PAGE_HEADERS)
    .send(`<!doctype html>\n${page.toString()}`)
}
