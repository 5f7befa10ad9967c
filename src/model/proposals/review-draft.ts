/** The review that a user is writing. The server keeps it until it is sent; nobody else can read it. */
import { type Static, Type } from 'typebox'
import { identifyBlocks } from '../../core/document/identify.ts'
import { toDocument } from '../../core/document/to-document.ts'
import { giveTurn } from '../../core/runtime/turns.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { oneOf, Timestamp } from '../common.ts'
import { needDocument } from '../content/documents/document.ts'
import { CommentBody, sourceOfBody } from '../discussion/comment-body.ts'
import { NewComment } from '../discussion/new-comment.ts'
import { REVIEW_STATUSES } from './review.ts'

const COMMENTS_MAX = 50

/** The comments that a review is sent with. */
export const ReviewComments = Type.Array(NewComment, {
  maxItems: COMMENTS_MAX,
  description: 'Comments on the change request, its pages and their blocks',
})

// The page of a draft may be deleted before the review is sent, so it is a text, which is checked only then.
const DraftComments = Type.Array(
  Type.Object({
    ...NewComment.properties,
    page: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  }),
  { maxItems: COMMENTS_MAX },
)

/** The fields of a review draft. */
export const ReviewDraftFields = Type.Object({
  status: Type.Optional(oneOf(REVIEW_STATUSES)),
  comment: Type.Optional(CommentBody),
  comments: Type.Optional(DraftComments),
})
export type ReviewDraftFields = Static<typeof ReviewDraftFields>

/** A review that its author has not sent. */
export const ReviewDraft = Type.Object(
  {
    object: oneOf(['change-request-review-draft']),
    status: Type.Optional(oneOf(REVIEW_STATUSES)),
    comment: Type.Optional(CommentBody),
    comments: DraftComments,
    revision: Type.String({
      description: 'The revision of the change request that was current when the draft was saved',
    }),
    outdated: Type.Boolean({ description: 'Whether the content has changed since' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'ChangeRequestReviewDraft' },
)
export type ReviewDraft = Static<typeof ReviewDraft>

/** The draft of a reviewer who has written nothing. */
export function emptyReviewDraft({
  revisionId,
  createdAt,
}: Pick<Row<'changeRequest'>, 'revisionId' | 'createdAt'>): ReviewDraft {
  return {
    object: 'change-request-review-draft',
    comments: [],
    revision: revisionId,
    outdated: false,
    createdAt,
    updatedAt: createdAt,
  }
}

/** A draft as the API returns it. */
export function toReviewDraft(
  row: Row<'reviewDraft'>,
  { revisionId }: Pick<Row<'changeRequest'>, 'revisionId'>,
): ReviewDraft {
  const { status, comment, comments = [] } = JSON.parse(row.data) as ReviewDraftFields
  return {
    object: 'change-request-review-draft',
    ...(status && { status }),
    ...(comment && { comment }),
    comments,
    revision: row.revisionId,
    outdated: row.revisionId !== revisionId,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/**
 * The column for the fields of a draft. Bodies stay as they were sent, so that an editor can go on with them, but obey
 * the limits of comments.
 * @throws 400
 */
export async function reviewDraftData({
  status,
  comment,
  comments = [],
}: ReviewDraftFields): Promise<string> {
  const kept: Static<typeof DraftComments> = []
  for (const [index, one] of comments.entries()) {
    await giveTurn()
    kept.push({ ...one, body: keptBody(one.body, `body.comments.${index}.body`) })
  }
  return JSON.stringify({ status, comment: comment && keptBody(comment, 'body.comment'), comments: kept })
}

function keptBody(body: CommentBody, field: string): CommentBody {
  sourceOfBody(body, field)
  if (body.document === undefined) return body
  const document = needDocument(body.document, `${field}.document`)
  identifyBlocks(document)
  return { document: toDocument(document) }
}

/** The draft of a user for a change request. */
export async function findReviewDraft(
  db: Reader,
  changeRequest: Pick<Row<'changeRequest'>, 'id'>,
  userId: string,
): Promise<Row<'reviewDraft'> | undefined> {
  return db
    .selectFrom('reviewDraft')
    .selectAll()
    .where('changeRequestId', '=', changeRequest.id)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

/** Saves the draft of a user for a change request, in the place of an earlier one. */
export async function saveReviewDraft(
  tx: Tx,
  changeRequest: Row<'changeRequest'>,
  { userId, data, now }: { userId: string; data: string; now: Date },
): Promise<Row<'reviewDraft'>> {
  const updatedAt = now.toISOString()
  const changed = { revisionId: changeRequest.revisionId, data, updatedAt }
  const key = { spaceId: changeRequest.spaceId, changeRequestId: changeRequest.id, userId }
  return tx
    .insertInto('reviewDraft')
    .values({ ...key, ...changed, createdAt: updatedAt })
    .onConflict((known) => known.columns(['changeRequestId', 'userId']).doUpdateSet(changed))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes the draft of a user for a change request. @returns whether there was one */
export async function deleteReviewDraft(
  tx: Tx,
  changeRequest: Pick<Row<'changeRequest'>, 'id'>,
  userId: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('reviewDraft')
    .where('changeRequestId', '=', changeRequest.id)
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Deletes all drafts of reviews of a change request, which nobody can send any more. */
export async function forgetReviewDrafts(
  tx: Tx,
  changeRequest: Pick<Row<'changeRequest'>, 'id'>,
): Promise<void> {
  await tx.deleteFrom('reviewDraft').where('changeRequestId', '=', changeRequest.id).execute()
}
