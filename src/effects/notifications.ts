import { visibleSpaces } from '../access/roles/visible.ts'
import type { AuditedChange } from './audit.ts'
import { isRecord } from '../core/data/is-record.ts'
import type { NotificationKind } from '../db/event-tables.ts'
import type { Row, Tx } from '../db/schema.ts'
import { namesPost } from './events.ts'
import type { Route } from '../http/route.ts'
import { mentionsIn } from '../model/discussion/mentions.ts'
import { insertNotifications } from '../model/events/notification.ts'

/** So many users are notified of one change. */
const MOST_NOTIFIED = 100

/** The fields that the notifications of a change have in common. */
type About = Partial<Pick<Row<'notification'>, 'commentId' | 'replyId' | 'reviewId'>>

/** Why a change concerns some users. */
interface Reason {
  kind: NotificationKind
  about: About
  users: readonly (string | undefined)[]
}

/**
 * Notifies the users whom a change of a change request or a discussion concerns, in the transaction of the change. It
 * reads who they are from the rows that the change has written.
 */
export async function writeNotifications(
  tx: Tx,
  newId: () => string,
  route: Route,
  change: AuditedChange,
): Promise<void> {
  const { me, now, subject } = change
  const space = subject.space as Row<'space'>
  const changeRequest = subject.changeRequest as Row<'changeRequest'> | undefined
  const rows = new Map<string, Omit<Row<'notification'>, 'readAt'>>()
  for (const { kind, about, users } of await reasonsOf(tx, route, change, changeRequest))
    for (const userId of users) {
      // The first reason counts.
      if (userId === undefined || rows.has(userId) || rows.size >= MOST_NOTIFIED) continue
      rows.set(userId, {
        id: newId(),
        userId,
        kind,
        actorId: me.userId,
        spaceId: space.id,
        changeRequestId: changeRequest?.id ?? null,
        commentId: about.commentId ?? null,
        replyId: about.replyId ?? null,
        reviewId: about.reviewId ?? null,
        createdAt: now.toISOString(),
      })
    }
  await insertNotifications(tx, [...rows.values()])
}

/** Why a change concerns users, the most personal reason first. What was deleted concerns nobody any more. */
async function reasonsOf(
  tx: Tx,
  { event, method }: Route,
  change: AuditedChange,
  changeRequest: Row<'changeRequest'> | undefined,
): Promise<Reason[]> {
  const { now, params, answer } = change
  const made = isRecord(answer) && typeof answer.id === 'string' ? answer.id : ''
  const author = changeRequest?.createdBy
  if (event === 'comment' || event === 'reply') {
    const commentId = params.commentId ?? made
    const replyId = event === 'reply' ? (params.commentReplyId ?? made) : null
    const isNew = !namesPost(event, params)
    if (method !== 'DELETE') return reasonsOfPost(tx, change, { commentId, replyId }, isNew, author)
    await forget(tx, { commentId, replyId })
    return []
  }
  if (event === 'review') return reasonsOfReview(tx, change, made, author)
  if (event === 'review-request' && changeRequest) {
    if (method !== 'DELETE')
      return [{ kind: 'review-requested', about: {}, users: await askedNow(tx, changeRequest.id, now) }]
    await forgetRequest(tx, changeRequest.id, params.userId ?? '')
    return []
  }
  if (!changeRequest || !(await isMergedNow(tx, changeRequest))) return []
  return [{ kind: 'merge', about: {}, users: [author] }]
}

/** The reasons of a comment or reply that was created or changed. */
async function reasonsOfPost(
  tx: Tx,
  { subject }: AuditedChange,
  about: { commentId: string; replyId: string | null },
  isNew: boolean,
  author: string | undefined,
): Promise<Reason[]> {
  const { id: spaceId } = subject.space as Row<'space'>
  const mention: Reason = { kind: 'mention', about, users: await mentioned(tx, spaceId, about, isNew) }
  if (!isNew) return [mention]
  if (about.replyId === null) return [mention, { kind: 'comment', about, users: [author] }]
  const writers = await writersIn(tx, about.commentId)
  return [mention, { kind: 'reply', about, users: [...writers, author] }]
}

/** The reasons of a review, with those of its comments. */
async function reasonsOfReview(
  tx: Tx,
  { subject }: AuditedChange,
  reviewId: string,
  author: string | undefined,
): Promise<Reason[]> {
  const { id: spaceId } = subject.space as Row<'space'>
  const comments = await tx
    .selectFrom('comment')
    .select('id')
    .where('reviewId', '=', reviewId)
    .orderBy('id')
    .limit(MOST_NOTIFIED)
    .execute()
  const reasons: Reason[] = []
  for (const { id: commentId } of comments) {
    const about = { commentId, replyId: null }
    const users = await mentioned(tx, spaceId, about, true)
    reasons.push({ kind: 'mention', about: { ...about, reviewId }, users })
  }
  return [...reasons, { kind: 'review', about: { reviewId }, users: [author] }]
}

/** The users whom a body mentions and who can see the space; after a change of the body, only those it did not mention before. */
async function mentioned(
  tx: Tx,
  spaceId: string,
  { commentId, replyId }: { commentId: string; replyId: string | null },
  isNew: boolean,
): Promise<string[]> {
  const row =
    replyId === null
      ? await tx.selectFrom('comment').select('body').where('id', '=', commentId).executeTakeFirst()
      : await tx.selectFrom('commentReply').select('body').where('id', '=', replyId).executeTakeFirst()
  const named = mentionsIn(row?.body ?? '')
  if (named.length === 0) return []

  const known = isNew
    ? []
    : await tx
        .selectFrom('notification')
        .select('userId')
        .where('commentId', '=', commentId)
        .where('replyId', replyId === null ? 'is' : '=', replyId)
        .where('userId', 'in', named)
        .execute()
  const before = new Set(known.map(({ userId }) => userId))
  const able: string[] = []
  for (const userId of named)
    if (!before.has(userId) && (await visibleSpaces(tx, { userId }, [spaceId])).size > 0) able.push(userId)
  return able
}

/** The users who have written in the thread of a comment, the author first. */
async function writersIn(tx: Tx, commentId: string): Promise<string[]> {
  const comment = await tx
    .selectFrom('comment')
    .select('postedBy')
    .where('id', '=', commentId)
    .executeTakeFirst()
  const replies = await tx
    .selectFrom('commentReply')
    .select('postedBy')
    .distinct()
    .where('commentId', '=', commentId)
    .orderBy('postedBy')
    .limit(MOST_NOTIFIED)
    .execute()
  return [comment, ...replies].flatMap((one) => one?.postedBy ?? [])
}

/** The users of whom a review is requested since this change. */
async function askedNow(tx: Tx, changeRequestId: string, now: Date): Promise<string[]> {
  const rows = await tx
    .selectFrom('requestedReviewer')
    .select('userId')
    .where('changeRequestId', '=', changeRequestId)
    .where('createdAt', '=', now.toISOString())
    .execute()
  return rows.map(({ userId }) => userId)
}

/** @param before the change request before the change */
async function isMergedNow(tx: Tx, before: Row<'changeRequest'>): Promise<boolean> {
  if (before.status === 'merged') return false
  const row = await tx
    .selectFrom('changeRequest')
    .select('status')
    .where('id', '=', before.id)
    .executeTakeFirst()
  return row?.status === 'merged'
}

/** Deletes the notifications of a comment with its replies, or of one reply. */
async function forget(
  tx: Tx,
  { commentId, replyId }: { commentId: string; replyId: string | null },
): Promise<void> {
  await tx
    .deleteFrom('notification')
    .where('commentId', '=', commentId)
    .$if(replyId !== null, (some) => some.where('replyId', '=', replyId))
    .execute()
}

async function forgetRequest(tx: Tx, changeRequestId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('notification')
    .where('userId', '=', userId)
    .where('changeRequestId', '=', changeRequestId)
    .where('kind', '=', 'review-requested')
    .execute()
}
