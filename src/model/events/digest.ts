import { pageLanguageOrEnglish } from '../../core/languages/page-languages.ts'
import { fillIn } from '../../core/languages/wording.ts'
import type { Digest } from '../../db/event-tables.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import type { EmailMessage } from '../../mail/message.ts'
import { isReachable } from '../../mail/reachable.ts'
import { quotedInEmail } from '../../mail/quoted.ts'
import { languageOfUser } from '../people/user.ts'
import { DIGEST_WORDS, type DigestWords } from './digest-words.ts'
import { type Notification, notificationsOf, toNotifications } from './notification.ts'

export const DIGESTS = ['off', 'daily'] as const satisfies Digest[]

const DAY_MS = 24 * 3_600_000
/** So many notifications are named in one e-mail. */
const MOST_NAMED = 30

/** Whether a user gets e-mails with their unread notifications. */
export async function digestOf(db: Reader, userId: string): Promise<Digest> {
  const row = await db
    .selectFrom('notificationSettings')
    .select('digest')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.digest ?? 'off'
}

/** The first digest has what happens from now on. */
export async function changeDigest(tx: Tx, userId: string, digest: Digest, now: Date): Promise<void> {
  const changed = { digest, digestedAt: now.toISOString() }
  await tx
    .insertInto('notificationSettings')
    .values({ userId, ...changed })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(changed))
    .execute()
}

/** Some of the users whose digest is due, those who have waited longest first. */
export async function dueDigests(
  db: Reader,
  now: Date,
  limit: number,
): Promise<Row<'notificationSettings'>[]> {
  return db
    .selectFrom('notificationSettings')
    .selectAll()
    .where('digest', '=', 'daily')
    .where('digestedAt', '<=', new Date(now.getTime() - DAY_MS).toISOString())
    .orderBy('digestedAt')
    .limit(limit)
    .execute()
}

/** Records that a digest has the notifications up to now. @returns false if another job has sent it */
export async function endDigest(
  tx: Tx,
  { userId, digestedAt }: Row<'notificationSettings'>,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('notificationSettings')
    .set({ digestedAt: now.toISOString() })
    .where('userId', '=', userId)
    .where('digest', '=', 'daily')
    .where('digestedAt', '=', digestedAt)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** The e-mail with the unread notifications of a user since a time, in spaces that the user can see; undefined for none. */
export async function digestEmail(
  tx: Tx,
  urls: Urls,
  { userId, since }: { userId: string; since: string },
): Promise<EmailMessage | undefined> {
  const user = await tx.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirst()
  if (!user || !isReachable(user.email)) return undefined
  const { query } = await notificationsOf(tx, { userId })
  const rows = await query
    .selectAll()
    .where('notification.readAt', 'is', null)
    .where('notification.createdAt', '>', since)
    .orderBy('notification.id', 'desc')
    .limit(MOST_NAMED + 1)
    .execute()
  if (rows.length === 0) return undefined

  const words = DIGEST_WORDS[pageLanguageOrEnglish(await languageOfUser(tx, userId))]
  const shown = await toNotifications(urls, tx, rows.slice(0, MOST_NAMED))
  const named = shown.map((one) => `- ${sentenceOf(one, words)}\n  ${one.urls.app}`).join('\n')
  const hasMore = rows.length > MOST_NAMED
  const count = `${shown.length}${hasMore ? '+' : ''}`
  return {
    to: user.email,
    subject: shown.length === 1 ? words.one : fillIn(words.several, { count }),
    text: fillIn(words.text, {
      lines: hasMore ? `${named}\n\n${words.more}` : named,
      settings: urls.app('/profile'),
    }),
  }
}

function sentenceOf({ kind, actor, changeRequest, space }: Notification, words: DigestWords): string {
  const title = quotedInEmail(space.title)
  const where = changeRequest
    ? fillIn(words.changeRequest, {
        number: changeRequest.number,
        subject: changeRequest.subject.trim() ? quotedInEmail(changeRequest.subject) : words.withoutSubject,
        space: title,
      })
    : title
  return fillIn(words.deeds[kind], { actor: quotedInEmail(actor.displayName), where })
}
