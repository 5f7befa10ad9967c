import type { Tx } from '../../db/schema.ts'
import { tooMany } from '../../http/errors.ts'

const HOUR = 3_600_000
/** The least time between two invitation e-mails to one address, so that nobody can flood a mailbox. */
const EMAIL_INTERVAL_MS = 10 * 60_000
/** High enough to invite a company in an afternoon, and low enough to be useless to a spammer. */
const EMAILS_PER_HOUR = 500

/**
 * The addresses to which an organization sends an e-mail now. Lectern sent one to the others within the last minutes.
 * The times are stored apart from the invitations, so that deleting an invitation and repeating it sends no more.
 * @throws 429 above the hourly limit of the organization
 */
export async function addressesToEmail(
  tx: Tx,
  organizationId: string,
  emails: string[],
  now: Date,
): Promise<Set<string>> {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  await tx
    .deleteFrom('invitationLetter')
    .where('organizationId', '=', organizationId)
    .where('askedAt', '<=', before(HOUR))
    .execute()
  const asked = await tx
    .selectFrom('invitationLetter')
    .select(['email', 'askedAt'])
    .where('organizationId', '=', organizationId)
    .orderBy('askedAt')
    .execute()
  const justAsked = new Set(
    asked.flatMap(({ email, askedAt }) => (askedAt > before(EMAIL_INTERVAL_MS) ? email : [])),
  )
  const due = emails.filter((email) => !justAsked.has(email))
  refuseOver(asked, due.length, now)

  const askedAt = now.toISOString()
  const rows = due.map((email) => ({ organizationId, email, askedAt }))
  if (rows.length > 0) await tx.insertInto('invitationLetter').values(rows).execute()
  return new Set(due)
}

/** @param asked the e-mails of the last hour, the oldest first */
function refuseOver(asked: { askedAt: string }[], wanted: number, now: Date): void {
  const over = asked.length + wanted - EMAILS_PER_HOUR
  if (over <= 0) return
  const oldest = new Date(asked[over - 1]?.askedAt ?? now).getTime()
  const seconds = Math.max(1, Math.ceil((oldest + HOUR - now.getTime()) / 1000))
  const left = Math.max(0, EMAILS_PER_HOUR - asked.length)
  throw tooMany(
    `An organization can send at most ${EMAILS_PER_HOUR} invitations by e-mail in an hour: send at most ${left} now, or retry in ${seconds} seconds`,
    seconds,
  )
}
