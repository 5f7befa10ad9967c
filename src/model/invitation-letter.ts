import type { Tx } from '../db/schema.ts'
import { tooMany } from '../http/errors.ts'

const HOUR = 3_600_000
/** A mailbox is not filled by asking again: another letter to the same address is for later than this. */
export const LETTER_PAUSE = 10 * 60_000
/** Enough to invite a company in an afternoon, too few to be of use to who sends what nobody wants. */
export const LETTERS_AN_HOUR = 500

/**
 * Which of these addresses an organization sends a letter now; the others were sent one just before. What was asked for
 * is kept apart from the invitation, so that taking that back and inviting again sends no more.
 * @throws 429 past what an organization sends in an hour
 */
export async function lettersDue(
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
    asked.flatMap(({ email, askedAt }) => (askedAt > before(LETTER_PAUSE) ? email : [])),
  )
  const due = emails.filter((email) => !justAsked.has(email))
  refuseOver(asked, due.length, now)

  const askedAt = now.toISOString()
  const rows = due.map((email) => ({ organizationId, email, askedAt }))
  if (rows.length > 0) await tx.insertInto('invitationLetter').values(rows).execute()
  return new Set(due)
}

/** @param asked in the last hour, the oldest first */
function refuseOver(asked: { askedAt: string }[], wanted: number, now: Date): void {
  const over = asked.length + wanted - LETTERS_AN_HOUR
  if (over <= 0) return
  const oldest = new Date(asked[over - 1]?.askedAt ?? now).getTime()
  const seconds = Math.max(1, Math.ceil((oldest + HOUR - now.getTime()) / 1000))
  const left = Math.max(0, LETTERS_AN_HOUR - asked.length)
  throw tooMany(
    `An organization sends at most ${LETTERS_AN_HOUR} invitations by mail in an hour; ${left} more can be sent now, so many as these in ${seconds} seconds`,
    seconds,
  )
}
