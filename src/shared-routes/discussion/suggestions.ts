import { type Suggested, suggestedBlocks, type SuggestTask } from '../../core/content/edit/suggest.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import { shorten } from '../../core/text/shorten.ts'
import type { Database, Row, Tx } from '../../db/schema.ts'
import { conflict, PrepareAgain } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { readChanges, writeBatch } from '../../model/content/batch/batch.ts'
import { loadBatch } from '../../model/content/batch/batch-content.ts'
import { sourceOf } from '../../model/content/content.ts'
import { inThread, type TaskKind, tookTooMuch } from '../../model/content/in-thread.ts'
import { pagesWrittenTo } from '../../model/content/batch/written-pages.ts'
import { Comment, toComment } from '../../model/discussion/comment.ts'
import { FormatQuery } from '../../model/discussion/comment-body.ts'
import { type CommentedNode, commentPlace } from '../../model/discussion/comment-target.ts'
import { followComments, prepareFollowing } from '../../model/discussion/follow-comments.ts'
import { type AppliedSuggestion, suggestionOf } from '../../model/discussion/suggestion.ts'
import { refuseComputed } from '../../model/openapi/refuse-computed.ts'
import { editedLine } from '../batch.ts'
import { type CommentBase, onComment, paramsOfComment, viewingOf } from './base.ts'
import { because } from '../../core/languages/reasons.ts'

const SUGGESTED_BLOCKS: TaskKind<SuggestTask, Suggested | undefined> = {
  module: new URL('../../core/content/edit/suggest.ts', import.meta.url),
  name: 'suggestedBlocks',
  timeMs: 10_000,
}

/** A conflict quotes so many characters of the texts. */
const QUOTE_LENGTH = 100

/** The route that applies the suggestion of a comment. */
export function suggestionRoutes(base: CommentBase) {
  return {
    apply: route({
      method: 'POST',
      path: `${base.path}/comments/:commentId/apply`,
      summary: `Apply the suggestion of a comment on a ${base.kind}`,
      description:
        'Puts the suggested text in place of the commented one as a new revision, whose author is the caller and whose co-author is the author of the comment, and resolves the comment. What others have changed in the block since the suggestion was made stays. The request fails with 409 if they have changed the same words, if the block or the words are gone, if the suggestion is applied already, or if the content cannot be changed.',
      event: 'comment',
      access: onComment(base, 'edit'),
      params: paramsOfComment(base),
      query: FormatQuery,
      returns: Comment,
      async prepare(context) {
        const { space, comment } = context
        const db = context.db.read
        const batch = await loadBatch(db, space.id, editedLine(context))
        const { page, node } = await placeOfSuggestion(db, batch.tree, comment)
        const blocks = await blocksWith(context, comment, page, node)
        const changes = [{ operation: 'update_page' as const, page: page.id, document: { blocks } }]
        const pages = await pagesWrittenTo(db, batch, undefined, changes)
        const read = await readChanges({ ...context, db }, space.id, changes, { stored: [[]], pages })
        await refuseComputed(db, space.organizationId, batch, changes)
        await prepareFollowing({ ...context, db }, lineOfComment(comment), batch.tree, read)
        const { suggestion } = comment
        return { changes: read, pages, based: undefined, stored: [], reverts: undefined, suggestion }
      },
      async handler(context) {
        const { tx, me, space, comment, prepared, now, newId, audit } = context
        if (comment.applied !== null) throw conflict(because('suggestion-applied'))
        if (comment.suggestion !== prepared.suggestion) throw new PrepareAgain()
        const edited = editedLine(context)
        const { revisionId, changeRequest } = edited
        const batch = await loadBatch(tx, space.id, edited)
        const reason = {
          id: newId(),
          userId: me.userId,
          changeRequest,
          now,
          message: 'Apply a suggestion',
          ...(comment.postedBy === me.userId ? {} : { coAuthorId: comment.postedBy }),
        }
        const { revision, outcome } = await writeBatch(tx, batch, prepared, reason)
        await followComments(tx, lineOfComment(comment), batch.tree, outcome.pages)
        const applied: AppliedSuggestion = { by: me.userId, at: now.toISOString(), revision: revision.id }
        const row = await settleApplied(tx, comment, applied)
        audit({
          before: { revision: revisionId },
          after: { revision: revision.id, coAuthor: comment.postedBy },
        })
        const line = changeRequest
          ? { changeRequest: { ...changeRequest, revisionId: revision.id } }
          : { space: { ...space, revisionId: revision.id } }
        return toComment(tx, { ...viewingOf({ ...context, prepared: undefined }), ...line }, row)
      },
    }),
  }
}

const lineOfComment = ({ spaceId, changeRequestId }: Row<'comment'>) => ({ spaceId, changeRequestId })

const gone = () => conflict(because('suggested-text-gone'))

/**
 * The blocks of the page with the suggestion of a comment.
 * @throws 409 if the block is gone, or if others have changed the words that the suggestion changes
 */
async function blocksWith(
  { db: { read: db }, signal }: { db: Database; signal: AbortSignal },
  comment: Row<'comment'>,
  { document }: PageRecord,
  { id: key, range }: CommentedNode,
): Promise<unknown[]> {
  const { spaceId } = comment
  const { madeFor, ...suggestion } = suggestionOf(comment)!
  const [source, before] = [
    await sourceOf(db, spaceId, document),
    await sourceOf(db, spaceId, madeFor.document),
  ]
  const task = {
    source,
    key,
    ...(range && { range }),
    suggestion,
    madeFor: { source: before, key: madeFor.node, ...(madeFor.range && { range: madeFor.range }) },
  }
  const work = { db, spaceId, sources: [source, before], signal }
  const suggested = await inThread(SUGGESTED_BLOCKS, suggestedBlocks, task, work).catch((error: unknown) => {
    throw tookTooMuch(error) ? conflict(because('suggestion-too-slow')) : error
  })
  if (!suggested) throw gone()
  if ('blocks' in suggested) return suggested.blocks
  const { was, is } = suggested.conflict
  throw conflict(because('suggested-text-changed', { before: quoted(was), now: quoted(is) }))
}

/** The start of a text, for messages. */
function quoted(text: string): string {
  const start = shorten(text, QUOTE_LENGTH)
  return `“${start}${start === text ? '' : '…'}”`
}

/** The page and the block that a suggestion replaces. @throws 409 if there is none, or no longer */
async function placeOfSuggestion(
  db: Parameters<typeof commentPlace>[0],
  tree: PageTree,
  comment: Row<'comment'>,
) {
  if (comment.suggestion === null) throw conflict(because('suggestion-nothing'))
  if (comment.applied !== null) throw conflict(because('suggestion-applied'))
  const { page: shown, node } = await commentPlace(db, tree, comment)
  const page = tree.get(shown.id)
  if (!page || !node || shown.outdated || (comment.range !== null && !node.range)) throw gone()
  return { page, node }
}

/** The comment with its suggestion applied, which resolves it. */
async function settleApplied(
  tx: Tx,
  { id, status, resolvedAt, resolvedBy }: Row<'comment'>,
  applied: AppliedSuggestion,
): Promise<Row<'comment'>> {
  const resolved =
    status === 'resolved' ? { resolvedAt, resolvedBy } : { resolvedAt: applied.at, resolvedBy: applied.by }
  return tx
    .updateTable('comment')
    .set({ applied: JSON.stringify(applied), status: 'resolved', ...resolved })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
