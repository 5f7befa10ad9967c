import { Type } from 'typebox'
import { onSite } from '../../../access/checks/on-site.ts'
import { because } from '../../../core/languages/reasons.ts'
import type { Row } from '../../../db/schema.ts'
import { conflict } from '../../../http/errors.ts'
import { countRows, listOf, ListQuery, listRows } from '../../../http/pagination.ts'
import { ABSENT, route } from '../../../http/route.ts'
import { InSite, nullable, pathOfSite, WebUri } from '../../../model/common.ts'
import { checkCondition, Condition } from '../../../model/sites/condition.ts'
import {
  checkHeaders,
  findMcpServer,
  InMcpServer,
  McpHeaders,
  McpServerName,
  McpTransport,
  MOST_MCP_SERVERS,
  needMcpServer,
  sealHeaders,
  SiteMcpServer,
  toMcpServer,
} from '../../../model/sites/mcp/mcp-server.ts'
import { touchSite } from '../../../model/sites/site.ts'

export const listSiteMcpServers = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/mcp-servers',
  summary: 'List the MCP servers that a site names to its readers, oldest first',
  description:
    'These are servers of others. The MCP server of the site itself is at `~mcp` below the address of the site.',
  access: onSite('create'),
  params: InSite,
  query: ListQuery,
  returns: listOf(SiteMcpServer),
  async handler({ db, page, ...place }) {
    const servers = db.selectFrom('siteMcpServer').selectAll().where('siteId', '=', place.site.id)
    const list = await listRows(servers, page, { by: ['id'] })
    return { ...list, items: list.items.map((row) => toMcpServer(place, row)) }
  },
})

export const createSiteMcpServer = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/mcp-servers',
  summary: 'Add an MCP server that a site names to its readers',
  description:
    'Readers see the server if they meet its `condition`: in the menu of each page if the look of the site has the action `mcp`, in `llms.txt`, and in the instructions of the MCP server of the site. Lectern sends no requests to the server.',
  access: onSite('create'),
  params: InSite,
  body: Type.Object({
    name: McpServerName,
    url: WebUri,
    transport: Type.Optional(McpTransport),
    headers: McpHeaders,
    condition: Type.Optional(nullable(Condition)),
  }),
  returns: SiteMcpServer,
  status: 201,
  location: ({ id }, urls, params) => urls.api(`${pathOfSite(params)}/mcp-servers/${id}`),
  async handler({ tx, body, now, newId, ...place }) {
    const { site, sealing } = place
    const { name, url, transport = 'sse', headers, condition = null } = body
    checkHeaders(headers)
    if (condition !== null) checkCondition('body.condition', condition)
    const others = tx.selectFrom('siteMcpServer').select('id').where('siteId', '=', site.id)
    if ((await countRows(others)) >= MOST_MCP_SERVERS)
      throw conflict(because('too-many-mcp-servers', { limit: MOST_MCP_SERVERS }))

    const id = newId()
    const row: Row<'siteMcpServer'> = {
      id,
      siteId: site.id,
      name,
      url,
      transport,
      ...sealHeaders(sealing, id, headers),
      condition,
      createdAt: now.toISOString(),
    }
    await tx.insertInto('siteMcpServer').values(row).execute()
    await touchSite(tx, site, now)
    return toMcpServer(place, row)
  },
})

export const getSiteMcpServerById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/mcp-servers/:siteMcpServerId',
  summary: 'Get an MCP server that a site names to its readers',
  access: onSite('create'),
  params: InMcpServer,
  returns: SiteMcpServer,
  handler: async ({ db, params, ...place }) =>
    toMcpServer(place, await needMcpServer(db, place.site, params.siteMcpServerId)),
})

export const updateSiteMcpServerById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/sites/:siteId/mcp-servers/:siteMcpServerId',
  summary: 'Update an MCP server that a site names to its readers',
  description:
    'Fields that are not sent keep their values. `headers` replaces all headers, and null removes the `condition`.',
  access: onSite('create'),
  params: InMcpServer,
  body: Type.Object({
    name: Type.Optional(McpServerName),
    url: Type.Optional(WebUri),
    transport: Type.Optional(McpTransport),
    headers: Type.Optional(McpHeaders),
    condition: Type.Optional(nullable(Condition)),
  }),
  returns: SiteMcpServer,
  async handler({ tx, params, body, now, audit, ...place }) {
    const before = await needMcpServer(tx, place.site, params.siteMcpServerId)
    const { headers, ...fields } = body
    if (headers) checkHeaders(headers)
    if (fields.condition) checkCondition('body.condition', fields.condition)
    if (Object.keys(body).length === 0) return toMcpServer(place, before)
    audit({ before })
    const row = {
      ...before,
      ...fields,
      ...(headers ? sealHeaders(place.sealing, before.id, headers) : {}),
    }
    await tx.updateTable('siteMcpServer').set(row).where('id', '=', before.id).execute()
    await touchSite(tx, place.site, now)
    return toMcpServer(place, row)
  },
})

export const deleteSiteMcpServerById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/sites/:siteId/mcp-servers/:siteMcpServerId',
  summary: 'Remove an MCP server from a site',
  access: onSite('create'),
  params: InMcpServer,
  status: 205,
  async handler({ tx, site, params, now, audit }) {
    const before = await findMcpServer(tx, site, params.siteMcpServerId)
    if (!before) return ABSENT
    await tx.deleteFrom('siteMcpServer').where('id', '=', before.id).execute()
    await touchSite(tx, site, now)
    audit({ before, target: { type: 'site-mcp-server', id: before.id, label: before.name } })
    return undefined
  },
})
