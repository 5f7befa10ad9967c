import type { RawBuilder } from 'kysely'
import type { Reader, Role } from '../../db/schema.ts'
import { isOn } from './levels.ts'
import { atLeast, roleOnSpace } from './roles.ts'

// A member has the same role on all spaces with the same default level and the same parent, except for grants. So spaces
// are counted in groups, and the few spaces with grants are corrected one by one.

/**
 * The number of spaces for each default level and parent.
 * @param trashedSince count the spaces that were deleted after this time instead
 */
export function groupsOf(db: Reader, organizationId: string, trashedSince: string | undefined) {
  return spacesOf(db, organizationId, trashedSince)
    .select(['parent', 'defaultLevel'])
    .select((eb) => eb.fn.countAll().as('count'))
    .groupBy(['parent', 'defaultLevel'])
    .execute()
}

/** The grants on spaces to some grantees. @param toWhom SQL that is true for a grant `g` to one of them */
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

/** The number of spaces on which a member has at least this role, without the grants on the spaces themselves. */
export function countGroups(
  groups: Awaited<ReturnType<typeof groupsOf>>,
  role: Role | null,
  roles: Map<string, Role | null>,
  needed: Role,
): number {
  const reached = groups.filter((group) => atLeast(roleOnSpace(role, roles, group), needed))
  return reached.reduce((sum, { count }) => sum + Number(count), 0)
}

/** The difference that the grants on spaces make to `countGroups`. */
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

/** The spaces of an organization that are not deleted, or those that were deleted after a time. */
export function spacesOf(db: Reader, organizationId: string, trashedSince: string | undefined) {
  return db
    .selectFrom('space')
    .where('space.organizationId', '=', organizationId)
    .$if(trashedSince === undefined, (spaces) => spaces.where('space.deletedAt', 'is', null))
    .$if(trashedSince !== undefined, (spaces) => spaces.where('space.deletedAt', '>', trashedSince ?? ''))
}
