/** The methods of each path, so that a request with another method gets 405 and not 404. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, missing } from '../http/errors.ts'
import { methodOf } from '../http/response/head.ts'
import { because } from '../core/languages/reasons.ts'

interface Node {
  words: Map<string, Node>
  /** The segment that stands for any word, such as `:spaceId`. */
  any?: Node
  methods: Set<string>
}

/** Collects the routes that are added to a server. @returns the methods of a path, sorted; none if no route has it */
export function collectMethods(server: FastifyInstance): (path: string) => string[] {
  const top = emptyNode()
  server.addHook('onRoute', ({ method, url }) => {
    if (url.includes('*')) return
    let node = top
    for (const word of pathSegments(url)) {
      const isAny = word.startsWith(':')
      const next = (isAny ? node.any : node.words.get(word)) ?? emptyNode()
      if (isAny) node.any = next
      else node.words.set(word, next)
      node = next
    }
    for (const one of [method].flat()) node.methods.add(one)
    if (node.methods.has('GET')) node.methods.add('HEAD')
  })
  return (path) => [...methodsIn(top, pathSegments(path))].toSorted()
}

const emptyNode = (): Node => ({ words: new Map(), methods: new Set() })

const pathSegments = (path: string) => path.split('/').filter((segment) => segment !== '')

function methodsIn(node: Node, [word, ...rest]: string[]): Set<string> {
  if (word === undefined) return node.methods
  return new Set([node.words.get(word), node.any].flatMap((next) => (next ? [...methodsIn(next, rest)] : [])))
}

type MethodsOf = ReturnType<typeof collectMethods>

/** Counts a request of a caller. @throws 429 */
export type Meter = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * Responds to an `OPTIONS` that is no preflight with the methods of its path (RFC 9110, section 9.3.7). The handler of
 * preflights, which has all paths, would refuse it as plain text.
 */
export function listMethods(server: FastifyInstance, meter: Meter, methodsOf: MethodsOf): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS' || request.routeOptions.url !== '*') return done()
    const { origin, 'access-control-request-method': method } = request.headers
    if (origin && method) return done()
    // The hook has to call back, because returning a promise would cost all other requests.
    // oxlint-disable-next-line promise/no-callback-in-promise
    respond(request, reply).then(undefined, done)
  })

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const methods = methodsOf(requestPath(request.url))
    await countUnrouted(request, reply, meter)
    if (methods.length === 0) throw nothingAt(request)
    await reply
      .header('allow', [...methods, 'OPTIONS'].join(', '))
      .code(204)
      .send()
  }
}

/** Refuses a request that matches no route before its body is read: 404, 405 or 429. */
export function refuseUnknown(server: FastifyInstance, meter: Meter, methodsOf: MethodsOf): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    // oxlint-disable-next-line promise/no-callback-in-promise
    refuse(request, reply).then(done, done)
  })

  async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<undefined> {
    await countUnrouted(request, reply, meter)
    const methods = methodsOf(requestPath(request.url))
    if (methods.length === 0) throw nothingAt(request)
    reply.header('allow', [...methods, 'OPTIONS'].join(', '))
    throw new ApiError(
      405,
      because('method-not-allowed', {
        path: requestPath(request.url),
        method: methodOf(request.raw),
        methods: methods.join(', '),
      }),
    )
  }
}

/** Counts a request to the API that no route counts. @throws 429 */
async function countUnrouted(request: FastifyRequest, reply: FastifyReply, meter: Meter): Promise<void> {
  if (/^\/(?:v1|scim\/v2)(?:[/?]|$)/.test(request.url)) await meter(request, reply)
}

function nothingAt(request: FastifyRequest): ApiError {
  return missing(
    because('no-such-operation', { method: methodOf(request.raw), path: requestPath(request.url) }),
  )
}

/** The path of a URL without its query. */
export function requestPath(url: string): string {
  return url.split('?', 1)[0] ?? url
}
