import type { RawBuilder } from 'kysely'
import type { Reader, Role } from '../db/schema.ts'
import { isOn } from './levels.ts'
import { atLeast, roleOnSpace } from './roles.ts'

// Spaces with the same level in the same place are the same to a member, but for what was granted on them; so they are
// counted in groups, and the few that were granted are put right one by one.

/**
 * How many spaces there are with each level in each place.
 * @param trashedSince counts those in the trash since then instead
 */
export function groupsOf(db: Reader, organizationId: string, trashedSince: string | undefined) {
  return spacesOf(db, organizationId, trashedSince)
    .select(['parent', 'defaultLevel'])
    .select((eb) => eb.fn.countAll().as('count'))
    .groupBy(['parent', 'defaultLevel'])
    .execute()
}

/** The grants on spaces to some, which `toWhom` says of the grant `g`. */
export function grantedSpaces(
  db: Reader,
  organizationId: string,
  trashedSince: string | undefined,
  toWhom: RawBuilder<boolean>,
) {
  return spacesOf(db, organizationId, trashedSince)
    .innerJoin('grant as g', 'g.targetId', 'space.id')
    .select(['g.granteeKind', 'g.granteeId', 'g.targetId', 'g.role', 'space.parent', 'space.defaultLevel'])
    .where(isOn('space'))
    .where('g.organizationId', '=', organizationId)
    .where(toWhom)
    .execute()
}

/** On how many spaces a member has at least this role, grants on the spaces themselves left out. */
export function countGroups(
  groups: Awaited<ReturnType<typeof groupsOf>>,
  role: Role | null,
  roles: Map<string, Role | null>,
  needed: Role,
): number {
  const reached = groups.filter((group) => atLeast(roleOnSpace(role, roles, group), needed))
  return reached.reduce((sum, { count }) => sum + Number(count), 0)
}

/** How many more spaces, or fewer, the grants on them make it. */
export function countGranted(
  granted: Awaited<ReturnType<typeof grantedSpaces>>,
  role: Role | null,
  roles: Map<string, Role | null>,
  needed: Role,
): number {
  let count = 0
  for (const grants of Map.groupBy(granted, ({ targetId }) => targetId).values()) {
    const [space] = grants
    if (!space) continue
    const without = atLeast(roleOnSpace(role, roles, space), needed)
    count += Number(atLeast(roleOnSpace(role, roles, space, grants), needed)) - Number(without)
  }
  return count
}

/** The spaces of an organization that are there, or those in the trash since some time. */
export function spacesOf(db: Reader, organizationId: string, trashedSince: string | undefined) {
  return db
    .selectFrom('space')
    .where('space.organizationId', '=', organizationId)
    .$if(trashedSince === undefined, (spaces) => spaces.where('space.deletedAt', 'is', null))
    .$if(trashedSince !== undefined, (spaces) => spaces.where('space.deletedAt', '>', trashedSince ?? ''))
}
