import { type Expression, sql, type SqlBool } from 'kysely'
import { type Static, Type } from 'typebox'
import { teamPermissions } from '../access/roles.ts'
import { demand } from '../access/on.ts'
import { countSpacesOf } from '../access/reach.ts'
import type { Reader, Role, Row, Tx } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'
import { oneOf, Timestamp, titleOf } from './common.ts'

/** A group of members that grants are given to (management-api, Team). */
export const Team = Type.Object(
  {
    object: oneOf(['team']),
    id: Type.String(),
    title: Type.String(),
    members: Type.Integer(),
    spaces: Type.Integer({ description: 'Spaces that the team’s grants open' }),
    createdAt: Timestamp,
    permissions: Type.Object({
      admin: Type.Boolean({ description: 'May manage the members of the team' }),
      view: Type.Boolean(),
    }),
  },
  { title: 'Team' },
)
export type Team = Static<typeof Team>

export const TeamTitle = titleOf(64)
export const TeamRole = oneOf(['owner', 'member'])

/** Teams of one organization as the API shows them to one of its members. */
export async function toTeams(
  db: Reader,
  organizationId: string,
  rows: Row<'team'>[],
  viewer: { userId: string; role: Role | null },
): Promise<Team[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const counts = await db
    .selectFrom('teamMember')
    .select(['teamId', (eb) => eb.fn.countAll().as('count')])
    .where('teamId', 'in', ids)
    .groupBy('teamId')
    .execute()
  const mine = await db
    .selectFrom('teamMember')
    .select(['teamId', 'role'])
    .where('userId', '=', viewer.userId)
    .where('teamId', 'in', ids)
    .execute()
  // What the team alone gives: the access of a guest who is in it and in nothing else.
  const spaces = await countSpacesOf(
    db,
    organizationId,
    ids.map((id) => ({ role: null, teamIds: [id] })),
  )
  const members = new Map(counts.map(({ teamId, count }) => [teamId, Number(count)]))
  const roles = new Map(mine.map(({ teamId, role }) => [teamId, role]))

  return rows.map(({ id, title, createdAt }, i) => ({
    object: 'team',
    id,
    title,
    members: members.get(id) ?? 0,
    spaces: spaces[i] ?? 0,
    createdAt,
    permissions: teamPermissions(viewer.role, roles.get(id) ?? null),
  }))
}

export async function toTeam(
  db: Reader,
  row: Row<'team'>,
  viewer: { userId: string; role: Role | null },
): Promise<Team> {
  const [team] = await toTeams(db, row.organizationId, [row], viewer)
  if (!team) throw new Error('one row makes one team')
  return team
}

/** Whether a text has another in it, in any case; what stands for any text in a pattern stands for itself. */
export function containing(text: Expression<string | null>, part = ''): Expression<SqlBool> {
  const escaped = `%${part.replace(/[\\%_]/g, '\\$&')}%`
  // The upper() of SQLite is fast but knows only ASCII; its lower() is ours, knows every language, and is slow.
  if (/^\p{ASCII}*$/u.test(part))
    return sql<SqlBool>`upper(${text}) like ${escaped.toUpperCase()} escape '\\'`
  return sql<SqlBool>`lower(${text}) like ${escaped.toLowerCase()} escape '\\'`
}

/**
 * The members of an organization that a list of ids and addresses names, each once.
 * @throws 404 if one of them is no member
 */
export async function needMembers(tx: Tx, organizationId: string, named: string[]): Promise<string[]> {
  const ids = [...new Set(named.filter((name) => !name.includes('@')))]
  const emails = [...new Set(named.filter((name) => name.includes('@')).map((email) => email.toLowerCase()))]
  if (ids.length + emails.length === 0) return []
  const rows = await tx
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select(['user.id', 'user.email'])
    .where('member.organizationId', '=', organizationId)
    .where((eb) =>
      eb.or([
        ...(ids.length > 0 ? [eb('user.id', 'in', ids)] : []),
        ...(emails.length > 0 ? [eb('user.email', 'in', emails)] : []),
      ]),
    )
    .execute()
  const found = new Set(rows.flatMap(({ id, email }) => [id, email ?? id]))
  if (![...ids, ...emails].every((name) => found.has(name))) throw notFound()
  return rows.map(({ id }) => id)
}

/**
 * The members that a list of ids and addresses names, for somebody who manages a team. Guests can name only whom they
 * see, which is who is in a team that they own, and by id, because nobody's address is told to them: whatever else they
 * name is not there, whether it is or not. @throws 404
 */
export async function needNamed(
  tx: Tx,
  organizationId: string,
  named: string[],
  by: { userId: string; role: Role | null },
): Promise<string[]> {
  if (by.role !== null || named.length === 0) return needMembers(tx, organizationId, named)
  const rows = await tx
    .selectFrom('teamMember as own')
    .innerJoin('team', 'team.id', 'own.teamId')
    .innerJoin('teamMember as seen', 'seen.teamId', 'own.teamId')
    .select('seen.userId')
    .where('own.userId', '=', by.userId)
    .where('own.role', '=', 'owner')
    .where('team.organizationId', '=', organizationId)
    .where('seen.userId', 'in', named)
    .execute()
  const seen = new Set(rows.map(({ userId }) => userId))
  if (!named.every((name) => seen.has(name))) throw notFound()
  return [...seen]
}

/**
 * Refuses to take members out of a team that is shut out of something, themselves too: they would come out of it with
 * more access. @throws 403 but for administrators
 */
export async function refuseEscape(tx: Tx, teamId: string, organizationRole: Role | null): Promise<void> {
  const shutOut = await tx
    .selectFrom('grant')
    .select('targetId')
    .where('granteeKind', '=', 'team')
    .where('granteeId', '=', teamId)
    .where('role', 'is', null)
    .executeTakeFirst()
  if (shutOut) demand(organizationRole, 'admin', 'in this organization: the team is shut out of something')
}

/** Puts members into a team; who is in it already keeps their role, or gets the one given. */
export async function addToTeam(
  tx: Tx,
  teamId: string,
  users: { id: string; role?: 'owner' | 'member' | undefined }[],
  now: Date,
): Promise<void> {
  for (const { id, role } of users) {
    await tx
      .insertInto('teamMember')
      .values({ teamId, userId: id, role: role ?? 'member', createdAt: now.toISOString() })
      .onConflict((conflict) =>
        role === undefined
          ? conflict.doNothing()
          : conflict.columns(['teamId', 'userId']).doUpdateSet({ role }),
      )
      .execute()
  }
}
