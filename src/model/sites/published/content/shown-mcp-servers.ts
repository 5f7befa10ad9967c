import { conditionsFor } from '../../../../access/visitors/visitors.ts'
import { withoutHidden } from '../../../../core/document/markdown/hiding-tags.ts'
import type { Reader } from '../../../../db/schema.ts'
import type { McpTransportName } from '../../../../db/site-tables.ts'
import type { Urls } from '../../../../http/urls.ts'
import type { OpenSite } from '../open-site.ts'
import { hiddenUrls } from './hidden-urls.ts'

/** An MCP server of others, as the readers of a site see it: without the values of its headers. */
export interface ShownMcpServer {
  name: string
  /** An absolute URL with http or https. */
  url: string
  transport: McpTransportName
  /** The names of the headers that its clients must send. */
  headers: string[]
}

/** The MCP servers of others that a site names to this reader, oldest first: by their conditions and their addresses. */
export async function shownMcpServers(
  services: { db: Reader; urls: Urls },
  open: OpenSite,
): Promise<ShownMcpServer[]> {
  const rows = await services.db
    .selectFrom('siteMcpServer')
    .select(['name', 'url', 'transport', 'headerNames', 'condition'])
    .where('siteId', '=', open.site.id)
    .orderBy('id')
    .execute()
  if (rows.length === 0) return []
  const maySee = conditionsFor(open.visit.visitor)
  const permitted = rows.filter(({ condition }) => maySee(condition))
  const hidden = await hiddenUrls(
    services,
    open,
    permitted.map(({ url }) => url),
  )
  return permitted
    .filter(({ url }) => !hidden.has(url))
    .map(({ name, url, transport, headerNames }) => ({
      name: withoutHidden(name).replace(/\s+/g, ' '),
      url,
      transport,
      headers: JSON.parse(headerNames) as string[],
    }))
}
