import { sql } from 'kysely'
import { decideThrough, granteesOf, type Holder, loadSteps, type Step } from '../access/explain.ts'
import { demand } from '../access/on.ts'
import { higher, ROLES } from '../access/roles.ts'
import type { Role, Tx } from '../db/schema.ts'
import type { Thing } from './place.ts'
import { chunks } from './transfer.ts'

// Members differ in their role in the organization and in what was granted to them or to their teams. So members
// without a grant of their own are compared by kinds, of which there are few however many members there are.

const TEAM_IDS = sql<string | null>`string_agg("teamMember"."teamId", ',' order by "teamMember"."teamId")`.as(
  'teamIds',
)

/**
 * Makes a change of access, if it keeps to what the caller has: it gives nobody a role above the caller's own, and
 * takes none from anybody. What results is compared, not what was asked for: inheriting may give everything.
 * @param role the caller's, before the change
 * @param users whom the change is about, if that is known
 * @throws 403
 */
export async function changeWithin<T>(
  tx: Tx,
  { thing, role, users }: { thing: Thing; role: Role; users?: string[] | undefined },
  change: () => Promise<T>,
): Promise<T> {
  if (role === 'admin') return change()

  const before = await stepsTo(tx, thing)
  const changed = await change()
  const after = await stepsTo(tx, thing)
  // Everybody who may come, too: without a grant, each role is a kind.
  const newcomers = [...ROLES, null].map((one) => ({ userId: '', role: one, teamIds: new Set<string>() }))
  const concerned = await concernedBy(tx, thing, [...before, ...after], users)
  for (const holder of [...newcomers, ...concerned]) {
    const was = decideThrough(before, holder).role
    const now = decideThrough(after, holder).role
    const most = was === now ? null : higher(was, now)
    if (most !== null) demand(role, most, `on this ${thing.kind}`)
  }
  return changed
}

async function stepsTo(tx: Tx, { kind, id }: Thing): Promise<Step[]> {
  const row = await tx
    .selectFrom(kind)
    .select(['id', 'organizationId', 'parent', 'defaultLevel'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return loadSteps(tx, { ...row, kind })
}

/** Members with grants of their own, or those named, one by one; and one of each kind of those with their teams' alone. */
async function concernedBy(
  tx: Tx,
  { kind, id }: Thing,
  steps: Step[],
  users: string[] | undefined,
): Promise<Holder[]> {
  const teams = granteesOf(steps, 'team')
  const single = users ?? granteesOf(steps, 'user')
  const { organizationId } = await tx
    .selectFrom(kind)
    .select('organizationId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // Those who are disabled too: what they get now, they have when they are back.
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
  const holderOf = (row: { userId: string; role: Role | null; teamIds: string | null }): Holder => ({
    ...row,
    teamIds: new Set(row.teamIds?.split(',')),
  })

  const holders: Holder[] = []
  for (const ids of chunks(single)) {
    const rows = await found.where('member.userId', 'in', ids).execute()
    holders.push(...rows.map(holderOf))
  }
  if (users || teams.length === 0) return holders

  const withOwn = tx
    .selectFrom('grant')
    .select('granteeId')
    .where('targetKind', 'in', ['space', 'collection'])
    .where(
      'targetId',
      'in',
      steps.map((step) => step.id),
    )
    .where('granteeKind', '=', 'user')
  const kinds = await tx
    .selectFrom(
      tx
        .selectFrom('teamMember')
        .innerJoin('member', 'member.userId', 'teamMember.userId')
        .where('member.organizationId', '=', organizationId)
        .where('teamMember.teamId', 'in', teams)
        // Whoever has a grant of their own was looked at above, and is of no kind.
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
