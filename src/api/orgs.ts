import { Type } from 'typebox'
import { onOrg, onSelf } from '../access/on.ts'
import type { Tx } from '../db/schema.ts'
import { listOf, listPage, ListQuery, textAfter } from '../http/page.ts'
import { conflict, forbidden, invalid, notFound } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { Id, InOrganization, nullable, oneOf, RoleSchema, WebUri } from '../model/common.ts'
import { verifiedDomain } from '../model/account.ts'
import { insertMember } from '../model/member.ts'
import { checkedRules, OrganizationMergeRules } from '../model/merge-rules.ts'
import { withinLimit } from '../model/role-limit.ts'
import {
  insertOrganization,
  Hostname,
  listsDomain,
  Organization,
  ownTeamsIn,
  toOrganization,
  USE_CASES,
} from '../model/organization.ts'
import { insertSampleSite } from '../model/sample.ts'

const Title = Type.String({ minLength: 2, maxLength: 255, pattern: '\\S' })
const EmailDomains = Type.Array(
  Type.String({
    maxLength: 253,
    pattern: '^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z]{2,63}$',
  }),
  { maxItems: 100 },
)

export const listOrganizationsForAuthenticatedUser = route({
  method: 'GET',
  path: '/v1/orgs',
  summary: 'The organizations of the caller',
  access: onSelf(),
  query: ListQuery,
  returns: listOf(Organization),
  async handler({ db, me, at, page }) {
    const mine = db
      .selectFrom('member')
      .innerJoin('organization', 'organization.id', 'member.organizationId')
      .where('member.userId', '=', me.userId)
      .where('member.disabled', '=', 0)
    const rows = await mine
      .selectAll('organization')
      .select('member.role as memberRole')
      .$if(page.after !== undefined, (query) => query.where('organization.id', '>', textAfter(page) ?? ''))
      .orderBy('organization.id')
      .limit(page.limit + 1)
      .execute()
    const { count } = await mine.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    const owned = await ownTeamsIn(db, me.userId)
    const organizations = rows.map((row) => toOrganization(at, row, row.memberRole, owned.has(row.id)))
    return listPage(organizations, Number(count), page, ({ id }) => [id])
  },
})

export const createOrganization = route({
  method: 'POST',
  path: '/v1/orgs',
  summary: 'Create an organization, with the caller as its administrator',
  description:
    '`withDefaultSite` makes a site in it too, which is not published yet, with a space of pages that show what a page can hold.',
  access: onSelf(),
  query: Type.Object({ withDefaultSite: Type.Optional(Type.Boolean({ default: false })) }),
  body: Type.Object({
    title: Title,
    emailDomains: Type.Optional(EmailDomains),
    type: Type.Optional(oneOf(['business', 'community'])),
    useCase: Type.Optional(oneOf(USE_CASES)),
  }),
  returns: Organization,
  status: 201,
  async handler({ tx, me, at, query, body, now, newId, limits }) {
    if (limits.organizations === 'one')
      throw forbidden('This installation has one organization, and nobody creates another')
    const { emailDomains, ...fields } = body
    const row = await insertOrganization(tx, {
      ...fields,
      emailDomains: emailDomains && lowerCase(emailDomains),
      id: newId(),
      userId: me.userId,
      now,
    })
    if (query.withDefaultSite)
      await insertSampleSite(tx, { organizationId: row.id, userId: me.userId, now, newId })
    return toOrganization(at, row, 'admin', false)
  },
})

export const getOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId',
  summary: 'An organization',
  access: onOrg(),
  params: InOrganization,
  returns: Organization,
  async handler({ db, me, at, organization, organizationRole }) {
    const owned = await ownTeamsIn(db, me.userId)
    return toOrganization(at, organization, organizationRole, owned.has(organization.id))
  },
})

export const updateOrganizationById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId',
  summary: 'Change an organization',
  description:
    'Absent fields stay; null clears. A host name belongs to one organization of the installation.',
  access: onOrg('admin'),
  params: InOrganization,
  body: Type.Object({
    title: Type.Optional(Title),
    emailDomains: Type.Optional(EmailDomains),
    hostname: Type.Optional(Hostname),
    defaultRole: Type.Optional(nullable(RoleSchema)),
    defaultContent: Type.Optional(nullable(Type.Object({ type: oneOf(['site']), site: Id }))),
    logo: Type.Optional(nullable(WebUri)),
    sso: Type.Optional(Type.Boolean()),
    ai: Type.Optional(Type.Boolean()),
    inviteLinks: Type.Optional(Type.Boolean()),
    mergeRules: Type.Optional(OrganizationMergeRules),
  }),
  returns: Organization,
  async handler({ tx, me, at, body, organization, organizationRole, now }) {
    const { emailDomains, defaultContent, sso, ai, inviteLinks, mergeRules, ...texts } = body
    if (defaultContent) await needSiteOf(tx, organization.id, defaultContent.site)
    if (body.hostname !== undefined) await needFreeHostname(tx, organization.id, body.hostname)

    const updated = await tx
      .updateTable('organization')
      .set({
        ...texts,
        ...(emailDomains && { emailDomains: JSON.stringify(lowerCase(emailDomains)) }),
        ...(defaultContent !== undefined && {
          defaultContent: defaultContent && JSON.stringify(defaultContent),
        }),
        ...(sso !== undefined && { sso: sso ? 1 : 0 }),
        ...(ai !== undefined && { ai: ai ? 1 : 0 }),
        ...(inviteLinks !== undefined && { inviteLinks: inviteLinks ? 1 : 0 }),
        ...(mergeRules && { mergeRules: await checkedRules(tx, organization.id, mergeRules) }),
        updatedAt: now.toISOString(),
      })
      .where('id', '=', organization.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const owned = await ownTeamsIn(tx, me.userId)
    return toOrganization(at, updated, organizationRole, owned.has(organization.id))
  },
})

export const joinOrganization = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/join',
  summary: 'Join an organization that lists the domain of one’s address',
  description:
    'The address must be known to be the caller’s, by a link that came by mail; the role is the organization’s default, or the one that they left with if that is less. An organization that does not list the domain is not there.',
  access: onSelf(),
  params: InOrganization,
  async handler({ tx, me, params, now }) {
    const domain = await verifiedDomain(tx, me.userId)
    if (!domain) throw notFound()
    const organization = await tx
      .selectFrom('organization')
      .selectAll()
      .where('id', '=', params.organizationId)
      .where(listsDomain(domain))
      .executeTakeFirst()
    if (!organization) throw notFound()

    const member = await tx
      .selectFrom('member')
      .select('disabled')
      .where('organizationId', '=', organization.id)
      .where('userId', '=', me.userId)
      .executeTakeFirst()
    if (member?.disabled) throw notFound()
    if (member) return
    const joining = { organizationId: organization.id, userId: me.userId }
    const role = await withinLimit(tx, joining, organization.defaultRole)
    await insertMember(tx, { ...joining, role, now })
  },
})

export const updateOrganizationMemberLastSeenAt = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/ping',
  summary: 'Say that the caller is active in an organization',
  // A sign of life every few minutes is no change that anyone looks for.
  audit: false,
  access: onOrg(),
  params: InOrganization,
  returns: Type.Object({
    serviceVisitorClaims: Type.Optional(
      Type.String({ description: 'A visitor token to attach to the user, where there is one' }),
    ),
  }),
  async handler({ tx, me, organization, now }) {
    await tx
      .updateTable('member')
      .set({ lastSeenAt: now.toISOString() })
      .where('organizationId', '=', organization.id)
      .where('userId', '=', me.userId)
      .execute()
    return {}
  },
})

async function needSiteOf(tx: Tx, organizationId: string, siteId: string): Promise<void> {
  const site = await tx
    .selectFrom('site')
    .select('id')
    .where('id', '=', siteId)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  if (!site) throw invalid('"defaultContent.site" must be a site of the organization')
}

async function needFreeHostname(tx: Tx, organizationId: string, hostname: string): Promise<void> {
  const taken = await tx
    .selectFrom('organization')
    .select('id')
    .where('hostname', '=', hostname)
    .where('id', '!=', organizationId)
    .executeTakeFirst()
  if (!taken) return
  throw conflict('"hostname" is taken by another organization; choose another', [
    { path: 'body.hostname', message: 'is taken by another organization' },
  ])
}

const lowerCase = (domains: string[]) => [...new Set(domains.map((domain) => domain.toLowerCase()))]
