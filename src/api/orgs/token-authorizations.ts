import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import { atLeast } from '../../access/roles/roles.ts'
import type { Role } from '../../db/schema.ts'
import { forbidden, notFound, unknownId } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, type Caller, route } from '../../http/route.ts'
import { Id, InOrganization } from '../../model/common.ts'
import {
  findTokenAuthorization,
  insertTokenAuthorization,
  providerSession,
  toTokenAuthorization,
  TokenAuthorization,
  tokenAuthorizationsOf,
} from '../../model/membership/token-authorization.ts'
import { because } from '../../core/languages/reasons.ts'

const OfTokenAuthorization = Type.Object({ organizationId: Id, tokenId: Id })

/** Whose authorizations a member sees and revokes: an administrator's choice, or their own. @returns undefined for all */
const whose = ({ userId }: Caller, role: Role | null) => (atLeast(role, 'admin') ? undefined : userId)

export const listTokenAuthorizations = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/token-authorizations',
  summary: 'List the API tokens that are authorized for an organization',
  description: 'Administrators see the tokens of all members. Other members see their own.',
  access: onOrg(),
  params: InOrganization,
  query: ListQuery,
  returns: listOf(TokenAuthorization),
  async handler({ db, me, urls, organization, organizationRole: role, page }) {
    const list = await listRows(tokenAuthorizationsOf(db, organization.id, whose(me, role)), page, {
      by: ['tokenAuthorization.tokenId'],
      order: 'desc',
    })
    return { ...list, items: list.items.map((row) => toTokenAuthorization(urls, row)) }
  },
})

export const getTokenAuthorization = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/token-authorizations/:tokenId',
  summary: 'Get the authorization of an API token for an organization',
  access: onOrg(),
  params: OfTokenAuthorization,
  returns: TokenAuthorization,
  async handler({ db, me, urls, organization, organizationRole: role, params }) {
    const row = await findTokenAuthorization(db, organization.id, params.tokenId, whose(me, role))
    if (!row) throw notFound('token')
    return toTokenAuthorization(urls, row)
  },
})

export const createTokenAuthorization = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/token-authorizations',
  summary: 'Authorize an API token of the caller for an organization',
  description:
    'An organization that requires single sign-on is closed to an API token until the token is authorized. The request must come from a session by an identity provider of the organization. Authorizing a token again replaces its authorization. It ends when the token is revoked, the user is no longer a member, or the identity provider is deleted or replaced.',
  access: onOrg(),
  params: InOrganization,
  body: Type.Object({ token: { ...Id, description: 'The id of the API token' } }),
  returns: TokenAuthorization,
  status: 201,
  async handler({ tx, me, urls, organization, body, now }) {
    const session = await providerSession(tx, me)
    if (!session) throw forbidden(because('sso-session-required'))
    const token = await tx
      .selectFrom('token')
      .select(['id', 'organizationId'])
      .where('id', '=', body.token)
      .where('userId', '=', me.userId)
      // A sign-in with a password is not an API token.
      .where('session', '=', 0)
      .executeTakeFirst()
    if (!token || (token.organizationId ?? organization.id) !== organization.id)
      throw unknownId('body.token', body.token, 'an API token of the caller for this organization')
    await insertTokenAuthorization(tx, { tokenId: token.id, ...session, now })
    const row = await findTokenAuthorization(tx, organization.id, token.id, me.userId)
    return toTokenAuthorization(urls, row!)
  },
})

export const deleteTokenAuthorization = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/token-authorizations/:tokenId',
  summary: 'End the authorization of an API token for an organization',
  description:
    'The token stays valid, and no longer opens the organization while the organization requires single sign-on. Administrators can end the authorizations of all members. The response is 204 even if there is none.',
  access: onOrg(),
  params: OfTokenAuthorization,
  status: 205,
  async handler({ tx, me, organization, organizationRole: role, params, audit }) {
    const row = await findTokenAuthorization(tx, organization.id, params.tokenId, whose(me, role))
    if (!row) return ABSENT
    await tx
      .deleteFrom('tokenAuthorization')
      .where('organizationId', '=', organization.id)
      .where('tokenId', '=', params.tokenId)
      .execute()
    audit({ before: { user: row.userId, provider: row.providerId } })
    return undefined
  },
})
