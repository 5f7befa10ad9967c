import { sql, type SqlBool } from 'kysely'
import { type Static, Type } from 'typebox'
import { organizationPermissions } from '../../access/roles/roles.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { freeName, slugify } from '../../core/text/slug.ts'
import { nullable, oneOf, omitNullish, RoleSchema, Timestamp, Uri } from '../common.ts'
import { isReservedName } from './host-names.ts'
import { OrganizationMergeRules, toMergeRules } from './merge-rules.ts'

const DefaultContent = Type.Object({ type: oneOf(['site']), site: Type.String() })

const Flags = Type.Object({
  view: Type.Boolean(),
  access: Type.Boolean(),
  admin: Type.Boolean(),
  ownTeam: Type.Boolean(),
  createContent: Type.Boolean(),
  createOpenAPISpec: Type.Boolean(),
  ingestConversations: Type.Boolean(),
  viewBilling: Type.Boolean(),
  listMembers: Type.Boolean(),
  listTeams: Type.Boolean(),
  listIntegrations: Type.Boolean(),
  listInstallations: Type.Boolean(),
  installIntegration: Type.Boolean(),
})

export const USE_CASES = [
  'internalDocs',
  'docsSite',
  'audienceControlledSite',
  'productDocs',
  'teamKnowledgeBase',
  'designSystem',
  'openSourceDocs',
  'notes',
  'other',
] as const

/** A public host name of an organization: one label of a domain name, 3 to 32 characters. */
export const Hostname = Type.String({
  minLength: 3,
  maxLength: 32,
  pattern: '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$',
  'x-pattern': 'have only the letters a to z, digits and "-", and begin and end with a letter or digit',
})

export const Organization = Type.Object(
  {
    object: oneOf(['organization']),
    id: Type.String(),
    title: Type.String(),
    createdAt: Timestamp,
    emailDomains: Type.Array(Type.String()),
    hostname: Type.Optional(Type.String()),
    type: oneOf(['business', 'community']),
    useCase: Type.Optional(oneOf(USE_CASES)),
    communityType: Type.Optional(oneOf(['nonProfit', 'openSource', 'education'])),
    defaultRole: Type.Optional(nullable(RoleSchema)),
    defaultContent: Type.Optional(DefaultContent),
    sso: Type.Boolean(),
    ai: Type.Boolean(),
    inviteLinks: Type.Boolean(),
    plan: oneOf(['internal']),
    mergeRules: OrganizationMergeRules,
    checkExternalLinks: Type.Boolean({
      description: 'Whether Lectern requests the external addresses in the links of the spaces, once a day',
    }),
    trial: Type.Object({ status: oneOf(['notapplicable']), count: Type.Literal(0) }),
    urls: Type.Object({ location: Uri, app: Uri, logo: Type.Optional(Type.String()) }),
    permissions: Flags,
  },
  { title: 'Organization' },
)
export type Organization = Static<typeof Organization>

/**
 * An organization as the API returns it. Only members can see which users may join, and with which role.
 * @param role the caller's role in the organization; null for a guest, `outsider` for a user who is not a member
 * @param ownsTeam the caller owns one of its teams
 */
export function toOrganization(
  urls: Urls,
  row: Row<'organization'>,
  role: Role | null | 'outsider',
  ownsTeam: boolean,
): Organization {
  return {
    object: 'organization',
    id: row.id,
    title: row.title,
    createdAt: row.createdAt,
    emailDomains: role === null ? [] : (JSON.parse(row.emailDomains) as string[]),
    hostname: row.hostname,
    type: row.type,
    ...omitNullish({
      useCase: row.useCase as (typeof USE_CASES)[number] | null,
      communityType: row.communityType as 'nonProfit' | null,
    }),
    ...(role === null ? {} : { defaultRole: row.defaultRole }),
    ...(row.defaultContent
      ? { defaultContent: JSON.parse(row.defaultContent) as Static<typeof DefaultContent> }
      : {}),
    sso: row.sso === 1,
    ai: row.ai === 1,
    inviteLinks: row.inviteLinks === 1,
    // Lectern has one plan, which includes every feature.
    plan: 'internal',
    mergeRules: toMergeRules<Static<typeof OrganizationMergeRules>>(row),
    checkExternalLinks: row.checkExternalLinks === 1,
    trial: { status: 'notapplicable', count: 0 },
    urls: {
      location: urls.api(`/orgs/${row.id}`),
      app: urls.app(`/o/${row.id}`),
      ...omitNullish({ logo: row.logo }),
    },
    permissions: organizationPermissions(role, ownsTeam),
  }
}

/** The organizations where a user owns a team. */
export async function ownTeamsIn(db: Reader, userId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('teamMember')
    .innerJoin('team', 'team.id', 'teamMember.teamId')
    .select('team.organizationId')
    .distinct()
    .where('teamMember.userId', '=', userId)
    .where('teamMember.role', '=', 'owner')
    .execute()
  return new Set(rows.map(({ organizationId }) => organizationId))
}

/** SQL condition: the organization lists an e-mail domain. */
export function listsDomain(domain: string) {
  // The list is JSON text. A domain contains no character that JSON escapes.
  const pattern = `%${JSON.stringify(domain).replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`"organization"."emailDomains" like ${pattern} escape '\\'`
}

/** Creates an organization. Its creator is the first member and an administrator. */
export async function insertOrganization(
  tx: Tx,
  fields: {
    id: string
    title: string
    userId: string
    now: Date
    hostname?: string
    type?: 'business' | 'community' | undefined
    useCase?: string | undefined
    emailDomains?: string[] | undefined
  },
): Promise<Row<'organization'>> {
  const at = fields.now.toISOString()
  const organization: Row<'organization'> = {
    id: fields.id,
    title: fields.title,
    hostname: fields.hostname ?? (await freeHostname(tx, fields.title)),
    type: fields.type ?? 'business',
    useCase: fields.useCase ?? null,
    communityType: null,
    emailDomains: JSON.stringify(fields.emailDomains ?? []),
    defaultRole: null,
    defaultContent: null,
    logo: null,
    sso: 0,
    ai: 0,
    inviteLinks: 1,
    mergeRules: JSON.stringify({ type: 'none' }),
    checkExternalLinks: 0,
    createdBy: fields.userId,
    createdAt: at,
    updatedAt: at,
  }
  await tx.insertInto('organization').values(organization).execute()
  await tx
    .insertInto('member')
    .values({
      organizationId: fields.id,
      userId: fields.userId,
      role: 'admin',
      disabled: 0,
      sso: 0,
      joinedAt: at,
      lastSeenAt: null,
    })
    .execute()
  return organization
}

/** Derives an unused host name that is not reserved from a title: `acme`, then `acme-1`, `acme-2` … */
async function freeHostname(tx: Tx, title: string): Promise<string> {
  const ascii = slugify(title.normalize('NFKD').replace(/[^\x20-\x7e]/g, '')).replace(/[^a-z0-9-]/g, '')
  const base = ascii.slice(0, 26).replace(/^-+|-+$/g, '')
  const stem = base.length >= 3 ? base : 'docs'
  const taken = await tx
    .selectFrom('organization')
    .select('hostname')
    .where('hostname', 'like', `${stem}%`)
    .execute()
  const names = new Set(taken.map(({ hostname }) => hostname))
  return freeName(stem, (name) => names.has(name) || isReservedName(name))
}
