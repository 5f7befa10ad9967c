/**
 * How many e-mails Lectern sends to one address, and because of one user, whatever the organization. The counts are apart
 * from what the e-mails are about, so that deleting an invitation and repeating it sends no more.
 */
import { chunks } from '../../db/chunks.ts'
import type { Row, Tx } from '../../db/schema.ts'
import { tooMany } from '../../http/errors.ts'
import { because } from '../../core/languages/reasons.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The least time between two invitations to one address by one organization, or by one user. */
const INTERVAL_MS = 10 * 60_000
/** The invitations to one mailbox in a day by one user, which leaves others theirs, and by all users together. */
const TO_MAILBOX_BY_USER = 5
const TO_MAILBOX = 20
/** High enough to invite a company in an afternoon, and low enough to be useless to a spammer. */
const INVITATIONS_PER_HOUR = 500
const INVITATIONS_PER_DAY = 1_000
/** The links to reset a password in an hour. The newest of them is good for longer than none is sent. */
const RESETS_PER_HOUR = 3

type SentEmail = Row<'sentEmail'>

/** Who sends invitations, and when. */
export interface InvitationSender {
  userId: string
  organizationId: string
  now: Date
  newId: () => string
}

/**
 * Counts the invitations to those of the addresses that have not had as many as an address gets.
 * @returns these addresses
 * @throws 429 above the limits of the organization or of the user
 */
export async function countInvitations(
  tx: Tx,
  emails: readonly string[],
  { userId, organizationId, now, newId }: InvitationSender,
): Promise<Set<string>> {
  await forgetOld(tx, now)
  const invitations = tx.selectFrom('sentEmail').selectAll().where('kind', '=', 'invitation')
  const ofUser = await invitations.where('userId', '=', userId).orderBy('sentAt').execute()
  const ofOrganization = await invitations
    .where('organizationId', '=', organizationId)
    .orderBy('sentAt')
    .execute()
  const had = new Map<string, SentEmail[]>(emails.map((address) => [mailboxOf(address), []]))
  for (const some of chunks([...had.keys()]))
    for (const one of await invitations.where('mailbox', 'in', some).execute())
      had.get(one.mailbox)?.push(one)

  const due: SentEmail[] = []
  const sentAt = now.toISOString()
  for (const address of emails) {
    const mailbox = mailboxOf(address)
    const ofMailbox = had.get(mailbox) ?? []
    const fields = { kind: 'invitation' as const, address, mailbox, userId, organizationId, sentAt }
    if (!isDue(fields, ofMailbox, now)) continue
    const one = { id: newId(), ...fields }
    ofMailbox.push(one)
    due.push(one)
  }
  const wanted = { wanted: due.length, now }
  refuseOver(since(ofOrganization, now, HOUR_MS), HOURLY, 'of-organization', wanted)
  refuseOver(since(ofUser, now, HOUR_MS), HOURLY, 'in-hour', wanted)
  refuseOver(ofUser, DAILY, 'in-day', wanted)
  for (const some of chunks(due)) await tx.insertInto('sentEmail').values(some).execute()
  return new Set(due.map(({ address }) => address))
}

/** Whether a mailbox gets another invitation. @param had those of the last day */
function isDue({ address, userId, organizationId }: Omit<SentEmail, 'id'>, had: SentEmail[], now: Date) {
  if (had.length >= TO_MAILBOX) return false
  if (had.filter((one) => one.userId === userId).length >= TO_MAILBOX_BY_USER) return false
  return !since(had, now, INTERVAL_MS).some(
    (one) => one.address === address && (one.userId === userId || one.organizationId === organizationId),
  )
}

interface Limit {
  most: number
  ms: number
}
const HOURLY: Limit = { most: INVITATIONS_PER_HOUR, ms: HOUR_MS }
const DAILY: Limit = { most: INVITATIONS_PER_DAY, ms: DAY_MS }

/** @param sent the invitations within the time of the limit, the oldest first @throws 429 */
function refuseOver(
  sent: readonly SentEmail[],
  limit: Limit,
  which: 'of-organization' | 'in-hour' | 'in-day',
  more: { wanted: number; now: Date },
): void {
  const over = overrunOf(sent, limit, more)
  if (!over) return
  const { left, seconds } = over
  throw tooMany(because(`too-many-invitations-${which}`, { limit: limit.most, left, seconds }), seconds)
}

/**
 * How many more a limit permits now, and in how many seconds it permits all that are wanted; undefined if it does already.
 * @param had those within the time of the limit, the oldest first
 */
export function overrunOf(
  had: readonly Pick<SentEmail, 'sentAt'>[],
  { most, ms }: Pick<Limit, 'most' | 'ms'>,
  { wanted, now }: { wanted: number; now: Date },
): { left: number; seconds: number } | undefined {
  const over = had.length + wanted - most
  if (over <= 0) return undefined
  const oldest = new Date(had[over - 1]?.sentAt ?? now).getTime()
  const seconds = Math.max(1, Math.ceil((oldest + ms - now.getTime()) / 1000))
  return { left: Math.max(0, most - had.length), seconds }
}

/**
 * Counts an e-mail with a link to reset a password, unless its recipient has had enough. Invitations do not count: nobody
 * can use up what the owner of an account needs to get into it. An account that nobody has claimed is one that a stranger
 * may have made by an invitation, so that all those of a mailbox count together.
 * @param id names the e-mail. One that is sent again, because the mail server failed, counts once.
 */
export async function countReset(
  tx: Tx,
  { id, address, isClaimed, now }: { id: string; address: string; isClaimed: boolean; now: Date },
): Promise<boolean> {
  await forgetOld(tx, now)
  const mailbox = mailboxOf(address)
  const kind = isClaimed ? 'account' : 'unclaimed'
  const had = await tx
    .selectFrom('sentEmail')
    .selectAll()
    .where('mailbox', '=', mailbox)
    .where('kind', '=', kind)
    .where('sentAt', '>', earlier(now, HOUR_MS))
    .execute()
  if (had.some((one) => one.id === id)) return true
  const others = isClaimed ? had.filter((one) => one.address === address) : had
  if (others.length >= RESETS_PER_HOUR) return false
  const cause = { userId: null, organizationId: null }
  const sent = { id, kind, address, mailbox, ...cause, sentAt: now.toISOString() } as const
  await tx.insertInto('sentEmail').values(sent).execute()
  return true
}

/** Deletes the counts that are older than a day. */
export async function forgetOld(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('sentEmail').where('sentAt', '<=', earlier(now, DAY_MS)).execute()
}

const since = (sent: readonly SentEmail[], now: Date, ms: number) =>
  sent.filter(({ sentAt }) => sentAt > earlier(now, ms))

const earlier = (now: Date, ms: number) => new Date(now.getTime() - ms).toISOString()

/** Gmail has two names, and ignores dots before the `@`. */
const GMAIL = new Set(['gmail.com', 'googlemail.com'])

/** The mailbox of an address: many mail servers deliver `name+anything` to `name`. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const host = address.slice(at + 1)
  const [start = ''] = address.slice(0, at).split('+', 1)
  const name = start || address.slice(0, at)
  return GMAIL.has(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}
