import { type Static, Type } from 'typebox'
import { commentPermissions } from '../../access/roles/roles.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import type { Caller } from '../../http/route.ts'
import { CommentBody, type Format, type ReadCommentBody, toBodies } from './comment-body.ts'
import {
  CommentTarget,
  type Discussed,
  type CommentTargetColumns,
  commentTargetsOf,
  WHOLE_CONTENT,
} from './comment-target.ts'
import { oneOf, omitNullish, Timestamp, Uri } from '../common.ts'
import { Reaction, reactionsTo } from './reaction.ts'
import { appliedBy, ShownSuggestion, shownSuggestion } from './suggestion.ts'
import { needRevision } from '../content/commit.ts'
import { User, usersIn } from '../people/user.ts'

const CommentPermissions = Type.Object({
  view: Type.Boolean(),
  edit: Type.Boolean({ description: 'Whether the caller can change the body' }),
  delete: Type.Boolean(),
  reply: Type.Boolean({ description: 'Whether the caller can reply and react' }),
})

const posted = {
  id: Type.String(),
  postedBy: User,
  postedAt: Timestamp,
  editedAt: Type.Optional(Timestamp),
  reactions: Type.Array(Reaction),
  body: CommentBody,
  urls: Type.Object({ location: Uri }),
  permissions: CommentPermissions,
}

/** The most users that a comment names as its repliers. */
const MOST_REPLIERS = 20

/** A user who replied to a comment. */
const Replier = Type.Object({
  user: User,
  count: Type.Integer({ description: 'The number of replies by the user' }),
  updatedAt: { ...Timestamp, description: 'When the user last replied' },
})

/** A comment on a space or a change request. */
export const Comment = Type.Object(
  {
    object: oneOf(['comment']),
    ...posted,
    replies: Type.Integer(),
    repliers: Type.Array(Replier, { description: `The users who replied last, at most ${MOST_REPLIERS}` }),
    target: CommentTarget,
    suggestion: Type.Optional(ShownSuggestion),
    status: oneOf(['open', 'resolved']),
    resolvedAt: Type.Optional(Timestamp),
    resolvedBy: Type.Optional(User),
  },
  { title: 'Comment' },
)
export type Comment = Static<typeof Comment>

export const CommentReply = Type.Object(
  { object: oneOf(['comment-reply']), ...posted },
  { title: 'CommentReply' },
)
export type CommentReply = Static<typeof CommentReply>

/** The user for whom a discussion is shown, and the format of bodies. */
export interface Viewing extends Discussed {
  urls: Urls
  me: Caller
  /** The role of the viewer on the space. */
  role: Role
  /** The role of the viewer in the organization; null for a guest, who sees no e-mail addresses. */
  organizationRole: Role | null
  format: Format
  /** The body that the request has read before its transaction. */
  read?: ReadCommentBody
}

/** Creates a comment on the current content of a space or change request. */
export async function insertComment(
  tx: Tx,
  { space, changeRequest }: Discussed,
  fields: {
    id: string
    /** Markdown. */
    body: string
    userId: string
    now: Date
    target?: CommentTargetColumns
    /** `Suggestion`, as JSON. */
    suggestion?: string
    /** The id of the review that the comment belongs to. */
    reviewId?: string
  },
): Promise<Row<'comment'>> {
  const row: Row<'comment'> = {
    id: fields.id,
    spaceId: space.id,
    changeRequestId: changeRequest?.id ?? null,
    reviewId: fields.reviewId ?? null,
    revisionId: (changeRequest ?? space).revisionId,
    ...(fields.target ?? WHOLE_CONTENT),
    suggestion: fields.suggestion ?? null,
    applied: null,
    body: fields.body,
    status: 'open',
    postedBy: fields.userId,
    postedAt: fields.now.toISOString(),
    editedAt: null,
    resolvedAt: null,
    resolvedBy: null,
  }
  await tx.insertInto('comment').values(row).execute()
  return row
}

/** Creates a reply to a comment. */
export async function insertReply(
  tx: Tx,
  comment: Row<'comment'>,
  fields: { id: string; body: string; userId: string; now: Date },
): Promise<Row<'commentReply'>> {
  const row: Row<'commentReply'> = {
    id: fields.id,
    spaceId: comment.spaceId,
    commentId: comment.id,
    body: fields.body,
    postedBy: fields.userId,
    postedAt: fields.now.toISOString(),
    editedAt: null,
  }
  await tx.insertInto('commentReply').values(row).execute()
  return row
}

/** Deletes a comment with its replies and all their reactions. */
export async function deleteComment(tx: Tx, id: string): Promise<void> {
  await tx
    .deleteFrom('reaction')
    .where((eb) =>
      eb.or([
        eb('subjectId', '=', id),
        eb('subjectId', 'in', eb.selectFrom('commentReply').select('id').where('commentId', '=', id)),
      ]),
    )
    .execute()
  await tx.deleteFrom('commentReply').where('commentId', '=', id).execute()
  await tx.deleteFrom('comment').where('id', '=', id).execute()
}

/** A query for the comments on a space, without those on its change requests, or on one change request. */
export function commentsOf(
  db: Reader,
  { space, changeRequest }: Discussed,
  filter: { status?: 'all' | 'open' | 'resolved'; targetPage?: string; authors?: string[] },
) {
  const { status = 'all', targetPage, authors } = filter
  const comments = db.selectFrom('comment')
  return (
    changeRequest
      ? comments.where('changeRequestId', '=', changeRequest.id)
      : comments.where('spaceId', '=', space.id).where('changeRequestId', 'is', null)
  )
    .$if(status !== 'all', (some) => some.where('status', '=', status as 'open' | 'resolved'))
    .$if(targetPage !== undefined, (some) => some.where('pageId', '=', targetPage ?? ''))
    .$if(authors !== undefined, (some) => some.where('postedBy', 'in', authors ?? []))
}

/** A comment on this space or change request; undefined for a comment on another one. */
export async function findComment(
  db: Reader,
  discussed: Discussed,
  id: string,
): Promise<Row<'comment'> | undefined> {
  return commentsOf(db, discussed, {}).selectAll().where('id', '=', id).executeTakeFirst()
}

/** A reply to this comment. */
export async function findReply(
  db: Reader,
  comment: Row<'comment'>,
  id: string,
): Promise<Row<'commentReply'> | undefined> {
  return db
    .selectFrom('commentReply')
    .selectAll()
    .where('id', '=', id)
    .where('commentId', '=', comment.id)
    .executeTakeFirst()
}

/** Comments on one space or change request, as the API returns them. */
export async function toComments(db: Reader, viewing: Viewing, rows: Row<'comment'>[]): Promise<Comment[]> {
  if (rows.length === 0) return []
  const { urls, space, changeRequest } = viewing
  const ids = rows.map(({ id }) => id)
  const content = await needRevision(db, space.id, (changeRequest ?? space).revisionId)
  const targets = await commentTargetsOf(db, content, rows)
  const repliers = await repliersTo(db, ids)
  const reactions = await reactionsTo(db, viewing, ids)
  const named = new Map([...repliers].map(([id, all]) => [id, all.slice(0, MOST_REPLIERS)]))
  const people = rows.flatMap((row) => {
    const repliedBy = (named.get(row.id) ?? []).map(({ userId }) => userId)
    return [row.postedBy, row.resolvedBy ?? [], appliedBy(row) ?? [], repliedBy].flat()
  })
  const users = await usersIn(urls, db, viewing, people)

  const bodies = await toBodies(db, viewing, rows)

  return rows.map((row, index) => ({
    object: 'comment',
    id: row.id,
    postedBy: users.get(row.postedBy)!,
    postedAt: row.postedAt,
    ...omitNullish({ editedAt: row.editedAt }),
    reactions: reactions.get(row.id) ?? [],
    replies: (repliers.get(row.id) ?? []).reduce((sum, { count }) => sum + count, 0),
    repliers: (named.get(row.id) ?? []).map(({ userId, count, updatedAt }) => ({
      user: users.get(userId)!,
      count,
      updatedAt,
    })),
    body: bodies[index]!,
    target: targets.get(row.id)!,
    ...shownSuggestion(row, users),
    urls: { location: urls.api(commentPath(row)) },
    permissions: permissionsOf(viewing, row),
    status: row.status,
    ...omitNullish({ resolvedAt: row.resolvedAt }),
    ...(row.resolvedBy === null ? {} : { resolvedBy: users.get(row.resolvedBy)! }),
  }))
}

export async function toComment(db: Reader, viewing: Viewing, row: Row<'comment'>): Promise<Comment> {
  const [comment] = await toComments(db, viewing, [row])
  if (!comment) throw new Error('one row makes one comment')
  return comment
}

/** Replies to one comment, as the API returns them. */
export async function toReplies(
  db: Reader,
  viewing: Viewing & { comment: Row<'comment'> },
  rows: Row<'commentReply'>[],
): Promise<CommentReply[]> {
  const { urls, comment } = viewing
  const reactions = await reactionsTo(
    db,
    viewing,
    rows.map(({ id }) => id),
  )
  const users = await usersIn(
    urls,
    db,
    viewing,
    rows.map(({ postedBy }) => postedBy),
  )

  const bodies = await toBodies(db, viewing, rows)

  return rows.map((row, index) => ({
    object: 'comment-reply',
    id: row.id,
    postedBy: users.get(row.postedBy)!,
    postedAt: row.postedAt,
    ...omitNullish({ editedAt: row.editedAt }),
    reactions: reactions.get(row.id) ?? [],
    body: bodies[index]!,
    urls: { location: urls.api(`${commentPath(comment)}/replies/${row.id}`) },
    permissions: permissionsOf(viewing, row),
  }))
}

export async function toReply(
  db: Reader,
  viewing: Viewing & { comment: Row<'comment'> },
  row: Row<'commentReply'>,
): Promise<CommentReply> {
  const [reply] = await toReplies(db, viewing, [row])
  if (!reply) throw new Error('one row makes one reply')
  return reply
}

function permissionsOf({ role, me }: Viewing, { postedBy }: { postedBy: string }) {
  return commentPermissions(role, postedBy === me.userId)
}

function commentPath({ id, spaceId, changeRequestId }: Row<'comment'>): string {
  const discussed = changeRequestId === null ? '' : `/change-requests/${changeRequestId}`
  return `/spaces/${spaceId}${discussed}/comments/${id}`
}

interface Replies {
  userId: string
  count: number
  updatedAt: string
}

/** The users who replied to each comment, the last one first. */
async function repliersTo(db: Reader, commentIds: string[]): Promise<Map<string, Replies[]>> {
  const rows = await db
    .selectFrom('commentReply')
    .select(['commentId', 'postedBy as userId'])
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('postedAt').as('updatedAt')])
    .where('commentId', 'in', commentIds)
    .groupBy(['commentId', 'postedBy'])
    .orderBy('updatedAt', 'desc')
    .orderBy('userId')
    .execute()
  const all = rows.map((row) => ({ ...row, count: Number(row.count) }))
  return Map.groupBy(all, ({ commentId }) => commentId)
}
