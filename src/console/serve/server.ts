import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../../http/errors.ts'
import { hasNul, pageFault } from '../../http/response/page-fault.ts'
import type { Caller, Services } from '../../http/route.ts'
import { pageLanguageOf } from '../../http/request/page-language.ts'
import { isOwnRequest } from '../../http/request/same-origin.ts'
import { queryIn } from '../../http/request/query-string.ts'
import { languageOfUser } from '../../model/people/user.ts'
import { CONSOLE_POLICY } from '../render/frame.ts'
import { renderNotice } from '../render/notice.ts'
import { WORDINGS } from '../render/words.ts'
import { accountPages } from './account.ts'
import type { AppFiles } from './app.ts'
import { languagePages } from './languages.ts'
import { linkPages } from './emailed-links.ts'
import type { ApiInput, PageAnswer, PageHandler, PageRequestContext, SignedIn } from './page.ts'
import { passkeyPages } from './passkeys.ts'
import { securityPages } from './security.ts'
import { signInPages } from './sign-in.ts'
import { tokenAuthorizationPages } from './token-authorization.ts'
import { because } from '../../core/languages/reasons.ts'

const FORM_BYTES = 64 * 1024
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': CONSOLE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // With `no-referrer`, browsers would send the forms of these pages with the origin "null".
  'referrer-policy': 'same-origin',
  vary: 'accept-language, cookie',
  'x-robots-tag': 'noindex, nofollow',
}

/** The parts of the server that the pages need. */
export interface ConsoleParts {
  services: Services
  /** Identifies and counts the caller of a request. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Caller>
  /** The host that the client of a request asked for. */
  hostOf(request: FastifyRequest): string
  app: AppFiles
  /** Runs an operation of the API by its name, for a request to a page. @throws ApiError */
  operate(operation: string, asked: OperationOfPage): Promise<unknown>
}

/** A call that a page makes to an operation of the API. */
export interface OperationOfPage extends ApiInput {
  me: Caller
  request: FastifyRequest
  reply: FastifyReply
}

const PAGES: Record<string, PageHandler> = {
  ...signInPages,
  ...passkeyPages,
  ...linkPages,
  ...languagePages,
  ...accountPages,
  ...securityPages,
  ...tokenAuthorizationPages,
}

/** Adds the pages on which people sign in and see their account. They work without JavaScript, but for passkeys. */
export async function mountConsole(server: FastifyInstance, parts: ConsoleParts): Promise<void> {
  parts.app.mount(server)
  await server.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    )
    scope.setErrorHandler((error, request, reply) => sendConsoleError(error, request, reply))
    for (const [address, handle] of Object.entries(PAGES)) {
      const [method = '', url = ''] = address.split(' ')
      scope.route({
        method,
        url,
        bodyLimit: FORM_BYTES,
        schema: { hide: true },
        // CORS is for the clients of the API.
        config: { cors: false } as object,
        handler: async (request, reply) => send(reply, await handle(await contextOf(request, reply, parts))),
      })
    }
  })
}

async function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { services, identify, hostOf, operate, app }: ConsoleParts,
): Promise<PageRequestContext> {
  const caller = await identify(request, reply)
  const { method, headers } = request
  if (method !== 'GET' && !isOwnRequest(method, headers, () => new URL(services.urls.api('')).origin))
    throw new ApiError(403, because('form-from-another-site'))

  const form =
    request.body instanceof URLSearchParams ? request.body : new URLSearchParams(queryIn(request.url))
  if (hasNul(request.url, form)) throw invalid(because('nul-in-request'))

  const me = caller.session ? (caller as SignedIn) : undefined
  const wording = WORDINGS[pageLanguageOf(request, me && (await languageOfUser(services.db.read, me.userId)))]
  return {
    request,
    services,
    now: services.now(),
    form,
    params: request.params as Record<string, string>,
    me,
    wording,
    console: () => app.page(wording),
    keepsCookies: services.urls.api('').startsWith('https:') || isThisMachine(hostOf(request)),
    async call(operation, input = {}) {
      try {
        return { body: await operate(operation, { ...input, me: caller, request, reply }) }
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) return { error, body: undefined }
        throw error
      }
    },
  }
}

/** Whether a host is the machine of the browser, from which browsers keep secure cookies without HTTPS. */
function isThisMachine(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(?:\.\d+){3}$/.test(name)
  )
}

function send(reply: FastifyReply, answer: PageAnswer) {
  reply.headers(HEADERS)
  if (answer.cookies) reply.header('set-cookie', answer.cookies)
  if ('location' in answer) return reply.code(303).header('location', answer.location).send()
  reply.code(answer.status ?? 200)
  if ('json' in answer) return reply.send(answer.json)
  if (answer.retryAfter !== undefined) reply.header('retry-after', answer.retryAfter)
  if (answer.policy !== undefined) reply.header('content-security-policy', answer.policy)
  return reply.type('text/html; charset=utf-8').send(`<!doctype html>\n${String(answer.page)}`)
}

function sendConsoleError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { status, why, retryAfter } = pageFault(error, request)
  // The account is not read again: the database may be the fault.
  const wording = WORDINGS[pageLanguageOf(request)]
  const message = wording.message(why)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  if (request.headers['content-type']?.startsWith('application/json'))
    return send(reply, { status, json: { error: { code: status, message } } })
  return send(reply, {
    status,
    page: renderNotice({ title: wording.t('This did not work'), text: message }, wording),
  })
}
