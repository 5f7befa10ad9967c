/** The MCP servers of others that a site names to its readers, beside its own. */
import { type Static, Type } from 'typebox'
import { because } from '../../../core/languages/reasons.ts'
import type { Reader, Row } from '../../../db/schema.ts'
import { invalidField, notFound } from '../../../http/errors.ts'
import type { Sealing } from '../../../http/route.ts'
import type { Urls } from '../../../http/urls.ts'
import { Id, omitNullish, oneOf, pathOfSite, titleSchema, Uri } from '../../common.ts'

/** The most servers of a site: each is an entry in the menu of every page. */
export const MOST_MCP_SERVERS = 20
const LONGEST_NAME = 100
const MOST_HEADERS = 20
const LONGEST_HEADER_NAME = 100
const LONGEST_HEADER_VALUE = 2048

export const InMcpServer = Type.Object({ organizationId: Id, siteId: Id, siteMcpServerId: Id })
export const McpServerName = titleSchema(LONGEST_NAME)
export const McpTransport = oneOf(['sse', 'http'], {
  description:
    'The transport of the protocol: `http` is Streamable HTTP, and `sse` the older one with events',
})

/** The headers of requests to a server, by their names. `checkHeaders` checks the names. */
export const McpHeaders = Type.Record(
  Type.String(),
  Type.String({
    maxLength: LONGEST_HEADER_VALUE,
    // oxlint-disable-next-line no-control-regex -- these characters end a header (RFC 9110, section 5.5)
    pattern: '^[^\\x00-\\x08\\x0a-\\x1f\\x7f]*$',
    'x-pattern': 'have no line breaks and no control characters',
  }),
  {
    maxProperties: MOST_HEADERS,
    description:
      'The headers that a client must send to the server. Lectern does not send them. Readers see the names only; the values are stored encrypted.',
  },
)

export const SiteMcpServer = Type.Object(
  {
    object: oneOf(['site-mcp-server']),
    id: Type.String(),
    name: Type.String(),
    url: Uri,
    transport: oneOf(['sse', 'http']),
    headers: Type.Record(Type.String(), Type.String()),
    condition: Type.Optional(Type.String()),
    urls: Type.Object({ location: Uri }),
  },
  { title: 'SiteMcpServer' },
)

/** A token (RFC 9110, section 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** @throws 400 that names the first header whose name no header can have */
export function checkHeaders(headers: Static<typeof McpHeaders>): void {
  for (const name of Object.keys(headers))
    if (name.length > LONGEST_HEADER_NAME || !HEADER_NAME.test(name))
      throw invalidField('body.headers', because('header-name-invalid', { limit: LONGEST_HEADER_NAME }))
}

/** For what the headers of a server are sealed. */
export const mcpHeadersPurpose = (id: string) => `mcp headers ${id}`

/** Headers for their columns: readers see the names, and nobody reads the values from the database. */
export function sealHeaders(
  sealing: Sealing,
  id: string,
  headers: Static<typeof McpHeaders>,
): Pick<Row<'siteMcpServer'>, 'headerNames' | 'sealedHeaders'> {
  const names = Object.keys(headers)
  return {
    headerNames: JSON.stringify(names),
    sealedHeaders: names.length === 0 ? null : sealing.seal(JSON.stringify(headers), mcpHeadersPurpose(id)),
  }
}

/** A server as a resource, with the values of its headers: only for callers who can change the site. */
export function toMcpServer(
  { urls, sealing, site }: { urls: Urls; sealing: Sealing; site: Row<'site'> },
  { id, name, url, transport, sealedHeaders, condition }: Row<'siteMcpServer'>,
): Static<typeof SiteMcpServer> {
  const headers = sealedHeaders === null ? '{}' : sealing.open(sealedHeaders, mcpHeadersPurpose(id))
  if (headers === undefined)
    throw new Error(`The headers of the MCP server ${id} were sealed with another secret`)
  return {
    object: 'site-mcp-server',
    id,
    name,
    url,
    transport,
    headers: JSON.parse(headers) as Record<string, string>,
    ...omitNullish({ condition }),
    urls: {
      location: urls.api(
        `${pathOfSite({ organizationId: site.organizationId, siteId: site.id })}/mcp-servers/${id}`,
      ),
    },
  }
}

/** The server of a site with an id, if there is one. */
export function findMcpServer(
  db: Reader,
  site: Pick<Row<'site'>, 'id'>,
  id: string,
): Promise<Row<'siteMcpServer'> | undefined> {
  return db
    .selectFrom('siteMcpServer')
    .selectAll()
    .where('id', '=', id)
    .where('siteId', '=', site.id)
    .executeTakeFirst()
}

/** @throws 404 if the site has no such server */
export async function needMcpServer(
  db: Reader,
  site: Pick<Row<'site'>, 'id'>,
  id: string,
): Promise<Row<'siteMcpServer'>> {
  const server = await findMcpServer(db, site, id)
  if (!server) throw notFound('MCP server')
  return server
}
