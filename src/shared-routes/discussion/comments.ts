import { Type } from 'typebox'
import { demand } from '../../access/checks/on.ts'
import { commentNeeds } from '../../access/roles/roles.ts'
import type { Row } from '../../db/schema.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { DOCUMENT_BODY_LIMIT, ABSENT, route } from '../../http/route.ts'
import { bodiesWithin, CommentBody, FormatQuery } from '../../model/discussion/comment-body.ts'
import {
  Comment,
  commentsOf,
  deleteComment,
  findComment,
  toComment,
  toComments,
} from '../../model/discussion/comment.ts'
import { Id, oneOf } from '../../model/common.ts'
import { commentTargetsOf, needCommentTarget } from '../../model/discussion/comment-target.ts'
import { discussedContent, NewComment, postComment } from '../../model/discussion/new-comment.ts'
import { Emoji, react } from '../../model/discussion/reaction.ts'
import { changedSuggestion, SuggestionSchema } from '../../model/discussion/suggestion.ts'
import {
  type CommentBase,
  edited,
  onComment,
  paramsOfComment,
  prepareBody,
  refuseOthers,
  viewingOf,
} from './base.ts'

/** Which comments of a discussion a request asks for. */
const CommentsQuery = Type.Object({
  ...ListQuery.properties,
  ...FormatQuery.properties,
  order: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
  status: Type.Optional(oneOf(['all', 'open', 'resolved'], { default: 'all' })),
  targetPage: Type.Optional({ ...Id, description: 'Return only comments on this page' }),
  authors: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 100,
      description: 'Return only comments of these users; the parameter can be repeated',
    }),
  ),
})

/** The fields of a comment that a request can change. */
const CommentChange = Type.Object({
  resolved: Type.Optional(Type.Boolean()),
  body: Type.Optional(CommentBody),
  suggestion: Type.Optional(SuggestionSchema),
  addedReactions: Type.Optional(Emoji),
  removedReactions: Type.Optional(Emoji),
})

/** The routes for comments, shared by spaces and change requests. */
export function commentRoutes(base: CommentBase) {
  return { ...readingRoutes(base), ...postRoute(base), ...changeRoutes(base) }
}

function readingRoutes(base: CommentBase) {
  const path = `${base.path}/comments` as const
  return {
    list: route({
      method: 'GET',
      path,
      summary: `List the comments on a ${base.kind}, newest first`,
      description: 'A page of results has fewer items than `limit` if their bodies are very long.',
      access: base.access('read'),
      params: Type.Object(base.params),
      query: CommentsQuery,
      returns: listOf(Comment),
      async handler(context) {
        const { db, query, page } = context
        const list = await listRows(commentsOf(db, context, query).selectAll(), page, {
          by: ['id'],
          order: query.order ?? 'desc',
          fits: (rows) => bodiesWithin(rows, page.limit, context.query.format ?? 'document'),
        })
        return { ...list, items: await toComments(db, viewingOf(context), list.items) }
      },
    }),

    get: route({
      method: 'GET',
      path: `${path}/:commentId`,
      summary: 'Get a comment',
      access: onComment(base, 'read'),
      params: paramsOfComment(base),
      query: FormatQuery,
      returns: Comment,
      async handler(context) {
        return toComment(context.db, viewingOf(context), context.comment)
      },
    }),
  }
}

function postRoute(base: CommentBase) {
  return {
    post: route({
      method: 'POST',
      path: `${base.path}/comments`,
      summary: `Create a comment on a ${base.kind}, a page, a block of a page or a part of its text`,
      description:
        '`node` is the `key` of a block, as `format=document` returns it, and requires `page`. `range` is a part of the text of the leaves of this block. `suggestion` is a text for it that a user with the role `edit` can apply. The request fails with 400 if the current content has no such page, block or text.',
      event: 'comment',
      access: base.access('comment'),
      params: Type.Object(base.params),
      query: FormatQuery,
      bodyLimit: DOCUMENT_BODY_LIMIT,
      body: NewComment,
      returns: Comment,
      async prepare(context) {
        // The transaction finds what it needs of the page in the cache.
        await needCommentTarget(
          context.db.read,
          await discussedContent(context.db.read, context),
          context.body,
        )
        return prepareBody(context, context.body.body)
      },
      async handler(context) {
        const { tx, me, body, prepared, now, newId } = context
        const fields = { id: newId(), body: prepared.source, userId: me.userId, now }
        return toComment(tx, viewingOf(context), await postComment(tx, context, body, fields))
      },
    }),
  }
}

function changeRoutes(base: CommentBase) {
  const path = `${base.path}/comments/:commentId` as const
  const params = paramsOfComment(base)
  return {
    update: route({
      method: 'PUT',
      path,
      summary: 'Update, resolve or reopen a comment, and add or remove reactions',
      description:
        'Fields that are not sent keep their values. Only the author can change the body and the suggestion. A new suggestion is for the same text as the one before; it fails with 400 if the comment suggests nothing, and with 409 if the suggestion is applied. Resolving or reopening the comment of another user requires `review`. A user can react once with each emoji; an emoji that is both added and removed is removed.',
      event: 'comment',
      access: onComment(base, 'comment'),
      params,
      query: FormatQuery,
      bodyLimit: DOCUMENT_BODY_LIMIT,
      body: CommentChange,
      returns: Comment,
      async prepare(context) {
        // The transaction finds the place of the comment in the cache.
        const content = await discussedContent(context.db.read, context)
        await commentTargetsOf(context.db.read, content, [context.comment])
        return prepareBody(context, context.body.body, context.comment)
      },
      async handler(context) {
        const { tx, me, comment, role, body, prepared, now } = context
        const own = comment.postedBy === me.userId
        if (body.body !== undefined) refuseOthers(role, own)
        if (body.suggestion !== undefined) refuseOthers(role, own, 'suggestion')
        if (body.resolved !== undefined) demand(role, commentNeeds(own).resolve, 'on-space')
        await react(tx, comment, body, { userId: me.userId, now })
        const suggestion = changedSuggestion(comment, body.suggestion)
        const changed = {
          ...edited(comment, body.body && prepared, now),
          ...(suggestion.suggestion !== undefined && { ...suggestion, editedAt: now.toISOString() }),
          ...settled(comment, body.resolved, { userId: me.userId, now }),
        }
        if (Object.keys(changed).length > 0)
          await tx.updateTable('comment').set(changed).where('id', '=', comment.id).execute()
        return toComment(tx, viewingOf(context), { ...comment, ...changed })
      },
    }),

    remove: route({
      method: 'DELETE',
      path,
      summary: 'Delete a comment and its replies',
      description:
        "Members can delete their own comments. Deleting another member's comment requires `admin` on the space.",
      event: 'comment',
      access: base.access('comment'),
      params,
      status: 205,
      async handler(context) {
        const { tx, me, role, params: named, audit } = context
        const comment = await findComment(tx, context, named.commentId)
        if (!comment) return ABSENT
        demand(role, commentNeeds(comment.postedBy === me.userId).delete, 'on-space')
        await deleteComment(tx, comment.id)
        audit({ before: { user: comment.postedBy, status: comment.status } })
        return undefined
      },
    }),
  }
}

/** The columns that resolving or reopening changes; none if the comment has that state already. */
function settled(
  { status }: Row<'comment'>,
  resolved: boolean | undefined,
  by: { userId: string; now: Date },
): Partial<Pick<Row<'comment'>, 'status' | 'resolvedAt' | 'resolvedBy'>> {
  if (resolved === undefined || resolved === (status === 'resolved')) return {}
  return resolved
    ? { status: 'resolved', resolvedAt: by.now.toISOString(), resolvedBy: by.userId }
    : { status: 'open', resolvedAt: null, resolvedBy: null }
}
