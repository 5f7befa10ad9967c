/** Serves spaces as repositories of git, by its smart HTTP protocol (decision 20). */
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import type { Row } from '../db/schema.ts'
import type { Party } from '../core/runtime/party.ts'
import { partyFor } from '../core/runtime/turns.ts'
import { sizeLimit } from '../core/text/byte-size.ts'
import { ApiError, forbidden, invalid, notFound, tooLarge, unavailable } from '../http/errors.ts'
import { leaving } from '../http/request/leaving.ts'
import { admitBody } from '../http/request/request-body.ts'
import { pageFault } from '../http/response/page-fault.ts'
import type { Caller, Services } from '../http/route.ts'
import { because } from '../core/languages/reasons.ts'
import { fairShare, ShareFull } from '../threads/shares.ts'
import { needRepository, type RepositoryParams, takeBasicToken } from './caller.ts'
import { GitFault, type RunningGit, startGit } from './process.ts'
import { pktLine } from './packets.ts'
import type { PushOperation } from './push-operations.ts'
import type { PushTarget } from './push.ts'
import { openBranches } from './pushed-commits.ts'
import { advertisePush, receivePush, unzippedBody } from './receive.ts'
import { openRepositories } from './repositories.ts'

/** The largest request of a clone or fetch: the ids of what the client wants and has, after decompression. */
const FETCH_BYTES = 4 * 1024 * 1024
const RETRY_S = 30
const PUSH = 'git-receive-pack'

/** Settings of the repositories for readers. They may leave large files out of a clone, and fetch them later. */
const UPLOAD_SETTINGS = [
  ['uploadpack.allowFilter', 'true'],
  ['uploadpackfilter.allow', 'false'],
  ['uploadpackfilter.blob:none.allow', 'true'],
  ['uploadpackfilter.blob:limit.allow', 'true'],
  // A branch may move on between two requests of a clone.
  ['uploadpack.allowReachableSHA1InWant', 'true'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`])

/** The parts of the server that the repositories need. */
export interface GitParts {
  services: Services
  /** The folder for the repositories. */
  folder: string
  /** Identifies and counts the caller of a request. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Caller>
  /** Does the work in the turns of a caller. */
  inTurns<T>(me: Caller, ip: string, work: () => T): T
  /** Runs an operation for a caller: one of the API by its name, or another. @throws ApiError */
  operate(operation: string | PushOperation, asked: OperationOfPush): Promise<unknown>
  /** Counts a request without a token. */
  countClient(request: FastifyRequest, reply: FastifyReply): void
}

/** A call that a push makes to an operation. */
interface OperationOfPush {
  me: Caller
  request: FastifyRequest
  reply: FastifyReply
  params: Record<string, string>
  body?: object
}

/** A caller, and the space that the caller may read. */
interface Admission {
  me: Caller
  space: Row<'space'>
}

/** A repository that a caller may read. */
interface OpenRepository {
  path: string
  spaceId: string
  party: Party
}

/** Adds the addresses of the repositories to the server. */
export async function mountGit(server: FastifyInstance, parts: GitParts): Promise<void> {
  const { services, folder, identify, inTurns, operate, countClient } = parts
  const repositories = openRepositories(folder, services)
  const stopping = new AbortController()
  const share = fairShare({
    atOnce: 8,
    atOnceOfParty: 3,
    atOnceOfOrganization: 6,
    queue: 128,
    queueOfParty: 16,
  })
  server.addHook('preClose', async () => {
    stopping.abort(new Error('The server stops'))
    repositories.stop()
  })

  const admitted = new WeakMap<FastifyRequest, Admission>()

  function admissionOf(request: FastifyRequest): Admission {
    const admission = admitted.get(request)
    if (!admission) throw new Error('The hook that admits the caller did not run')
    return admission
  }

  /** The repository that the address names, once it has all that its space has. */
  async function open(request: FastifyRequest): Promise<OpenRepository> {
    const { me, space } = admissionOf(request)
    return inTurns(me, request.ip, async () => {
      const party = partyFor(space.organizationId)
      return { path: await repositories.upToDate(space, party), party, spaceId: space.id }
    })
  }

  async function advertise(request: FastifyRequest, reply: FastifyReply) {
    const { service } = request.query as { service?: string }
    if (service !== 'git-upload-pack' && service !== PUSH)
      throw service === undefined ? invalid(because('git-smart-http-only')) : notFound('service')
    const repository = await open(request)
    const isNewest = protocolOf(request).includes('version=2')
    reply.type(`application/x-${service}-advertisement`)
    if (service === PUSH) return reply.send(await advertisePush(repository.path, signalOf(reply)))
    return serve(request, reply, repository, () => {
      const git = startUpload(request, reply, repository.path, ['--advertise-refs'])
      git.stdin.end()
      return { git, head: isNewest ? '' : `${pktLine(`# service=${service}\n`)}0000` }
    })
  }

  async function upload(request: FastifyRequest, reply: FastifyReply) {
    const input = await bodyOfGit(request)
    const repository = await open(request)
    reply.type('application/x-git-upload-pack-result')
    return serve(request, reply, repository, () => {
      const git = startUpload(request, reply, repository.path, [])
      git.stdin.end(input)
      return { git, head: '' }
    })
  }

  async function receive(request: FastifyRequest, reply: FastifyReply) {
    const { me, space } = admissionOf(request)
    const signal = signalOf(reply)
    const work = () =>
      receivePush(request, async () => {
        // Read before the repository, so that what changes meanwhile is noticed.
        const branches = await openBranches(services.db.read, space.id)
        const { path } = await open(request)
        const call: PushTarget['operate'] = (operation, params, body = {}) =>
          operate(operation, { me, request, reply, params, body })
        return { path, target: { services, space, branches, signal, operate: call } }
      })
    const party = partyFor(space.organizationId)
    const response = await inTurns(me, request.ip, () => share(party, work, signal).catch(refuseBusy))
    return reply.type('application/x-git-receive-pack-result').send(response)
  }

  const signalOf = (reply: FastifyReply) => AbortSignal.any([stopping.signal, leaving(reply)])

  function startUpload(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    more: string[],
  ): RunningGit {
    const signal = signalOf(reply)
    const env = { GIT_PROTOCOL: protocolOf(request) }
    return startGit(path, [...UPLOAD_SETTINGS, 'upload-pack', '--stateless-rpc', '--strict', ...more, path], {
      signal,
      env,
    })
  }

  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.setErrorHandler(sendFailure)
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      try {
        takeBasicToken(request)
      } catch (error) {
        countClient(request, reply)
        throw error
      }
      const me = await identify(request, reply)
      const params = request.params as RepositoryParams
      // Before the body is read, so that nobody else can make the server read one.
      const { space } = await inTurns(me, request.ip, () =>
        needRepository(services.db.read, me, params, isPush(request) ? 'edit' : 'read'),
      )
      if (me.readOnly && isPush(request)) throw forbidden(because('token-read-only'))
      admitted.set(request, { me, space })
    })
    const common = {
      schema: { hide: true },
      exposeHeadRoute: false,
      // CORS is for the clients of the API.
      config: { cors: false } as object,
    }
    scope.route({
      ...common,
      method: 'GET',
      url: '/git/:organizationId/:repository/info/refs',
      handler: advertise,
    })
    scope.route({
      ...common,
      method: 'POST',
      url: '/git/:organizationId/:repository/git-upload-pack',
      bodyLimit: FETCH_BYTES,
      preParsing: receiveBody(FETCH_BYTES),
      handler: upload,
    })
    scope.route({
      ...common,
      method: 'POST',
      url: `/git/:organizationId/:repository/${PUSH}`,
      bodyLimit: services.limits.upload,
      // Passed on as it arrives.
      preParsing: receiveBody(undefined),
      handler: receive,
    })
  })

  /** @param limit in bytes, for a body that is collected */
  function receiveBody(limit: number | undefined): preParsingHookHandler {
    return (request, reply, payload, done) => {
      const admitting = admitBody(request, reply, { limit, caller: () => admissionOf(request).me.userId })
      if (!admitting) return done(null, payload)
      // oxlint-disable-next-line promise/no-callback-in-promise
      admitting.then(() => done(null, payload), done)
    }
  }

  /** Sends what a command prints, when the caller has their turn. The turn ends with the response. */
  async function serve(
    request: FastifyRequest,
    reply: FastifyReply,
    { party, spaceId }: OpenRepository,
    start: () => { git: RunningGit; head: string },
  ) {
    const { promise: started, resolve, reject } = Promise.withResolvers<{ git: RunningGit; head: string }>()
    const work = async () => {
      const begun = start()
      resolve(begun)
      await begun.git.ended
    }
    share(party, work, leaving(reply)).catch((error: unknown) => {
      if (error instanceof GitFault) {
        request.log.warn({ id: request.id, err: error }, 'git could not serve a repository')
        repositories.examine(spaceId)
      }
      refuseBusy(error).catch(reject)
    })
    const { git, head } = await started
    if (head !== '') git.stdout.unshift(head)
    return reply.send(git.stdout)
  }
}

/** @throws 503 if too much work waits, and any other error as it is */
async function refuseBusy(error: unknown): Promise<never> {
  throw error instanceof ShareFull ? unavailable(because('git-busy'), RETRY_S) : error
}

/** Whether a request belongs to a push. */
function isPush({ query, routeOptions: { url = '' } }: FastifyRequest): boolean {
  return url.endsWith(`/${PUSH}`) || (query as { service?: string }).service === PUSH
}

/** The version of the protocol that the client asks for, such as `version=2`. */
function protocolOf({ headers }: FastifyRequest): string {
  const asked = headers['git-protocol']
  return typeof asked === 'string' && /^[a-z0-9=:]{1,100}$/.test(asked) ? asked : ''
}

/** The body of a request, decompressed. @throws 400, 413 */
async function bodyOfGit(request: FastifyRequest): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const piece of source) {
      size += piece.length
      if (size > FETCH_BYTES)
        throw tooLarge(because('git-request-too-large', { limit: sizeLimit(FETCH_BYTES) }))
      parts.push(piece)
    }
  }
  try {
    await pipeline(unzippedBody(request), collect)
  } catch (error) {
    throw error instanceof ApiError ? error : invalid(because('git-request-invalid'))
  }
  return Buffer.concat(parts)
}

/** Sends an error as text, which git shows to its user. */
function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, why, retryAfter } = pageFault(error, request)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  if (status === 401) reply.header('www-authenticate', 'Basic realm="Lectern", charset="UTF-8"')
  const message =
    error instanceof ApiError && status === 401 ? because('git-token-required').message : why.message
  return reply.code(status).type('text/plain; charset=utf-8').send(`${message}\n`)
}
