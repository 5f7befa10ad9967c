import type { Row, Tx } from '../../db/schema.ts'
import { insertComment } from '../discussion/comment.ts'
import { postPrepared, type PreparedComment } from '../discussion/new-comment.ts'
import { endRequest } from './requested-reviewer.ts'
import { deleteReviewDraft } from './review-draft.ts'
import type { By, Proposal } from './snapshots.ts'

/** A review that is ready to be stored. */
export interface NewReview {
  status: Row<'review'>['status']
  /** The text of the review as Markdown; blank for none. */
  text: string
  comments: readonly PreparedComment[]
}

/**
 * Creates a review of the current content of a change request, with its comments. It completes a review request to its
 * author, and the draft of its author is deleted.
 * @returns the id of the review, and the ids of its comments, first that of its text
 * @throws 400 if the content has no such page or block
 */
export async function insertReview(
  tx: Tx,
  proposal: Proposal,
  { status, text, comments }: NewReview,
  { userId, now, newId }: By,
): Promise<{ id: string; comments: string[] }> {
  const { space, changeRequest } = proposal
  const request = await endRequest(tx, changeRequest, userId)
  const id = newId()
  const commentId = text.trim() === '' ? null : newId()
  const createdAt = now.toISOString()
  await tx
    .insertInto('review')
    .values({
      id,
      spaceId: space.id,
      changeRequestId: changeRequest.id,
      revisionId: changeRequest.revisionId,
      reviewerId: userId,
      requestedBy: request?.requestedBy ?? null,
      status,
      commentId,
      createdAt,
      updatedAt: createdAt,
    })
    .execute()

  const written: string[] = []
  if (commentId !== null) {
    await insertComment(tx, proposal, { id: commentId, body: text, userId, now, reviewId: id })
    written.push(commentId)
  }
  for (const one of comments)
    written.push((await postPrepared(tx, proposal, one, { id: newId(), userId, now, reviewId: id })).id)
  await deleteReviewDraft(tx, changeRequest, userId)
  return { id, comments: written }
}
