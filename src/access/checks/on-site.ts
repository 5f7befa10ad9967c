import { sql } from 'kysely'
import { prepare } from '../../db/prepare.ts'
import type { Reader, Role, Row } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import type { Access, Caller } from '../../http/route.ts'
import { levelOf, readLevels } from '../roles/levels.ts'
import type { Reaching } from '../roles/reached.ts'
import { effectiveRole } from '../roles/roles.ts'
import { demand, findOrganization, needOrganization } from './on.ts'

/** A site with the roles of the caller on it and in its organization. */
export interface OnSite {
  organization: Row<'organization'>
  /** Decides what the caller sees of the spaces of the site; null for guests. */
  organizationRole: Role | null
  site: Row<'site'>
  /** Decides what the caller may do on the site. */
  role: Role
}

/** The site in the URL, for callers with at least the role `needed` on it. */
export function onSite(needed: Role): Access<OnSite> {
  return {
    needs: `site: ${needed}`,
    async load({ db, me, params }) {
      const { found } = await lookUp(db, me, params)
      if (!found) throw notFound('site')
      demand(found.role, needed, 'on-site')
      return found
    },
  }
}

/**
 * The site in the URL, or undefined if it is gone or the caller cannot see it. Deleting such a site succeeds with 204, so
 * that the response does not show whether it was ever there.
 */
export function onSiteIfThere(
  needed: Role,
): Access<{ organization: Row<'organization'>; site: Row<'site'> | undefined }> {
  return {
    needs: `site: ${needed}`,
    async load({ db, me, params }) {
      const { organization, found } = await lookUp(db, me, params)
      if (found) demand(found.role, needed, 'on-site')
      return { organization, site: found?.site }
    },
  }
}

/**
 * The published site in the URL, for any caller, with or without a token. Its ids are in the pages of the site, so they
 * are no secret.
 */
export function onPublishedSite(): Access<{ site: Row<'site'> }> {
  return {
    needs: 'anyone',
    open: true,
    async load({ db, params }) {
      const { organizationId = '', siteId = '' } = params
      const site = await db
        .selectFrom('site')
        .selectAll()
        .where('id', '=', siteId)
        .where('organizationId', '=', organizationId)
        .executeTakeFirst()
      if (!site || site.published === 0) throw notFound('site')
      return { site }
    },
  }
}

/** A site of an organization, if the caller has a role on it. */
export async function findOnSite(
  db: Reader,
  me: Reaching,
  { organizationId, siteId }: { organizationId: string; siteId: string },
): Promise<OnSite | undefined> {
  const member = await findOrganization(db, me, organizationId)
  return member && siteFor(db, me, member, siteId)
}

/** @throws 404 if the caller is not a member of the organization */
async function lookUp(db: Reader, me: Caller, { organizationId = '', siteId = '' }: Record<string, string>) {
  const member = await needOrganization(db, me, organizationId)
  return { organization: member.organization, found: await siteFor(db, me, member, siteId) }
}

async function siteFor(
  db: Reader,
  { userId }: Reaching,
  { organization, role: organizationRole }: { organization: Row<'organization'>; role: Role | null },
  siteId: string,
): Promise<OnSite | undefined> {
  const found = await siteWithLevel(db, siteId, organization.id, userId)
  const role = found ? effectiveRole(organizationRole, readLevels(found.level)) : null
  return found && role !== null ? { organization, organizationRole, site: found.site, role } : undefined
}

const SITE = { kind: 'site', id: sql`"site"."id"`, defaultLevel: sql`"site"."defaultLevel"` } as const

const siteWithLevel = prepare(
  (db, argument) =>
    db
      .selectFrom('site')
      .selectAll()
      .select(levelOf(SITE, argument(2)).as('level'))
      .where('site.id', '=', argument(0))
      .where('site.organizationId', '=', argument(1)),
  ([row]): { site: Row<'site'>; level: string } | undefined => {
    if (!row) return undefined
    const { level, ...site } = row
    return { site: Object.freeze(site), level }
  },
)
