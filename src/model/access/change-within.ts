import { append } from '../../core/data/lists.ts'
import { sql } from 'kysely'
import {
  decideThrough,
  granteesOf,
  type Grantholder,
  type GrantTarget,
  type Step,
} from '../../access/roles/explain.ts'
import { demand } from '../../access/checks/on.ts'
import { higher, ROLES } from '../../access/roles/roles.ts'
import type { Role, Tx } from '../../db/schema.ts'
import { stepsTo } from './permission.ts'
import { chunks } from '../../db/chunks.ts'

// The effective role of a member follows from the role in the organization and the grants to the member and their teams.
// Members without a direct grant are compared in groups with equal roles and teams, because there are few such groups.

const TEAM_IDS = sql<string | null>`string_agg("teamMember"."teamId", ',' order by "teamMember"."teamId")`.as(
  'teamIds',
)

/**
 * Makes a change of access, unless it gives any user a role above the caller's own or takes such a role away. It
 * compares the effective roles before and after the change, because inheriting can give more than the request names.
 * @param role the role of the caller before the change
 * @param users the users that the change affects, if they are known
 * @throws 403
 */
export async function changeWithin<T>(
  tx: Tx,
  { thing, role, users }: { thing: GrantTarget; role: Role; users?: string[] | undefined },
  change: () => Promise<T>,
): Promise<T> {
  if (role === 'admin') return change()

  const { steps: before } = await stepsTo(tx, thing)
  const changed = await change()
  const { organizationId, steps: after } = await stepsTo(tx, thing)
  // Future members count too: one for each role, without a grant.
  const newcomers = [...ROLES, null].map((one) => ({ userId: '', role: one, teamIds: new Set<string>() }))
  const concerned = await concernedBy(tx, organizationId, [...before, ...after], users)
  for (const holder of [...newcomers, ...concerned]) {
    const was = decideThrough(before, holder).role
    const now = decideThrough(after, holder).role
    const most = was === now ? null : higher(was, now)
    if (most !== null) demand(role, most, `on-${thing.kind}`)
  }
  return changed
}

/** The given users, or every member with a direct grant and one member of each group with equal roles and teams. */
async function concernedBy(
  tx: Tx,
  organizationId: string,
  steps: Step[],
  users: string[] | undefined,
): Promise<Grantholder[]> {
  const teams = granteesOf(steps, 'team')
  const single = users ?? granteesOf(steps, 'user')
  // Disabled members count too, because they have these roles again when they are enabled.
  const found = tx
    .selectFrom('member')
    .leftJoin('teamMember', (join) =>
      join
        .onRef('teamMember.userId', '=', 'member.userId')
        .on((eb) => (teams.length > 0 ? eb('teamMember.teamId', 'in', teams) : eb.lit(false))),
    )
    .where('member.organizationId', '=', organizationId)
    .select(['member.userId', 'member.role'])
    .select(TEAM_IDS)
    .groupBy(['member.userId', 'member.role'])
  const holderOf = (row: { userId: string; role: Role | null; teamIds: string | null }): Grantholder => ({
    ...row,
    teamIds: new Set(row.teamIds?.split(',')),
  })

  const holders: Grantholder[] = []
  for (const ids of chunks(single)) {
    const rows = await found.where('member.userId', 'in', ids).execute()
    append(holders, rows.map(holderOf))
  }
  if (users || teams.length === 0) return holders

  const withOwn = tx
    .selectFrom('grant')
    .select('granteeId')
    .where((eb) =>
      eb.or(steps.map((step) => eb.and([eb('targetKind', '=', step.kind), eb('targetId', '=', step.id)]))),
    )
    .where('granteeKind', '=', 'user')
  const kinds = await tx
    .selectFrom(
      tx
        .selectFrom('teamMember')
        .innerJoin('member', 'member.userId', 'teamMember.userId')
        .where('member.organizationId', '=', organizationId)
        .where('teamMember.teamId', 'in', teams)
        // Members with a direct grant are in `holders` already.
        .where('member.userId', 'not in', withOwn)
        .select(['member.userId', 'member.role'])
        .select(TEAM_IDS)
        .groupBy(['member.userId', 'member.role'])
        .as('each'),
    )
    .select(['role', 'teamIds'])
    .distinct()
    .execute()
  return [...holders, ...kinds.map((row) => holderOf({ ...row, userId: '' }))]
}
