/** How many users come into being because of one user, each of whom has allowances of their own. */
import { chunks } from '../../db/chunks.ts'
import type { Tx } from '../../db/schema.ts'
import { tooMany } from '../../http/errors.ts'
import { forgetOld, mailboxOf, overrunOf } from '../people/sent-emails.ts'
import { administersInstallation, isFirstOrganization } from '../places/created-organizations.ts'
import { because } from '../../core/languages/reasons.ts'

const DAY_MS = 24 * 3_600_000
/** Without a mail server, the inviter gets the links, so that one person could be many users. */
const NEW_USERS_PER_DAY = { mailed: 1_000, unmailed: 50 }

/** What makes users for an organization, and who answers for them. */
export interface NewUsersCause {
  organizationId: string
  by: keyof typeof REFUSALS
  /** The inviter; the creator of the SCIM token; or for an identity provider, the creator of the organization, if known. */
  userId: string | null
  /** Whether the installation has a mail server. */
  mailed: boolean
  now: Date
  newId: () => string
}

const REFUSALS = {
  invitation: (most: number, left: number, seconds: number) =>
    because('too-many-new-users', { limit: most, left, seconds }),
  scim: (most: number, _left: number, seconds: number) =>
    because('too-many-new-users-by-scim', { limit: most, seconds }),
  sso: (_most: number, _left: number, seconds: number) => because('too-many-new-users-by-sso', { seconds }),
}

/**
 * Counts the users that an organization makes, whether or not they get an e-mail, for the user who answers for them.
 * Administrators of the installation, and its first organization, which only they administer, can make any number.
 * @param emails the addresses of the new users
 * @throws 429 above the limit
 */
export async function countNewUsers(
  tx: Tx,
  emails: readonly string[],
  { organizationId, by, userId, mailed, now, newId }: NewUsersCause,
): Promise<void> {
  if (emails.length === 0 || (await isFirstOrganization(tx, organizationId))) return
  if (userId !== null && (await administersInstallation(tx, userId))) return
  await forgetOld(tx, now)
  const made = tx.selectFrom('sentEmail').select('sentAt').where('kind', '=', 'new-user').orderBy('sentAt')
  const had = await (
    userId === null
      ? made.where('userId', 'is', null).where('organizationId', '=', organizationId)
      : made.where('userId', '=', userId)
  ).execute()
  const most = NEW_USERS_PER_DAY[mailed ? 'mailed' : 'unmailed']
  const over = overrunOf(had, { most, ms: DAY_MS }, { wanted: emails.length, now })
  if (over) throw tooMany(REFUSALS[by](most, over.left, over.seconds), over.seconds)
  const cause = { kind: 'new-user' as const, userId, organizationId, sentAt: now.toISOString() }
  const rows = emails.map((address) => ({ id: newId(), address, mailbox: mailboxOf(address), ...cause }))
  for (const some of chunks(rows)) await tx.insertInto('sentEmail').values(some).execute()
}
