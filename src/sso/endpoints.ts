import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { renderNotice } from '../console/render/notice.ts'
import { WORDINGS } from '../console/render/words.ts'
import { ApiError } from '../http/errors.ts'
import { hasNul, pageFault } from '../http/response/page-fault.ts'
import { pageLanguageOf } from '../http/request/page-language.ts'
import type { Services } from '../http/route.ts'
import type { ProviderParams, SsoEndpoint } from './sso-request.ts'
import { receiveCode } from './oidc-endpoints.ts'
import { oidcSignIn } from './oidc.ts'
import { renderNotSignedOut, renderRefused, sendPage } from './page.ts'
import { recover, showRecovery } from './recovery.ts'
import { refuse, SignInRefused } from './sign-in-refused.ts'
import { finish, metadata, receiveLogout, receiveResponse, signOutAtProvider } from './saml-endpoints.ts'
import { start } from './start.ts'

/** A response of 128 kB in base64, as a form. */
const FORM_LIMIT = 256 * 1024
const FORM = 'application/x-www-form-urlencoded'

const ENDPOINTS: readonly (readonly ['GET' | 'POST', string, SsoEndpoint])[] = [
  ['GET', '/sso/:providerId', start],
  ['GET', '/sso/:providerId/metadata', metadata],
  ['POST', '/sso/:providerId/acs', receiveResponse],
  ['GET', '/sso/:providerId/finish', finish],
  ['GET', '/sso/:providerId/logout', receiveLogout],
  ['POST', '/sso/:providerId/logout', receiveLogout],
  ['GET', '/sso/:providerId/sign-out', signOutAtProvider],
  ['GET', '/sso/:providerId/callback', receiveCode],
  ['GET', '/sso/recover', showRecovery],
  ['POST', '/sso/recover', recover],
]

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
    for (const [method, url, endpoint] of ENDPOINTS)
      scope.route({
        method,
        url,
        schema: { hide: true },
        exposeHeadRoute: false,
        // CORS is for the clients of the API.
        config: { cors: false } as object,
        ...(method === 'POST' ? { bodyLimit: FORM_LIMIT } : {}),
        handler: (request, reply) => endpoint({ services, oidc, request, reply }),
      })
  })
}

/** Shows why a request failed. Of a sign-in that is refused, only the log has the reason. */
function sendFault(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const wording = WORDINGS[pageLanguageOf(request)]
  if (error instanceof SignInRefused) {
    const { providerId: provider } = request.params as Partial<ProviderParams>
    const isSignOut = request.routeOptions.url === '/sso/:providerId/logout'
    const message = isSignOut ? 'sign-out refused' : 'sign-in refused'
    request.log.warn({ id: request.id, provider, reason: error.message }, message)
    const page = (isSignOut ? renderNotSignedOut : renderRefused)(request.id, wording)
    return sendPage(reply.code(403), page)
  }
  if (error instanceof ApiError && error.cause instanceof Error) {
    const { providerId: provider } = request.params as Partial<ProviderParams>
    request.log.warn({ id: request.id, provider, err: error.cause }, 'the identity provider fails')
  }
  const { status, why, retryAfter } = pageFault(error, request)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  const notice = { title: wording.t('This did not work'), text: wording.message(why) }
  return sendPage(reply.code(status), renderNotice(notice, wording))
}
