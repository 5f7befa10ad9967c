/** What a site responds to a path within it: an ordered table of what it has. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ASSET_BASE, ASSETS_OF_SITE } from '../../core/web/site-paths.ts'
import { ApiError } from '../../http/errors.ts'
import { leaving } from '../../http/request/leaving.ts'
import { queryIn } from '../../http/request/query-string.ts'
import type { Services } from '../../http/route.ts'
import type { OpenSite, ServedSite } from '../../model/sites/published/open-site.ts'
import { keyIn } from '../../model/sites/published/resolve/share-key.ts'
import { admit, type Admitting, isSignOutRequest, SIGN_OUT_PATH } from './admit.ts'
import { respondWithAsset } from './files/asset-responses.ts'
import { isBookPath, sendBook } from './files/book.ts'
import { isFilePath, openSignedFor, siteFiles } from './files/files.ts'
import { lookFileAt, lookFiles } from './files/look-files.ts'
import { isMcpRequest, MCP_PATHS, mcpEndpoint } from './mcp.ts'
import { SEARCH_PATH, TRY_PATH } from './pages/page-headers.ts'
import { pageResponder } from './pages/page-responses.ts'
import { forVisit, prefersMarkdown, redirectResponse, sendResponse } from './responses.ts'
import { isSearchPath, respondToSearch, respondToSignedSearch } from './search-endpoint.ts'
import type { Tools } from './tools.ts'
import { isTryRequest, tryEndpoint } from './try-proxy.ts'
import { inLanguage, isSwitchRequest, respondToSwitch, startInLanguage } from './variant-choice.ts'
import { EVENTS_PATH, eventEndpoint, isEventRequest } from './visitor-events.ts'
import { because } from '../../core/languages/reasons.ts'

/** A request for something within a site. */
interface Asked {
  place: ServedSite
  /** The path within the site, with the key of a share link if it has one. */
  within: string
  request: FastifyRequest
  reply: FastifyReply
}

/** A request of a reader whom the site admits. */
interface Admitted extends Asked {
  open: OpenSite
  /** The path without a key. */
  path: string
}

/** Something that a site has at some paths. */
interface Entry<Request> {
  matches(asked: Request): boolean
  /**
   * @returns what sends the response; undefined if it has nothing at the path after all: the next entry is tried then. It is
   * a function, because a promise of a reply waits until the reply has been sent, and has no value then
   */
  respond(asked: Request): Promise<(() => Sending) | undefined>
}

type Sending = FastifyReply | Promise<FastifyReply>

/** @returns responds to a path within a site; undefined is that of the site without the last slash */
export function siteResponder(
  tools: Tools,
  services: Services,
  admitting: Admitting,
): (asked: Omit<Asked, 'within'> & { within: string | undefined }) => Promise<FastifyReply> {
  const files = siteFiles(tools, services)
  const ofLooks = lookFiles(services, tools.db)
  const signing = { ...services, db: tools.db }
  const respondToPage = pageResponder(tools)

  /** What anybody gets, before the site decides about the reader. */
  const open: Entry<Asked>[] = [
    {
      matches: ({ within }) => within.startsWith(ASSETS_OF_SITE),
      async respond({ within, request, reply }) {
        const path = ASSET_BASE + within.slice(ASSETS_OF_SITE.length)
        const response = await respondWithAsset(path)
        return () => sendResponse(request, reply, response)
      },
    },
    {
      matches: ({ within }) => lookFileAt(within) !== undefined,
      async respond({ place, within, request, reply }) {
        const file = lookFileAt(within)!
        const openedBy = await ofLooks.openedBy(place, file, request)
        if (openedBy === undefined) return undefined
        const previewed = openedBy === 'preview' ? 'any' : undefined
        return () => ofLooks.send(place, file, { request, reply, isShared: true, previewed })
      },
    },
    {
      matches: ({ within }) => isSearchPath(within),
      async respond({ place, within, request, reply }) {
        const signed = await openSignedFor(signing, place, { name: SEARCH_PATH, request })
        const query = new URLSearchParams(queryIn(request.originalUrl))
        const path = keyIn(within)?.rest ?? within
        const found = signed && (await respondToSignedSearch(tools, signed.open, path, query, leaving(reply)))
        return found && (() => sendResponse(request, reply, found))
      },
    },
    {
      matches: ({ within }) => isFilePath(within),
      async respond({ place, within, request, reply }) {
        const signed = await files.openSigned(place, within, request)
        return signed && (() => files.send(signed, keyIn(within)?.rest ?? within, request, reply))
      },
    },
  ]

  /** What readers get whom the site admits. The last has a response to every path. */
  const read: Entry<Admitted>[] = [
    {
      matches: ({ request }) => isSwitchRequest(request),
      async respond({ open: site, path, request, reply }) {
        const { response, cookies } = await respondToSwitch(tools, site, path, request)
        if (cookies.length > 0) reply.header('set-cookie', cookies)
        return () => sendResponse(request, reply, response)
      },
    },
    {
      matches: ({ within }) => lookFileAt(within) !== undefined,
      async respond({ place, within, open: { visit }, request, reply }) {
        const isShared = visit.storedBy === 'anyone'
        const previewed = visit.preview?.look
        return () => ofLooks.send(place, lookFileAt(within)!, { request, reply, isShared, previewed })
      },
    },
    {
      matches: ({ path }) => isSearchPath(path),
      async respond({ open: site, path, request, reply }) {
        const query = new URLSearchParams(queryIn(request.originalUrl))
        const found = await respondToSearch(tools, site, path, query, leaving(reply))
        return found && (() => sendResponse(request, reply, found))
      },
    },
    {
      matches: ({ path }) => isBookPath(path),
      respond: async ({ open: site, path, request, reply }) => {
        return () => sendBook(tools, services, { open: site, path }, request, reply)
      },
    },
    {
      matches: ({ path }) => isFilePath(path),
      respond: async ({ open: site, path, request, reply }) => {
        return () => files.send({ open: site }, path, request, reply)
      },
    },
    {
      matches: ({ path }) => path === '',
      async respond({ open: site, request, reply }) {
        const start = await startInLanguage(tools, site, request)
        const response = start && (start.elsewhere ?? (await respondToPage(site, '', formatFor(request))))
        return response && (() => sendResponse(request, reply, inLanguage(response)))
      },
    },
    {
      matches: () => true,
      async respond({ open: site, path, request, reply }) {
        const response = await respondToPage(site, path, formatFor(request))
        return () => sendResponse(request, reply, response)
      },
    },
  ]

  const mcp = mcpEndpoint(tools, respondToPage, services)
  /** What a site takes by `POST`, at paths that have nothing to read. */
  const taken = new Map([
    [EVENTS_PATH, eventEndpoint(services)],
    [TRY_PATH, tryEndpoint(services)],
    ...MCP_PATHS.map((path) => [path, mcp] as const),
  ])

  return async ({ within, ...asked }) => {
    const { place, request, reply } = asked
    if (within !== undefined) {
      const send = await firstOf(open, { ...asked, within })
      if (send) return send()
    }
    const admission = await admit(admitting, place, within ?? '', request)
    if (admission.cookies.length > 0) reply.header('set-cookie', admission.cookies)
    const isPost = request.method === 'POST'
    if ('refused' in admission) {
      // A client of the protocol cannot sign in on a page.
      if (isPost && admission.refused.status < 400 && within !== SIGN_OUT_PATH)
        throw new ApiError(401, because('visitor-token-required'))
      return sendResponse(request, reply, admission.refused)
    }
    const { open: site, path } = admission
    if (within === undefined)
      return sendResponse(request, reply, forVisit(site.visit, redirectResponse(site.base)))
    const take = taken.get(path)
    if (isPost && take) return take(site, request, reply)
    if (isPost || take) throw methodRefused(request, reply)
    const send = await firstOf(read, { ...asked, within, open: site, path })
    return send!()
  }
}

const formatFor = ({ headers }: FastifyRequest) => (prefersMarkdown(headers.accept) ? 'markdown' : 'html')

async function firstOf<Request>(
  entries: Entry<Request>[],
  asked: Request,
): Promise<(() => Sending) | undefined> {
  for (const entry of entries) {
    const send = entry.matches(asked) ? await entry.respond(asked) : undefined
    if (send) return send
  }
  return undefined
}

const takesOnlyPost = (request: FastifyRequest) =>
  isMcpRequest(request) || isEventRequest(request) || isTryRequest(request)

/** Whether sites take a `POST` at this address. */
export const takesPost = (request: FastifyRequest) => takesOnlyPost(request) || isSignOutRequest(request)

/** The error of a method that a site does not have at this address. */
export function methodRefused(request: FastifyRequest, reply: FastifyReply): ApiError {
  const reads = isSignOutRequest(request) ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']
  const allowed = takesOnlyPost(request) ? ['POST'] : reads
  reply.header('allow', allowed.join(', '))
  return new ApiError(
    405,
    because('site-read-only', { allowed: allowed.join(' or '), method: request.method }),
  )
}
