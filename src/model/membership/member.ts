import { type Static, Type } from 'typebox'
import { countSpacesOf, viewersAmong } from '../../access/roles/reach.ts'
import { countSitesOf } from '../../access/roles/site-reach.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { conflict, notFound } from '../../http/errors.ts'
import { nullable, oneOf, omitNullish, RoleSchema, Timestamp } from '../common.ts'
import { leaveShutOut, restrictionsOf } from '../access/restrictions.ts'
import { setLimit } from '../access/role-limit.ts'
import { toUser, User } from '../people/user.ts'
import { because } from '../../core/languages/reasons.ts'

/** A member of an organization; a role of null is a guest. */
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
    spaces: Type.Integer({ description: 'Number of spaces that the member can read' }),
    teams: Type.Integer(),
    sites: Type.Integer({ description: 'Number of sites that the member can see in the console' }),
  },
  { title: 'Member' },
)
export type Member = Static<typeof Member>

/** A member with the fields of the user. */
export type MemberRow = Row<'member'> & Pick<Row<'user'>, 'displayName' | 'email' | 'photoUrl'>

/** A query for members with their users. */
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
  if (!row) throw notFound('member')
  return row
}

/** Members of one organization as the API returns them. Each count takes one query for all of them. */
export async function toMembers(
  urls: Urls,
  db: Reader,
  organizationId: string,
  rows: MemberRow[],
  addressShown = true,
): Promise<Member[]> {
  const holders = await viewersAmong(db, organizationId, rows)
  const spaces = await countSpacesOf(db, organizationId, holders)
  const sites = await countSitesOf(db, organizationId, holders)

  return rows.map((row, i) => ({
    object: 'member',
    id: row.userId,
    role: row.role,
    user: toUser(urls, { ...row, id: row.userId }, addressShown),
    disabled: row.disabled === 1,
    joinedAt: row.joinedAt,
    ...omitNullish({ lastSeenAt: row.lastSeenAt }),
    sso: row.sso === 1,
    spaces: row.disabled ? 0 : (spaces[i] ?? 0),
    teams: holders[i]?.teamIds.length ?? 0,
    sites: row.disabled ? 0 : (sites[i] ?? 0),
  }))
}

export async function toMember(urls: Urls, db: Reader, row: MemberRow, addressShown = true): Promise<Member> {
  const [member] = await toMembers(urls, db, row.organizationId, [row], addressShown)
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
    // A concurrent request may add the same user. On PostgreSQL, this transaction is then repeated.
    .onConflict((conflicting) => conflicting.doNothing())
    .execute()
}

/**
 * Removes a member immediately, with all their grants in the organization. Their content stays, and so do the grants
 * that restrict them.
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
  // A user who is not a member has nothing in this organization to remove.
  if (!member) return false

  await setLimit(tx, member, now)
  // A user must not lose a restriction by leaving and joining again.
  await leaveShutOut(tx, member, await restrictionsOf(tx, member), now)
  await tx
    .deleteFrom('teamMember')
    .where('userId', '=', userId)
    .where('teamId', 'in', (eb) =>
      eb.selectFrom('team').select('id').where('organizationId', '=', organizationId),
    )
    .execute()
  await tx
    .deleteFrom('scimUser')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute()
  // The user could no longer review, so the request would stay open for ever.
  await tx
    .deleteFrom('requestedReviewer')
    .where('userId', '=', userId)
    .where('spaceId', 'in', (eb) =>
      eb.selectFrom('space').select('id').where('organizationId', '=', organizationId),
    )
    .execute()
  await tx
    .deleteFrom('reviewDraft')
    .where('userId', '=', userId)
    .where('spaceId', 'in', (eb) =>
      eb.selectFrom('space').select('id').where('organizationId', '=', organizationId),
    )
    .execute()
  // An unused invitation would otherwise let the user join again.
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
  // The user knows the codes of the links that they created.
  await tx
    .deleteFrom('invite')
    .where('organizationId', '=', organizationId)
    .where('createdBy', '=', userId)
    .where('usedAt', 'is', null)
    .execute()
  return true
}

/**
 * Refuses a change that leaves the organization without an enabled administrator. It is called after the change, in the
 * same transaction: if two concurrent changes each remove one of the last two administrators, the second fails.
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
  if (!left) throw conflict(because('last-administrator'))
}
