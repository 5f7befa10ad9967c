/** Creates comments, for their own route and for a review that is sent with several of them. */
import { type Static, Type } from 'typebox'
import { giveTurn } from '../../core/runtime/turns.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { ApiError, invalidFields } from '../../http/errors.ts'
import { Id } from '../common.ts'
import { needRevision } from '../content/commit.ts'
import { CommentBody, sourceOfBody } from './comment-body.ts'
import { type Discussed, needCommentTarget, TextRangeSchema } from './comment-target.ts'
import { insertComment } from './comment.ts'
import { storedSuggestion, SuggestionSchema } from './suggestion.ts'

/** A comment in the request that creates it. */
export const NewComment = Type.Object({
  body: CommentBody,
  page: Type.Optional(Id),
  node: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  range: Type.Optional(TextRangeSchema),
  suggestion: Type.Optional(SuggestionSchema),
})
export type NewComment = Static<typeof NewComment>

/**
 * Creates a comment on the current content of a space or change request, or on a page or block of it.
 * @param fields with the body as Markdown
 * @throws 400 if the content has no such page, block or text
 */
export async function postComment(
  tx: Tx,
  discussed: Discussed,
  sent: NewComment,
  fields: { id: string; body: string; userId: string; now: Date; reviewId?: string },
): Promise<Row<'comment'>> {
  const target = await needCommentTarget(tx, await discussedContent(tx, discussed), sent)
  const suggestion = sent.suggestion && storedSuggestion(sent.suggestion, target)
  return insertComment(tx, discussed, { ...fields, target, ...(suggestion && { suggestion }) })
}

/** One of several comments of a request. */
export interface PreparedComment {
  sent: NewComment
  /** Markdown. */
  source: string
  /** The path in the request, for messages: `body.comments.3`. */
  at: string
}

/**
 * Reads and checks the comments of a request before its transaction, which then finds what it needs of their pages in
 * the cache.
 * @throws 400 with the path of the comment
 */
export async function prepareComments(
  db: Reader,
  discussed: Discussed,
  comments: readonly NewComment[],
): Promise<PreparedComment[]> {
  const prepared: PreparedComment[] = []
  if (comments.length === 0) return prepared
  const content = await discussedContent(db, discussed)
  for (const [index, sent] of comments.entries()) {
    const at = `body.comments.${index}`
    await giveTurn()
    prepared.push({ sent, source: sourceOfBody(sent.body, `${at}.body`), at })
    await inPlace(at, () => needCommentTarget(db, content, sent))
  }
  return prepared
}

/** Creates a comment of a request with several. @throws 400 with the path of the comment */
export async function postPrepared(
  tx: Tx,
  discussed: Discussed,
  { sent, source, at }: PreparedComment,
  fields: { id: string; userId: string; now: Date; reviewId: string },
): Promise<Row<'comment'>> {
  return inPlace(at, () => postComment(tx, discussed, sent, { ...fields, body: source }))
}

/** Does something with one comment of a request. The faults of its fields get their paths in the whole request. */
async function inPlace<T>(at: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error
    const faults = error.details.map((fault) => ({ ...fault, path: fault.path.replace(/^body\b/, at) }))
    throw invalidFields(faults)
  }
}

/** The newest content of what is discussed. */
export async function discussedContent(
  db: Reader,
  { space, changeRequest }: Discussed,
): Promise<Row<'revision'>> {
  return needRevision(db, space.id, (changeRequest ?? space).revisionId)
}
