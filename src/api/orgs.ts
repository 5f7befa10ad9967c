import { reaches } from '../access/roles/reached.ts'
import { askForLinkChecks } from '../model/links/external-links.ts'
import { Type } from 'typebox'
import { onAccount, onOrg, onSelf } from '../access/checks/on.ts'
import type { Tx } from '../db/schema.ts'
import { listOf, ListQuery, listRows } from '../http/pagination.ts'
import { faultAt, conflict, forbidden, invalid, invalidField, notFound, unknownId } from '../http/errors.ts'
import { route } from '../http/route.ts'
import {
  Id,
  InOrganization,
  nullable,
  oneOf,
  RoleSchema,
  titleSchema,
  WebUri,
  withUpdatedAt,
} from '../model/common.ts'
import {
  keepPicture,
  PICTURE_BODY_LIMIT,
  pictureBase64,
  pictureOfRequest,
  PICTURES,
} from '../model/content/files/picture.ts'
import { verifiedDomain } from '../model/people/account.ts'
import { needActiveProvider } from '../model/membership/identity-provider.ts'
import { insertMember } from '../model/membership/member.ts'
import { needOrganizationsLeft } from '../model/places/created-organizations.ts'
import { isReservedHostname } from '../model/places/host-names.ts'
import { checkedRules, OrganizationMergeRules } from '../model/places/merge-rules.ts'
import { withinLimit } from '../model/access/role-limit.ts'
import {
  insertOrganization,
  Hostname,
  listsDomain,
  Organization,
  ownTeamsIn,
  toOrganization,
  USE_CASES,
} from '../model/places/organization.ts'
import { API_TITLE, fillFromOpenApi } from '../model/openapi/create-spec.ts'
import { insertSpace } from '../model/places/space.ts'
import { insertDefaultSite, insertSampleSite } from '../model/sites/sample.ts'
import { because } from '../core/languages/reasons.ts'

const Title = titleSchema(255, 2)
const EmailDomains = Type.Array(
  Type.String({
    maxLength: 253,
    pattern: '^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z]{2,63}$',
    'x-pattern': 'be a domain such as "example.com"',
  }),
  { maxItems: 100 },
)

export const listOrganizationsForAuthenticatedUser = route({
  method: 'GET',
  path: '/v1/orgs',
  summary: 'List the organizations of the caller',
  access: onSelf(),
  query: ListQuery,
  returns: listOf(Organization),
  async handler({ db, me, urls, page }) {
    const mine = db
      .selectFrom('member')
      .innerJoin('organization', 'organization.id', 'member.organizationId')
      .where('member.userId', '=', me.userId)
      .where('member.disabled', '=', 0)
      .where(reaches(me, 'organization.id'))
      .selectAll('organization')
      .select('member.role as memberRole')
    const list = await listRows(mine, page, { by: ['organization.id'] })
    const owned = await ownTeamsIn(db, me.userId)
    const items = list.items.map((row) => toOrganization(urls, row, row.memberRole, owned.has(row.id)))
    return { ...list, items }
  },
})

export const createOrganization = route({
  method: 'POST',
  path: '/v1/orgs',
  summary: 'Create an organization, with the caller as its administrator',
  description:
    '`withDefaultSite` also creates an unpublished site with a space of sample pages. With `openapiUrl`, the organization has this OpenAPI specification and a space with its pages, which is on the site instead of the sample. The request fails with 409 if the caller has created as many organizations as a user may, and does not administer the installation.',
  access: onAccount(),
  query: Type.Object({
    withDefaultSite: Type.Optional(Type.Boolean({ default: false })),
    openapiUrl: Type.Optional(WebUri),
  }),
  body: Type.Object({
    title: Title,
    emailDomains: Type.Optional(EmailDomains),
    type: Type.Optional(oneOf(['business', 'community'])),
    useCase: Type.Optional(oneOf(USE_CASES)),
  }),
  returns: Organization,
  status: 201,
  async handler({ tx, me, urls, query, body, now, newId, limits, enqueue }) {
    if (limits.organizations === 'one') throw forbidden(because('one-organization'))
    await needOrganizationsLeft(tx, me.userId, limits.organizations)
    const { emailDomains, ...fields } = body
    const row = await insertOrganization(tx, {
      ...fields,
      emailDomains: emailDomains && lowerCase(emailDomains),
      id: newId(),
      userId: me.userId,
      now,
    })
    const { withDefaultSite, openapiUrl } = query
    const by = { organizationId: row.id, userId: me.userId, now, newId }
    if (openapiUrl !== undefined) {
      const space = await insertSpace(tx, { ...by, title: API_TITLE })
      await fillFromOpenApi(tx, space, openapiUrl, { userId: me.userId, now, newId, enqueue })
      if (withDefaultSite) await insertDefaultSite(tx, space, by)
    } else if (withDefaultSite) await insertSampleSite(tx, by)
    return toOrganization(urls, row, 'admin', false)
  },
})

export const getOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId',
  summary: 'Get an organization',
  access: onOrg(),
  params: InOrganization,
  returns: Organization,
  async handler({ db, me, urls, organization, organizationRole }) {
    const owned = await ownTeamsIn(db, me.userId)
    return toOrganization(urls, organization, organizationRole, owned.has(organization.id))
  },
})

export const updateOrganizationById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId',
  summary: 'Update an organization',
  description:
    'Fields that are not sent keep their values; `null` clears a field. With `sso`, the organization is open only to members who sign in with one of its identity providers, and to API tokens; it requires an active provider. A host name can belong to only one organization of the installation, and names such as `www` and `api` are reserved. A logo is a `logoPicture` that the server keeps with a space of the organization, for as long as that space exists, or a `logo` elsewhere; send one of them. A `logoPicture` fails with 409 if the organization has no space.',
  access: onOrg('admin'),
  params: InOrganization,
  bodyLimit: PICTURE_BODY_LIMIT,
  body: Type.Object({
    title: Type.Optional(Title),
    emailDomains: Type.Optional(EmailDomains),
    hostname: Type.Optional(Hostname),
    defaultRole: Type.Optional(nullable(RoleSchema)),
    defaultContent: Type.Optional(nullable(Type.Object({ type: oneOf(['site']), site: Id }))),
    logo: Type.Optional(nullable(WebUri)),
    logoPicture: Type.Optional(Type.Object({ base64: pictureBase64('SVG, PNG, JPEG, GIF or WebP') })),
    sso: Type.Optional(Type.Boolean()),
    ai: Type.Optional(Type.Boolean()),
    inviteLinks: Type.Optional(Type.Boolean()),
    mergeRules: Type.Optional(OrganizationMergeRules),
    checkExternalLinks: Type.Optional(Type.Boolean()),
  }),
  returns: Organization,
  async prepare({ body: { logo, logoPicture }, blobs }) {
    if (logoPicture === undefined) return undefined
    if (logo !== undefined) throw invalid(because('logo-twice'))
    const { bytes, contentType } = pictureOfRequest(logoPicture, 'body.logoPicture.base64', PICTURES)
    return { ...(await blobs.put(bytes)), contentType }
  },
  async handler({ tx, me, urls, body, organization, organizationRole, prepared, now, enqueue }) {
    const { emailDomains, defaultContent, sso, ai, inviteLinks, mergeRules, checkExternalLinks, ...rest } =
      body
    const { logoPicture: _, ...texts } = rest
    if (sso) await needActiveProvider(tx, organization.id)
    if (defaultContent) await needSiteOf(tx, organization.id, defaultContent.site)
    if (body.hostname !== undefined && body.hostname !== organization.hostname) {
      if (isReservedHostname(urls, body.hostname))
        throw invalidField('body.hostname', because('hostname-reserved', { name: body.hostname }))
      await needFreeHostname(tx, organization.id, body.hostname)
    }

    const changes = {
      ...texts,
      ...(prepared && { logo: await keepPicture(tx, urls, organization.id, prepared) }),
      ...(emailDomains && { emailDomains: JSON.stringify(lowerCase(emailDomains)) }),
      ...(defaultContent !== undefined && {
        defaultContent: defaultContent && JSON.stringify(defaultContent),
      }),
      ...(sso !== undefined && { sso: flag(sso) }),
      ...(ai !== undefined && { ai: flag(ai) }),
      ...(inviteLinks !== undefined && { inviteLinks: flag(inviteLinks) }),
      ...(checkExternalLinks !== undefined && { checkExternalLinks: flag(checkExternalLinks) }),
      ...(mergeRules && { mergeRules: await checkedRules(tx, organization.id, mergeRules) }),
    }
    const updated = await tx
      .updateTable('organization')
      .set(withUpdatedAt(organization, changes, now))
      .where('id', '=', organization.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (checkExternalLinks && !organization.checkExternalLinks)
      await askForLinkChecks(tx, enqueue, { organizationId: organization.id, runAt: now })
    const owned = await ownTeamsIn(tx, me.userId)
    return toOrganization(urls, updated, organizationRole, owned.has(organization.id))
  },
})

export const joinOrganization = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/join',
  summary: 'Join an organization that lists the e-mail domain of the caller',
  description:
    'The caller must have verified the address with a link from an e-mail. The new member gets the default role of the organization, or the role they had when they left, whichever is lower. If the organization does not list the domain, the response is 404.',
  access: onAccount(),
  params: InOrganization,
  async handler({ tx, me, params, now }) {
    const domain = await verifiedDomain(tx, me.userId)
    if (!domain) throw notFound('organization')
    const organization = await tx
      .selectFrom('organization')
      .selectAll()
      .where('id', '=', params.organizationId)
      .where(listsDomain(domain))
      .executeTakeFirst()
    if (!organization) throw notFound('organization')

    const member = await tx
      .selectFrom('member')
      .select('disabled')
      .where('organizationId', '=', organization.id)
      .where('userId', '=', me.userId)
      .executeTakeFirst()
    if (member?.disabled) throw notFound('organization')
    if (member) return
    const joining = { organizationId: organization.id, userId: me.userId }
    const role = await withinLimit(tx, joining, organization.defaultRole)
    await insertMember(tx, { ...joining, role, now })
  },
})

export const updateOrganizationMemberLastSeenAt = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/ping',
  summary: 'Record that the caller is active in an organization',
  // Clients send this every few minutes, and it is not a change worth auditing.
  audit: false,
  access: onOrg(),
  params: InOrganization,
  returns: Type.Object({
    serviceVisitorClaims: Type.Optional(
      Type.String({ description: 'A visitor token to attach to the user' }),
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
  if (!site) throw unknownId('body.defaultContent.site', siteId, 'a site of this organization')
}

async function needFreeHostname(tx: Tx, organizationId: string, hostname: string): Promise<void> {
  const taken = await tx
    .selectFrom('organization')
    .select('id')
    .where('hostname', '=', hostname)
    .where('id', '!=', organizationId)
    .executeTakeFirst()
  if (!taken) return
  throw conflict(because('hostname-taken'), [faultAt('body.hostname', because('taken-by-organization'))])
}

/** A boolean as its column holds it. */
const flag = (value: boolean) => (value ? (1 as const) : (0 as const))

const lowerCase = (domains: string[]) => [...new Set(domains.map((domain) => domain.toLowerCase()))]
