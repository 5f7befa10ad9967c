import { hashSecret } from '../../access/credentials/tokens.ts'
import { randomText } from '../../core/data/id.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import { insertMember } from './member.ts'
import { liftLimit } from '../access/role-limit.ts'

const GOOD_FOR = 7 * 24 * 60 * 60_000
const SECRET_LENGTH = 40
/** The name of a user who has not chosen one. It reveals nothing of the address, which guests must not see. */
const NAMELESS = 'Invited person'

/** The outcome of inviting an address. */
export type Invited =
  /** The user is a member and can sign in, so there is nothing to do. */
  | { kind: 'known' }
  /** The user is a new member, or one without a password, and gets a link to set a password. */
  | { kind: 'added'; userId: string; isNew: boolean }
  /** The user has an account or is in another organization, and gets a link to join after signing in. */
  | { kind: 'invited'; inviteId: string }

/**
 * Invites an address into an organization. A new user becomes a member immediately, so that teams and grants can name
 * them. A user who can sign in, or is in another organization, must accept first. Otherwise the inviting administrator
 * would see their profile, and another person who claimed the address earlier would gain access.
 */
export async function inviteAddress(
  tx: Tx,
  fields: {
    organizationId: string
    email: string
    role: Role | null
    sso: boolean
    createdBy: string
    now: Date
    newId: () => string
  },
): Promise<Invited> {
  const { organizationId, email, role, sso, now, newId } = fields
  const user = await tx.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
  if (!user) {
    const userId = newId()
    await insertUser(tx, userId, email, now)
    await insertMember(tx, { organizationId, userId, role, sso, now })
    return { kind: 'added', userId, isNew: true }
  }

  const memberships = await membershipsOf(tx, user.id)
  const isMember = memberships.some((one) => one.organizationId === organizationId)
  const isElsewhere = memberships.some((one) => one.organizationId !== organizationId)
  const hasBeenHere = memberships.some(({ lastSeenAt }) => lastSeenAt !== null)
  if (isElsewhere || hasBeenHere || (await canSignIn(tx, user.id))) {
    return isMember ? { kind: 'known' } : { kind: 'invited', inviteId: await upsertInvite(tx, fields) }
  }

  if (!isMember) {
    await liftLimit(tx, { organizationId, userId: user.id })
    await insertMember(tx, { organizationId, userId: user.id, role, sso, now })
  }
  return { kind: 'added', userId: user.id, isNew: !isMember }
}

/** Creates the secret of an invitation link. The previous secret expires. */
export async function resetInvite(tx: Tx, inviteId: string, now: Date): Promise<string> {
  const secret = randomText(SECRET_LENGTH)
  await tx
    .updateTable('invite')
    .set({
      secretHash: hashSecret(secret),
      expiresAt: new Date(now.getTime() + GOOD_FOR).toISOString(),
    })
    .where('id', '=', inviteId)
    .execute()
  return secret
}

/** Whether nobody can have claimed the address of a user who is in no organization: they never had a way to sign in. */
export async function isUnclaimed(db: Reader, userId: string): Promise<boolean> {
  return (await membershipsOf(db, userId)).length === 0 && !(await canSignIn(db, userId))
}

function membershipsOf(db: Reader, userId: string) {
  return db
    .selectFrom('member')
    .select(['organizationId', 'lastSeenAt'])
    .where('userId', '=', userId)
    .execute()
}

async function canSignIn(db: Reader, userId: string): Promise<boolean> {
  const account = await db
    .selectFrom('account')
    .select('userId')
    .where('userId', '=', userId)
    .where('passwordHash', 'is not', null)
    .executeTakeFirst()
  if (account) return true
  for (const table of ['token', 'session', 'passkey', 'identity'] as const) {
    if (await db.selectFrom(table).select('userId').where('userId', '=', userId).limit(1).executeTakeFirst())
      return true
  }
  return false
}

async function insertUser(tx: Tx, id: string, email: string, now: Date): Promise<void> {
  const at = now.toISOString()
  await tx
    .insertInto('user')
    .values({
      id,
      displayName: NAMELESS,
      email,
      photoUrl: null,
      createdAt: at,
      updatedAt: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Each address has at most one open invitation in an organization. Inviting it again updates that invitation. */
async function upsertInvite(
  tx: Tx,
  fields: {
    organizationId: string
    email: string
    role: Role | null
    createdBy: string
    now: Date
    newId: () => string
  },
): Promise<string> {
  const open = await tx
    .selectFrom('invite')
    .select('id')
    .where('organizationId', '=', fields.organizationId)
    .where('kind', '=', 'email')
    .where('email', '=', fields.email)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  if (open) {
    // An invitation gives at most what its latest creator can still give.
    const { role, createdBy } = fields
    await tx.updateTable('invite').set({ role, createdBy }).where('id', '=', open.id).execute()
    return open.id
  }
  const invite: Row<'invite'> = {
    id: fields.newId(),
    organizationId: fields.organizationId,
    kind: 'email',
    targetId: null,
    role: fields.role,
    email: fields.email,
    // Only new users are marked for single sign-on, because these have an account with another way to sign in.
    sso: 0,
    secretHash: null,
    createdBy: fields.createdBy,
    createdAt: fields.now.toISOString(),
    expiresAt: null,
    usedAt: null,
  }
  await tx.insertInto('invite').values(invite).execute()
  return invite.id
}
