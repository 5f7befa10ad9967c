import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import { notFound } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { Id, InOrganization } from '../../model/common.ts'
import { insertScimToken, NewScimToken, ScimToken, toScimToken } from '../../model/scim/token.ts'

const InScimToken = Type.Object({ ...InOrganization.properties, tokenId: Id })

export const listScimTokens = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/scim-tokens',
  summary: 'List the SCIM tokens of an organization, newest first',
  access: onOrg('admin'),
  params: InOrganization,
  query: ListQuery,
  returns: listOf(ScimToken),
  async handler({ db, urls, organization, page }) {
    const tokens = db.selectFrom('scimToken').selectAll().where('organizationId', '=', organization.id)
    const list = await listRows(tokens, page, { by: ['id'], order: 'desc' })
    return { ...list, items: list.items.map((row) => toScimToken(urls, row)) }
  },
})

export const getScimToken = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/scim-tokens/:tokenId',
  summary: 'Get a SCIM token of an organization',
  access: onOrg('admin'),
  params: InScimToken,
  returns: ScimToken,
  async handler({ db, urls, organization, params }) {
    const row = await db
      .selectFrom('scimToken')
      .selectAll()
      .where('organizationId', '=', organization.id)
      .where('id', '=', params.tokenId)
      .executeTakeFirst()
    if (!row) throw notFound('SCIM token')
    return toScimToken(urls, row)
  },
})

export const createScimToken = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/scim-tokens',
  summary: 'Create a SCIM token for an organization',
  description:
    'With this token, an identity provider creates, updates, disables and removes the members of the organization, and its teams. The response contains the token. It cannot be retrieved again. An organization has at most 50.',
  access: onOrg('admin'),
  params: InOrganization,
  returns: NewScimToken,
  status: 201,
  location: ({ id }, urls, { organizationId }) => urls.api(`/orgs/${organizationId}/scim-tokens/${id}`),
  async handler({ tx, me, urls, organization, now, newId }) {
    const fields = { id: newId(), organizationId: organization.id, createdBy: me.userId, now }
    const { row, token } = await insertScimToken(tx, fields)
    return { ...toScimToken(urls, row), token }
  },
})

export const deleteScimToken = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/scim-tokens/:tokenId',
  summary: 'Delete a SCIM token of an organization',
  description:
    'The token stops working immediately. Members and teams stay. The response is 204 even if the token does not exist.',
  access: onOrg('admin'),
  params: InScimToken,
  async handler({ tx, organization, params }) {
    const { numDeletedRows } = await tx
      .deleteFrom('scimToken')
      .where('organizationId', '=', organization.id)
      .where('id', '=', params.tokenId)
      .executeTakeFirst()
    return numDeletedRows === 0n ? ABSENT : undefined
  },
})
