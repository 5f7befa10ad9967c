import type { Tx } from '../db/schema.ts'
import { ApiError } from '../http/errors.ts'
import { withinLimit } from '../model/access/role-limit.ts'
import { insertMember } from '../model/membership/member.ts'
import type { IdentityProvider } from '../model/membership/identity-provider.ts'
import { countNewUsers } from '../model/membership/new-users.ts'
import { addToTeam } from '../model/people/team.ts'
import type { Person } from './person.ts'
import { refuse } from './sign-in-refused.ts'

/** It reveals nothing of the address, which guests must not see. */
const NAMELESS = 'New member'

interface Installation {
  /** Whether it has a mail server. */
  mailed: boolean
  now: Date
  newId: () => string
}

/**
 * The user whom a provider names. The first time, the verified address finds the user, or a new one is created. A user who
 * is not a member of the organization becomes one, with the role and the team of the provider.
 * @throws SignInRefused for a disabled member, one who was removed while disabled, and a new person without an address;
 * 429 if too many users were made in the organizations of the creator of this one
 */
export async function memberFor(
  tx: Tx,
  provider: IdentityProvider,
  person: Person,
  { mailed, now, newId }: Installation,
): Promise<{ userId: string; joined: boolean }> {
  const known = await tx
    .selectFrom('identity')
    .select('userId')
    .where('providerId', '=', provider.id)
    .where('subject', '=', person.subject)
    .executeTakeFirst()
  const userId = known?.userId ?? (await userFor(tx, provider, person, { mailed, now, newId }))
  const joined = await join(tx, provider, userId, now)
  if (!known) {
    const identity = { providerId: provider.id, subject: person.subject, userId }
    await tx
      .insertInto('identity')
      .values({ ...identity, createdAt: now.toISOString() })
      .execute()
  }
  await updateProfile(tx, provider, userId, person, now)
  return { userId, joined }
}

async function userFor(
  tx: Tx,
  { organizationId }: IdentityProvider,
  person: Person,
  { mailed, now, newId }: Installation,
): Promise<string> {
  const { email } = person
  if (email === undefined)
    return refuse('The provider sent no verified e-mail address, and this person did not sign in before')
  const user = await tx.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
  if (user) return user.id

  const { createdBy: userId } = await tx
    .selectFrom('organization')
    .select('createdBy')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  await countNewUsers(tx, [email], { organizationId, by: 'sso', userId, mailed, now, newId })
  const [id, at] = [newId(), now.toISOString()]
  const displayName = person.displayName ?? NAMELESS
  await tx
    .insertInto('user')
    .values({ id, email, displayName, photoUrl: person.photoURL ?? null, createdAt: at, updatedAt: at })
    .execute()
  return id
}

/** Makes the user a member, unless they are one. @returns whether they were not */
async function join(tx: Tx, provider: IdentityProvider, userId: string, now: Date): Promise<boolean> {
  const joining = { organizationId: provider.organizationId, userId }
  const member = await tx
    .selectFrom('member')
    .select(['disabled', 'sso'])
    .where('organizationId', '=', joining.organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (member?.disabled) refuse('The member is disabled')
  if (member) {
    if (member.sso === 0)
      await tx
        .updateTable('member')
        .set({ sso: 1 })
        .where('organizationId', '=', joining.organizationId)
        .where('userId', '=', userId)
        .execute()
    return false
  }
  const role = await withinLimit(tx, joining, provider.defaultRole).catch((error: unknown) => {
    if (error instanceof ApiError) return refuse('The user was removed from the organization while disabled')
    throw error
  })
  await insertMember(tx, { ...joining, role, sso: true, now })
  if (provider.defaultTeam !== null) await addToTeam(tx, provider.defaultTeam, [{ id: userId }], now)
  return true
}

/**
 * Takes over the name and the picture of the provider, if nobody else sees them: the provider of one organization must
 * not rename somebody in others.
 */
async function updateProfile(
  tx: Tx,
  { organizationId }: IdentityProvider,
  userId: string,
  { displayName, photoURL }: Person,
  now: Date,
): Promise<void> {
  if (displayName === undefined && photoURL === undefined) return
  const elsewhere = await tx
    .selectFrom('member')
    .select('organizationId')
    .where('userId', '=', userId)
    .where('organizationId', '!=', organizationId)
    .limit(1)
    .executeTakeFirst()
  if (elsewhere) return
  const changes = {
    ...(displayName !== undefined && { displayName }),
    ...(photoURL !== undefined && { photoUrl: photoURL }),
  }
  const before = await tx
    .selectFrom('user')
    .select(['displayName', 'photoUrl'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const differs = Object.entries(changes).some(
    ([name, value]) => before[name as keyof typeof before] !== value,
  )
  if (!differs) return
  await tx
    .updateTable('user')
    .set({ ...changes, updatedAt: now.toISOString() })
    .where('id', '=', userId)
    .execute()
}
