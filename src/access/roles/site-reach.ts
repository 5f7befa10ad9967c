import { type RawBuilder, sql } from 'kysely'
import { chunks } from '../../db/chunks.ts'
import type { DefaultLevel, Reader, Role, Row } from '../../db/schema.ts'
import { countGranted, countGroups } from './count-spaces.ts'
import { isOn } from './levels.ts'
import {
  byGrantee,
  grantedTo,
  granteesWith,
  grantsOnEach,
  isOfAny,
  type Membership,
  type SpaceViewer,
} from './reach.ts'
import { atLeast, effectiveRole, rolesFrom } from './roles.ts'

// A site is in no collection, so the role on it follows from the grants on it, its default level and the organization.

/** SQL for whether a member has at least this role on a row of `site` of their organization. */
export function sitesFrom(member: Membership, needed: Role): RawBuilder<boolean> {
  const { role } = member
  if (role === 'admin') return sql<boolean>`1 = 1`
  const enough = sql.join(rolesFrom(needed))
  const mine = (which: RawBuilder<boolean>) => grantedTo(member, 'site', which)
  const byDefault = role === null ? sql`1 = 0` : sql`"site"."defaultLevel" in (${enough})`
  const inherited = atLeast(role, needed)
    ? sql`"site"."defaultLevel" = ${'inherit' satisfies DefaultLevel}`
    : sql`1 = 0`
  return sql<boolean>`(
    "site"."id" in (${mine(sql<boolean>`g."role" in (${enough})`)})
    or ("site"."id" not in (${mine(sql<boolean>`1 = 1`)}) and (${byDefault} or ${inherited}))
  )`
}

/** The role of a member on each of these sites of their organization; null is no access. */
export async function rolesOnSites(
  db: Reader,
  member: Membership,
  sites: readonly Pick<Row<'site'>, 'id' | 'defaultLevel'>[],
): Promise<(site: { id: string }) => Role | null> {
  const roles = new Map<string, Role | null>()
  for (const some of chunks(sites)) {
    const granted = await grantsOnEach(db, 'site', member, some)
    for (const { id, defaultLevel } of some) {
      const grants = (granted.get(id) ?? []).map(({ role }) => role)
      roles.set(id, effectiveRole(member.role, [{ defaultLevel, grants }]))
    }
  }
  return ({ id }) => roles.get(id) ?? null
}

/** The number of sites that each of these can see, in their order. The number of queries is constant. */
export async function countSitesOf(
  db: Reader,
  organizationId: string,
  holders: SpaceViewer[],
): Promise<number[]> {
  if (holders.length === 0) return []
  const rows = await db
    .selectFrom('site')
    .select('defaultLevel')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('organizationId', '=', organizationId)
    .groupBy('defaultLevel')
    .execute()
  const grants = await db
    .selectFrom('site')
    .innerJoin('grant as g', 'g.targetId', 'site.id')
    .select(['g.granteeKind', 'g.granteeId', 'g.targetId', 'g.role', 'site.defaultLevel'])
    .where(isOn('site'))
    .where('g.organizationId', '=', organizationId)
    .where(isOfAny(holders))
    .execute()
  const groups = rows.map((row) => ({ ...row, parent: null }))
  const granted = byGrantee(grants.map((grant) => ({ ...grant, parent: null })))
  const noCollections = new Map<string, Role | null>()
  return holders.map((holder) => {
    const own = granteesWith(holder).flatMap((grantee) => granted.get(grantee) ?? [])
    return (
      countGroups(groups, holder.role, noCollections, 'read') +
      countGranted(own, holder.role, noCollections, 'read')
    )
  })
}
