import { type Static, Type } from 'typebox'
import { countSpacesOf, holdersOf } from '../access/reach.ts'
import type { Reader, Role, Row, Tx } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import { conflict, notFound } from '../http/errors.ts'
import { nullable, oneOf, present, RoleSchema, Timestamp } from './common.ts'
import { leaveShutOut, restrictionsOf } from './restrictions.ts'
import { setLimit } from './role-limit.ts'
import { toUser, User } from './user.ts'

/** Somebody in an organization (management-api, Member); a null role is a guest. */
export const Member = Type.Object(
  {
    object: oneOf(['member']),
    id: Type.String({ description: 'The id of the user' }),
    role: nullable(RoleSchema),
    user: User,
    disabled: Type.Boolean(),
    joinedAt: Timestamp,
    lastSeenAt: Type.Optional(Timestamp),
    sso: Type.Boolean(),
    spaces: Type.Integer({ description: 'Spaces the member can read' }),
    teams: Type.Integer(),
  },
  { title: 'Member' },
)
export type Member = Static<typeof Member>

/** A member with what is shown of the user. */
export type MemberRow = Row<'member'> & Pick<Row<'user'>, 'displayName' | 'email' | 'photoUrl'>

/** Members with their users, to be narrowed and ordered. */
export function selectMembers(db: Reader, organizationId: string) {
  return db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.organizationId', '=', organizationId)
    .selectAll('member')
    .select(['user.displayName', 'user.email', 'user.photoUrl'])
}

/** A member of the organization. @throws 404 */
export async function needMember(db: Reader, organizationId: string, userId: string): Promise<MemberRow> {
  const row = await selectMembers(db, organizationId).where('member.userId', '=', userId).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** Members of one organization as the API shows them; what is counted comes from a few queries for all of them. */
export async function toMembers(
  at: Addresses,
  db: Reader,
  organizationId: string,
  rows: MemberRow[],
  addressShown = true,
): Promise<Member[]> {
  const holders = await holdersOf(db, organizationId, rows)
  const spaces = await countSpacesOf(db, organizationId, holders)

  return rows.map((row, i) => ({
    object: 'member',
    id: row.userId,
    role: row.role,
    user: toUser(at, { ...row, id: row.userId }, addressShown),
    disabled: row.disabled === 1,
    joinedAt: row.joinedAt,
    ...present({ lastSeenAt: row.lastSeenAt }),
    sso: row.sso === 1,
    spaces: row.disabled ? 0 : (spaces[i] ?? 0),
    teams: holders[i]?.teamIds.length ?? 0,
  }))
}

export async function toMember(
  at: Addresses,
  db: Reader,
  row: MemberRow,
  addressShown = true,
): Promise<Member> {
  const [member] = await toMembers(at, db, row.organizationId, [row], addressShown)
  if (!member) throw new Error('one row makes one member')
  return member
}

/** Adds a user to an organization. */
export async function insertMember(
  tx: Tx,
  fields: { organizationId: string; userId: string; role: Role | null; sso?: boolean; now: Date },
): Promise<void> {
  await tx
    .insertInto('member')
    .values({
      organizationId: fields.organizationId,
      userId: fields.userId,
      role: fields.role,
      disabled: 0,
      sso: fields.sso ? 1 : 0,
      joinedAt: fields.now.toISOString(),
      lastSeenAt: null,
    })
    // Somebody else may add them at the same time: on PostgreSQL that runs this again, to find them there.
    .onConflict((conflicting) => conflicting.doNothing())
    .execute()
}

/**
 * Ends a membership at once, with all that was given to the user in the organization; what they wrote stays, and so
 * does what restricted them.
 * @returns whether there was one
 */
export async function removeMember(
  tx: Tx,
  organizationId: string,
  userId: string,
  now: Date,
): Promise<boolean> {
  const member = await tx
    .deleteFrom('member')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()
  // Who is no member has nothing here to end; what they have elsewhere is not this organization's.
  if (!member) return false

  await setLimit(tx, member, now)
  // Nobody gets rid of a restriction by leaving and coming back.
  await leaveShutOut(tx, member, await restrictionsOf(tx, member), now)
  await tx
    .deleteFrom('teamMember')
    .where('userId', '=', userId)
    .where('teamId', 'in', (eb) =>
      eb.selectFrom('team').select('id').where('organizationId', '=', organizationId),
    )
    .execute()
  // They could not answer any more, and would be waited for.
  await tx
    .deleteFrom('requestedReviewer')
    .where('userId', '=', userId)
    .where('spaceId', 'in', (eb) =>
      eb.selectFrom('space').select('id').where('organizationId', '=', organizationId),
    )
    .execute()
  // An invitation that was not used yet would otherwise outlive what it invited to.
  await tx
    .deleteFrom('accountToken')
    .where('userId', '=', userId)
    .where('purpose', '=', 'invitation')
    .where('organizationId', '=', organizationId)
    .execute()
  await tx
    .deleteFrom('invite')
    .where('organizationId', '=', organizationId)
    .where('kind', '=', 'email')
    .where('usedAt', 'is', null)
    .where('email', '=', (eb) => eb.selectFrom('user').select('email').where('id', '=', userId))
    .execute()
  // They know the codes of the links that they made.
  await tx
    .deleteFrom('invite')
    .where('organizationId', '=', organizationId)
    .where('createdBy', '=', userId)
    .where('usedAt', 'is', null)
    .execute()
  return true
}

/**
 * Refuses a change that has left the organization without an enabled administrator. Asked after the change, in its
 * transaction: of two changes at once, each of which leaves the other's administrator, one comes second and is refused.
 * @throws 409
 */
export async function keepAdministrator(tx: Tx, organizationId: string): Promise<void> {
  const left = await tx
    .selectFrom('member')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'admin')
    .where('disabled', '=', 0)
    .limit(1)
    .executeTakeFirst()
  if (!left)
    throw conflict('This is the last administrator of the organization; make somebody else one first')
}
