import { ScimFault } from '../../core/scim/fault.ts'
import type { UserChanges } from '../../core/scim/user.ts'
import { shorten } from '../../core/text/shorten.ts'
import type { Row, Tx } from '../../db/schema.ts'
import { EMAIL_PATTERN } from '../../http/validation/validate.ts'
import { liftLimit } from '../access/role-limit.ts'
import { isUnclaimed } from '../membership/invitation.ts'
import { insertMember, keepAdministrator } from '../membership/member.ts'
import { countNewUsers } from '../membership/new-users.ts'
import { needScimUser, type ScimUserRow, selectScimUsers, userMatches, userNameKeyOf } from './user.ts'

const LONGEST_ADDRESS = 254
const LONGEST_NAME = 64

interface Provisioning {
  organization: Row<'organization'>
  /** The user who created the SCIM token, and answers for the users that it makes. */
  tokenCreator: string
  /** Whether the installation has a mail server. */
  mailed: boolean
  now: Date
  newId: () => string
}

/**
 * Makes a user a member, with the default role of the organization. A user with the same address joins if nobody else
 * can have claimed the address: it is verified, or nobody can sign in with it.
 * @throws ScimFault, and 429 if the creator of the token has made too many users
 */
export async function provisionUser(
  tx: Tx,
  changes: UserChanges,
  { organization, tokenCreator, mailed, now, newId }: Provisioning,
): Promise<ScimUserRow> {
  const { id: organizationId } = organization
  const { userName } = changes
  if (userName === undefined) throw new ScimFault('invalidValue', '"userName" is required')
  const address = addressFor(changes.address ?? userName)
  await refuseTakenName(tx, organizationId, userName, undefined)

  const user = await tx.selectFrom('user').selectAll().where('email', '=', address).executeTakeFirst()
  const userId = user?.id ?? newId()
  if (!user) {
    const cause = { organizationId, by: 'scim', userId: tokenCreator, mailed, now, newId } as const
    await countNewUsers(tx, [address], cause)
    await insertProvisioned(tx, userId, address, nameIn(changes) ?? userName, now)
  }
  const member = await tx
    .selectFrom('member')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!member) {
    if (user && !(await maySignInAs(tx, userId))) throw claimed(address)
    await liftLimit(tx, { organizationId, userId })
    const { defaultRole: role, sso } = organization
    await insertMember(tx, { organizationId, userId, role, sso: sso === 1, now })
  }

  await insertScimUser(tx, { organizationId, userId, userName, created: user ? 0 : 1, now })
  return updateScimUser(tx, organizationId, userId, changes, now)
}

const claimed = (address: string) =>
  new ScimFault(
    'uniqueness',
    `A user with the address ${address} has an account that nobody has verified to be theirs. The user must reset the password by e-mail, or an administrator must invite them; then try again`,
  )

/** Changes what the provider says of a member, and their account where this organization may. @throws ScimFault, 409 */
export async function updateScimUser(
  tx: Tx,
  organizationId: string,
  userId: string,
  changes: UserChanges,
  now: Date,
): Promise<ScimUserRow> {
  const before = await needScimUser(tx, organizationId, userId)
  const userName = changes.userName ?? before.userName ?? before.email ?? userId
  if (changes.userName !== undefined) await refuseTakenName(tx, organizationId, userName, userId)
  if (before.created === null) await insertScimUser(tx, { organizationId, userId, userName, created: 0, now })

  const { externalId, givenName, familyName } = changes
  const displayName = nameAfter(before, changes)
  const stored = Object.fromEntries(
    Object.entries({ externalId, givenName, familyName }).filter(([, value]) => value !== undefined),
  )
  await tx
    .updateTable('scimUser')
    .set({
      userName,
      userNameKey: userNameKeyOf(userName),
      displayName,
      ...stored,
      updatedAt: now.toISOString(),
    })
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute()
  await updateAccount(tx, organizationId, before, { ...changes, userName, displayName }, now)
  if (changes.active !== undefined) await setActive(tx, organizationId, userId, changes.active)
  return needScimUser(tx, organizationId, userId)
}

type Names = Pick<UserChanges, 'givenName' | 'familyName'>

const joined = ({ givenName, familyName }: Names) => [givenName, familyName].filter(Boolean).join(' ') || null

/** The name to show, which the provider may send in one of three forms. */
function nameIn({ displayName, formatted, ...parts }: UserChanges): string | null {
  return displayName ?? formatted ?? joined(parts)
}

/** The same after a change. A name that consists of its parts follows them. */
function nameAfter(before: ScimUserRow, changes: UserChanges): string | null {
  const { displayName, formatted, givenName = before.givenName, familyName = before.familyName } = changes
  const isKept = displayName === undefined && before.displayName !== joined(before)
  return displayName ?? formatted ?? (isKept ? before.displayName : null) ?? joined({ givenName, familyName })
}

/**
 * Changes the name of the account if the user belongs to no other organization, and the address only if SCIM has created
 * the account too. Otherwise, an organization could take over accounts by a reset of their passwords.
 */
async function updateAccount(
  tx: Tx,
  organizationId: string,
  before: ScimUserRow,
  changes: UserChanges & { userName: string },
  now: Date,
): Promise<void> {
  const { userId } = before
  const other = await tx
    .selectFrom('member')
    .select('organizationId')
    .where('userId', '=', userId)
    .where('organizationId', '!=', organizationId)
    .limit(1)
    .executeTakeFirst()
  if (other) return
  const name = changes.displayName ? shorten(changes.displayName, LONGEST_NAME) : before.accountName
  const address = before.created === 1 ? (newAddress(before, changes) ?? before.email) : before.email
  if (name === before.accountName && address === before.email) return

  if (address !== before.email) {
    const taken = await tx.selectFrom('user').select('id').where('email', '=', address).executeTakeFirst()
    if (taken) throw new ScimFault('uniqueness', `Another user has the address ${address}`)
    await endSignIns(tx, organizationId, userId)
  }
  await tx
    .updateTable('user')
    .set({ displayName: name, email: address, updatedAt: now.toISOString() })
    .where('id', '=', userId)
    .execute()
}

/**
 * Ends every way to sign in but the providers of this organization, because whoever had the former address could otherwise wait in the account for the owner of
 * the new one.
 */
async function endSignIns(tx: Tx, organizationId: string, userId: string): Promise<void> {
  const none = { passwordHash: null, emailVerifiedAt: null }
  await tx.updateTable('account').set(none).where('userId', '=', userId).execute()
  await tx.deleteFrom('accountToken').where('userId', '=', userId).execute()
  const ways = ['token', 'session', 'passkey', 'secondFactor', 'recoveryCode', 'signInStep'] as const
  for (const table of ways) await tx.deleteFrom(table).where('userId', '=', userId).execute()
  await tx
    .deleteFrom('identity')
    .where('userId', '=', userId)
    .where('providerId', 'not in', (eb) =>
      eb.selectFrom('identityProvider').select('id').where('organizationId', '=', organizationId),
    )
    .execute()
}

/** The address that a request sets. A new user name is one too, if the earlier user name was the address. */
function newAddress(before: ScimUserRow, { address, userName }: UserChanges & { userName: string }) {
  if (address !== undefined) return addressFor(address)
  return before.userName !== null && userNameKeyOf(before.userName) === before.email
    ? addressFor(userName)
    : undefined
}

async function setActive(tx: Tx, organizationId: string, userId: string, active: boolean): Promise<void> {
  await tx
    .updateTable('member')
    .set({ disabled: active ? 0 : 1 })
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute()
  await keepAdministrator(tx, organizationId)
}

/** @throws ScimFault if another member has the user name */
async function refuseTakenName(
  tx: Tx,
  organizationId: string,
  userName: string,
  userId: string | undefined,
): Promise<void> {
  const taken = await selectScimUsers(tx, organizationId)
    .where(userMatches({ path: 'username', value: userName }, organizationId))
    .executeTakeFirst()
  // A member whom the provider has not named yet is the one that it provisions now.
  const isOther = userId === undefined ? taken && taken.created !== null : taken && taken.userId !== userId
  if (isOther) throw new ScimFault('uniqueness', `Another user has the userName ${userName}`)
}

async function insertProvisioned(tx: Tx, id: string, email: string, name: string, now: Date): Promise<void> {
  const at = now.toISOString()
  const displayName = shorten(name, LONGEST_NAME)
  await tx
    .insertInto('user')
    .values({ id, displayName, email, photoUrl: null, createdAt: at, updatedAt: at })
    .execute()
}

async function insertScimUser(
  tx: Tx,
  fields: { organizationId: string; userId: string; userName: string; created: 0 | 1; now: Date },
): Promise<void> {
  const { now, userName, ...rest } = fields
  const none = { externalId: null, displayName: null, givenName: null, familyName: null }
  await tx
    .insertInto('scimUser')
    .values({
      ...rest,
      ...none,
      userName,
      userNameKey: userNameKeyOf(userName),
      updatedAt: now.toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['organizationId', 'userId']).doNothing())
    .execute()
}

/** Whether nobody but the owner of the address can be the user. */
async function maySignInAs(tx: Tx, userId: string): Promise<boolean> {
  const account = await tx
    .selectFrom('account')
    .select('emailVerifiedAt')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return !!account?.emailVerifiedAt || isUnclaimed(tx, userId)
}

function addressFor(text: string): string {
  if (text.length <= LONGEST_ADDRESS && EMAIL_PATTERN.test(text)) return text.toLowerCase()
  throw new ScimFault(
    'invalidValue',
    'The user needs an e-mail address: as "userName", or as one of "emails" with the type "work"',
  )
}
