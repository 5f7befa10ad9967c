/** The pages of a site for language models, by the Model Context Protocol (Streamable HTTP, without sessions). */
import type { McpServer } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isRecord } from '../../core/data/is-record.ts'
import { mcp } from '../../core/runtime/libraries.ts'
import { VERSION } from '../../core/runtime/version.ts'
import { invalid, tooMany } from '../../http/errors.ts'
import { leaving } from '../../http/request/leaving.ts'
import type { Services } from '../../http/route.ts'
import { homeOf } from '../../model/sites/published/resolve/addresses.ts'
import type { Tools } from './tools.ts'
import type { OpenSite } from '../../model/sites/published/open-site.ts'
import {
  type ShownMcpServer,
  shownMcpServers,
} from '../../model/sites/published/content/shown-mcp-servers.ts'
import { connectionTo } from './files/text-formats.ts'
import { type SiteResponse, visitorKey } from './responses.ts'
import { type FoundPage, searchForModels } from './search-pages.ts'
import { because } from '../../core/languages/reasons.ts'

/** The path of the protocol within a site. */
export const MCP_PATH = '~mcp'
/** The paths that the protocol has: clients such as the MCP Inspector expect one that ends in `/mcp`. */
export const MCP_PATHS = [MCP_PATH, '~/mcp']
/** The calls of one client in a minute. */
const CALLS = 120
const FOUND_MOST = 20
/** The characters of a page that one call returns. */
const READ_MOST = 100_000
const REDIRECTS = 3

/** Whether a request is for the protocol, by its URL alone. */
export const isMcpRequest = ({ originalUrl }: FastifyRequest) => {
  const [path = ''] = originalUrl.split('?', 1)
  return MCP_PATHS.some((one) => path.endsWith(`/${one}`))
}

/** How a site responds to a path of a reader. */
type Respond = (open: OpenSite, path: string, format: 'markdown') => Promise<SiteResponse>

/**
 * Answers requests of the protocol: a server for each request, which knows its reader, so that tools find and read what
 * the pages of the site show to that reader.
 */
export function mcpEndpoint(tools: Tools, respond: Respond, { now, rates }: Pick<Services, 'now' | 'rates'>) {
  const take = rates.limiter('mcp', CALLS)

  return async (open: OpenSite, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { body } = request
    if (!isRecord(body)) throw invalid(because('not-json-rpc'))
    // A stream of changes would keep the connection for ever.
    if (body.method === 'subscriptions/listen') throw invalid(because('no-changes-sent'))
    const { over, reset } = take(visitorKey(request), now())
    if (over) {
      const seconds = Math.max(1, reset - Math.floor(now().getTime() / 1000))
      throw tooMany(because('too-many-calls-in-minute', { limit: CALLS, seconds }), seconds)
    }

    const others = await shownMcpServers(tools, open)
    const serving = { respond, others, signal: leaving(reply) }
    const { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } = mcp()
    const message = new Request('http://localhost/', {
      method: 'POST',
      headers: headersOf(request),
      body: JSON.stringify(body),
    })
    if (!(await isLegacyRequest(message, body))) {
      const handler = createMcpHandler(() => serverFor(tools, open, serving), { legacy: 'reject' })
      return send(reply, await handler.fetch(message, { parsedBody: body }))
    }
    // The SDK's own fallback for earlier revisions of the protocol would answer with a stream of events.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = serverFor(tools, open, serving)
    await server.connect(transport)
    try {
      return await send(reply, await transport.handleRequest(message, { parsedBody: body }))
    } finally {
      await server.close()
    }
  }
}

function headersOf({ headers }: FastifyRequest): Headers {
  const known = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const
  const sent = known.flatMap((name): [string, string][] => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return new Headers(sent)
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const type = response.headers.get('content-type')
  if (type) reply.header('content-type', type)
  return reply
    .code(response.status)
    .header('cache-control', 'private, no-store')
    .send(Buffer.from(await response.arrayBuffer()))
}

/** A server for one request. @param others the MCP servers of others that the site names to the reader */
function serverFor(
  tools: Tools,
  open: OpenSite,
  { respond, others, signal }: { respond: Respond; others: readonly ShownMcpServer[]; signal: AbortSignal },
): McpServer {
  const { McpServer: Server, fromJsonSchema } = mcp()
  const { title } = open.site
  const server = new Server(
    { name: title, version: VERSION },
    {
      // Without sessions, there is no stream that could announce other tools.
      capabilities: { tools: { listChanged: false } },
      instructions: `The documentation "${title}" (${homeOf(tools.urls, open)}). Find pages with search_pages before you answer from memory, read them with read_page, and name the URLs that you use.${others.map(related).join('')}`,
    },
  )
  const annotations = { readOnlyHint: true, openWorldHint: false }

  server.registerTool(
    'search_pages',
    {
      title: 'Search pages',
      description: `Find pages of the documentation "${title}" that answer a query, the best first. Returns titles, URLs and excerpts.`,
      annotations,
      inputSchema: fromJsonSchema<{ query: string; limit?: number }>({
        type: 'object',
        properties: {
          query: { type: 'string', minLength: 1, maxLength: 200 },
          limit: { type: 'integer', minimum: 1, maximum: FOUND_MOST, default: 10 },
        },
        required: ['query'],
      }),
      outputSchema: fromJsonSchema<{ pages: FoundPage[] }>({
        type: 'object',
        properties: {
          pages: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                title: { type: 'string' },
                url: { type: 'string' },
                description: { type: 'string' },
                excerpt: { type: 'string', description: 'The text around the words that were found' },
              },
              required: ['title', 'url'],
            },
          },
        },
        required: ['pages'],
      }),
    },
    async ({ query, limit = 10 }) => {
      const pages = await searchForModels(tools, open, { query, limit, signal })
      const found = { pages }
      return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found }
    },
  )
  server.registerTool(
    'read_page',
    {
      title: 'Read a page',
      description: `Read a page of the documentation "${title}" as Markdown. Returns at most ${READ_MOST} characters.`,
      annotations,
      inputSchema: fromJsonSchema<{ page: string; offset?: number }>({
        type: 'object',
        properties: {
          page: {
            type: 'string',
            maxLength: 2048,
            description: 'The URL of the page, or its path within the site',
          },
          offset: { type: 'integer', minimum: 0, default: 0, description: 'The character to begin at' },
        },
        required: ['page'],
      }),
    },
    async ({ page, offset = 0 }) => {
      const text = await readPage(tools, open, respond, page)
      if (text === undefined)
        return { isError: true, content: [{ type: 'text', text: `There is no page "${page}" on this site` }] }
      const part = text.slice(offset, offset + READ_MOST).toWellFormed()
      const rest = text.length - offset - READ_MOST
      const more = rest > 0 ? `\n\n(${rest} more characters, from offset ${offset + READ_MOST})` : ''
      return { content: [{ type: 'text', text: part + more }] }
    },
  )
  return server
}

/** A sentence of the instructions about another server. The client decides whether to connect to it. */
const related = (server: ShownMcpServer) =>
  ` It recommends the MCP server "${server.name}" at ${server.url} (${connectionTo(server)}).`

/** The Markdown of a page as the site itself sends it; undefined if there is no such page for this reader. */
async function readPage(
  { urls }: Tools,
  open: OpenSite,
  respond: Respond,
  page: string,
): Promise<string | undefined> {
  const home = homeOf(urls, open)
  if (/^[a-z]+:/i.test(page) && !page.startsWith(home)) return undefined
  let path = (page.startsWith(home) ? page.slice(home.length) : page.replace(/^\/+/, '')).split(/[?#]/, 1)[0]!
  for (let i = 0; i <= REDIRECTS; i++) {
    const { status, headers, body } = await respond(open, path, 'markdown')
    const { location } = headers
    if (location?.startsWith(open.base)) path = location.slice(open.base.length)
    else
      return status === 200 && headers['content-type']?.startsWith('text/markdown')
        ? body.identity.toString()
        : undefined
  }
  return undefined
}
