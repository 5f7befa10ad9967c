import { hashSecret } from '../access/tokens.ts'
import { randomText } from '../core/id.ts'
import type { Reader, Role, Row, Tx } from '../db/schema.ts'
import { insertMember } from './member.ts'
import { liftLimit } from './role-limit.ts'

const GOOD_FOR = 7 * 24 * 60 * 60_000
const SECRET_LENGTH = 40
/** What somebody is called who has not said it yet: nothing of their address, which guests are not told. */
const NAMELESS = 'Invited person'

/** What became of an invited address. */
export type Invited =
  /** Is a member already and can sign in: nothing to do. */
  | { kind: 'known' }
  /** Is a member from now on, or was before, and gets a link to set a password. */
  | { kind: 'added'; userId: string; isNew: boolean }
  /** Has an account that is not ours to give away: gets a link to join with, once signed in. */
  | { kind: 'asked'; inviteId: string }

/**
 * Invites an address into an organization. Who nobody else knows is added at once, so that teams and grants can name
 * them. Who can sign in already, or is in another organization, is asked: otherwise whoever invites would learn who
 * they are, and whoever had claimed the address first would come in as them.
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

  const memberships = await tx
    .selectFrom('member')
    .select(['organizationId', 'lastSeenAt'])
    .where('userId', '=', user.id)
    .execute()
  const isMember = memberships.some((one) => one.organizationId === organizationId)
  const isElsewhere = memberships.some((one) => one.organizationId !== organizationId)
  const hasBeenHere = memberships.some(({ lastSeenAt }) => lastSeenAt !== null)
  if (isElsewhere || hasBeenHere || (await canSignIn(tx, user.id))) {
    return isMember ? { kind: 'known' } : { kind: 'asked', inviteId: await upsertInvite(tx, fields) }
  }

  if (!isMember) {
    await liftLimit(tx, { organizationId, userId: user.id })
    await insertMember(tx, { organizationId, userId: user.id, role, sso, now })
  }
  return { kind: 'added', userId: user.id, isNew: !isMember }
}

/** Makes the secret of the link of an invitation; the one before ends. */
export async function renewInvite(tx: Tx, inviteId: string, now: Date): Promise<string> {
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

async function canSignIn(db: Reader, userId: string): Promise<boolean> {
  const account = await db
    .selectFrom('account')
    .select('userId')
    .where('userId', '=', userId)
    .where('passwordHash', 'is not', null)
    .executeTakeFirst()
  if (account) return true
  const token = await db.selectFrom('token').select('id').where('userId', '=', userId).executeTakeFirst()
  return token !== undefined
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

/** One invitation of an address waits in an organization: asking again renews it. */
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
  const waiting = await tx
    .selectFrom('invite')
    .select('id')
    .where('organizationId', '=', fields.organizationId)
    .where('kind', '=', 'email')
    .where('email', '=', fields.email)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  if (waiting) {
    // Whoever asked last answers for it: it gives no more than they still can.
    const { role, createdBy } = fields
    await tx.updateTable('invite').set({ role, createdBy }).where('id', '=', waiting.id).execute()
    return waiting.id
  }
  const invite: Row<'invite'> = {
    id: fields.newId(),
    organizationId: fields.organizationId,
    kind: 'email',
    targetId: null,
    role: fields.role,
    email: fields.email,
    // Signing in through this organization's provider is for those whom it knows from the start.
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
