import { type Expression, sql, type SqlBool } from 'kysely'
import { type Static, Type } from 'typebox'
import { teamPermissions } from '../../access/roles/roles.ts'
import { demand } from '../../access/checks/on.ts'
import { countSpacesOf } from '../../access/roles/reach.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import { invalidFields, unknownIdFault } from '../../http/errors.ts'
import { oneOf, Timestamp, titleSchema } from '../common.ts'

/** A group of members that can have grants. */
export const Team = Type.Object(
  {
    object: oneOf(['team']),
    id: Type.String(),
    title: Type.String(),
    members: Type.Integer(),
    spaces: Type.Integer({ description: 'Number of spaces that the team can access' }),
    createdAt: Timestamp,
    permissions: Type.Object({
      admin: Type.Boolean({ description: 'Whether the caller can manage the members of the team' }),
      view: Type.Boolean(),
    }),
  },
  { title: 'Team' },
)
export type Team = Static<typeof Team>

export const TeamTitle = titleSchema(64)
export const TeamRole = oneOf(['owner', 'member'])

/** Teams of one organization as the API returns them to one of its members. */
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
  // A team alone gives the access of a guest who is only in this team.
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

/** SQL condition: a text contains another, ignoring case. Wildcards of `like` in the search text are escaped. */
export function containing(text: Expression<string | null>, part = ''): Expression<SqlBool> {
  const escaped = `%${part.replace(/[\\%_]/g, '\\$&')}%`
  // SQLite's own upper() is fast but knows only ASCII. Lectern replaces lower() by one that is slow but knows Unicode.
  if (/^\p{ASCII}*$/u.test(part))
    return sql<SqlBool>`upper(${text}) like ${escaped.toUpperCase()} escape '\\'`
  return sql<SqlBool>`lower(${text}) like ${escaped.toLowerCase()} escape '\\'`
}

/** The user ids of members by the ids and e-mail addresses that name them. Other names are absent from the result. */
async function membersNamed(tx: Tx, organizationId: string, named: string[]): Promise<Map<string, string>> {
  const ids = [...new Set(named.filter((name) => !name.includes('@')))]
  const emails = [...new Set(named.filter((name) => name.includes('@')).map((email) => email.toLowerCase()))]
  if (ids.length + emails.length === 0) return new Map()
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
  return new Map(rows.flatMap(({ id, email }) => [[id, id] as const, [email ?? id, id] as const]))
}

/**
 * The same for a caller who manages a team. A guest can name only members of the teams they own, and only by id,
 * because guests cannot see e-mail addresses.
 */
export async function membersNamedBy(
  tx: Tx,
  organizationId: string,
  named: string[],
  by: { userId: string; role: Role | null },
): Promise<Map<string, string>> {
  if (by.role !== null || named.length === 0) return membersNamed(tx, organizationId, named)
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
  return new Map(rows.map(({ userId }) => [userId, userId]))
}

/**
 * The user ids of the members that a body names by id or e-mail address, each once.
 * @param path the field that names them, such as `body.members`
 * @throws 400 for names of users who are not members
 */
export async function needMembers(
  tx: Tx,
  organizationId: string,
  named: string[],
  path: string,
): Promise<string[]> {
  return allNamed(named, await membersNamed(tx, organizationId, named), (_, i) => `${path}.${i}`)
}

/** The user ids of all who are named, each once. @throws 400 for names that were not found */
export function allNamed(
  named: string[],
  found: ReadonlyMap<string, string>,
  pathOf: (name: string, index: number) => string,
): string[] {
  const idOf = (name: string) => found.get(name.includes('@') ? name.toLowerCase() : name)
  const faults = named.flatMap((name, i) =>
    idOf(name) === undefined ? [unknownIdFault(pathOf(name, i), name, 'a member of this organization')] : [],
  )
  if (faults.length > 0) throw invalidFields(faults)
  return [...new Set(found.values())]
}

/**
 * Refuses to remove members, or the caller, from a team with a "no access" grant, because they would gain access.
 * @throws 403 unless the caller is an administrator
 */
export async function refuseEscape(tx: Tx, teamId: string, organizationRole: Role | null): Promise<void> {
  const shutOut = await tx
    .selectFrom('grant')
    .select('targetId')
    .where('granteeKind', '=', 'team')
    .where('granteeId', '=', teamId)
    .where('role', 'is', null)
    .executeTakeFirst()
  if (shutOut) demand(organizationRole, 'admin', 'for-team')
}

/** A query for the ids of the teams that a user owns, which are all that a guest sees. */
export function teamsOwnedBy(db: Reader, userId: string) {
  return db.selectFrom('teamMember').select('teamId').where('userId', '=', userId).where('role', '=', 'owner')
}

/** Deletes a team with its grants. */
export async function removeTeam(tx: Tx, { id, organizationId }: Pick<Row<'team'>, 'id' | 'organizationId'>) {
  await tx.deleteFrom('teamMember').where('teamId', '=', id).execute()
  await tx.deleteFrom('scimGroup').where('teamId', '=', id).execute()
  await tx
    .deleteFrom('grant')
    .where('granteeKind', '=', 'team')
    .where('granteeId', '=', id)
    .where('organizationId', '=', organizationId)
    .execute()
  await tx.deleteFrom('team').where('id', '=', id).execute()
}

/** Adds members to a team. Members who are in it keep their role, or get the given one. */
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
