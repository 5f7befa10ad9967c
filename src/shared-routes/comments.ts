import { type TSchema, Type } from 'typebox'
import { demand, type OnSpace } from '../access/checks/on.ts'
import { commentNeeds, commentPermissions } from '../access/roles/roles.ts'
import type { Database, Role, Row } from '../db/schema.ts'
import { forbidden, notFound } from '../http/errors.ts'
import { listOf, ListQuery, listRows } from '../http/pagination.ts'
import { DOCUMENT_BODY_LIMIT, type Access, type HandlerContext, ABSENT, route } from '../http/route.ts'
import {
  bodiesWithin,
  CommentBody,
  type Format,
  FormatQuery,
  type ReadCommentBody,
  readCommentBody,
  sourceOfBody,
} from '../model/discussion/comment-body.ts'
import {
  Comment,
  commentsOf,
  deleteComment,
  findComment,
  toComment,
  toComments,
  type Viewing,
} from '../model/discussion/comment.ts'
import { Id, oneOf } from '../model/common.ts'
import { commentTargetsOf, needCommentTarget } from '../model/discussion/comment-target.ts'
import { discussedContent, NewComment, postComment } from '../model/discussion/new-comment.ts'
import { Emoji, react } from '../model/discussion/reaction.ts'
import { changedSuggestion, SuggestionSchema } from '../model/discussion/suggestion.ts'

/** The subject of a discussion, and the caller. */
export type Discussing = OnSpace & { changeRequest?: Row<'changeRequest'> }

/** The base of a discussion: a space or a change request. */
export interface CommentBase {
  path: `/v1/spaces/:spaceId${'' | '/change-requests/:changeRequestId'}`
  /** For messages: `space`. */
  kind: string
  access: (needed: Role) => Access<Discussing>
  params: Record<string, TSchema>
}

/** The context of every response. */
export function viewingOf<Context extends Shown>(context: Context): Viewing & Pick<Context, 'changeRequest'> {
  const { urls, me, space, role, organizationRole, query, prepared: read } = context
  const { changeRequest }: Pick<Context, 'changeRequest'> = context
  const format = query?.format ?? 'document'
  return { urls, me, space, changeRequest, role, organizationRole, format, ...(read && { read }) }
}

/** The context of a request that shows a part of a discussion. */
type Shown = Discussing &
  Pick<HandlerContext, 'urls' | 'me'> & {
    query?: { format?: Format } | undefined
    prepared?: ReadCommentBody | undefined
  }

/** Reads the body that a request stores: the new one, or else the one that is there. @throws 400 */
export async function prepareBody(
  { db, space, query }: { db: Database; space: { id: string }; query: { format?: Format } },
  body: CommentBody | undefined,
  before?: { body: string },
): Promise<ReadCommentBody> {
  const source = body === undefined && before ? before.body : sourceOfBody(body ?? {})
  return readCommentBody(db.read, space.id, source, query.format)
}

/** The comment in the URL. @throws 404; 403 if the caller's role on the space is below `needed` */
export function onComment(
  { access }: CommentBase,
  needed: Role,
): Access<Discussing & { comment: Row<'comment'> }> {
  const base = access(needed)
  return {
    needs: base.needs,
    async load(context) {
      const found = await base.load(context)
      const comment = await findComment(context.db, found, context.params.commentId ?? '')
      if (!comment) throw notFound('comment')
      return { ...found, comment }
    },
  }
}

/** Refuses to change the text of another user's comment. @throws 403 */
export function refuseOthers(role: Role, own: boolean, part: 'body' | 'suggestion' = 'body'): void {
  if (!commentPermissions(role, own).edit) throw forbidden(`Only the author can change the ${part}`)
}

/** The routes for comments, shared by spaces and change requests. */
export function commentRoutes(base: CommentBase) {
  const { access, kind } = base
  const path = `${base.path}/comments` as const
  const params = Type.Object(base.params)
  const withComment = Type.Object({ ...base.params, commentId: Id })

  return {
    list: route({
      method: 'GET',
      path,
      summary: `List the comments on a ${kind}, newest first`,
      description: 'A page of results has fewer items than `limit` if their bodies are very long.',
      access: access('read'),
      params,
      query: Type.Object({
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
      }),
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

    post: route({
      method: 'POST',
      path,
      summary: `Create a comment on a ${kind}, a page, a block of a page or a part of its text`,
      description:
        '`node` is the `key` of a block, as `format=document` returns it, and requires `page`. `range` is a part of the text of the leaves of this block. `suggestion` is a text for it that a user with the role `edit` can apply. The request fails with 400 if the current content has no such page, block or text.',
      event: 'comment',
      access: access('comment'),
      params,
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

    get: route({
      method: 'GET',
      path: `${path}/:commentId`,
      summary: 'Get a comment',
      access: onComment(base, 'read'),
      params: withComment,
      query: FormatQuery,
      returns: Comment,
      async handler(context) {
        return toComment(context.db, viewingOf(context), context.comment)
      },
    }),

    update: route({
      method: 'PUT',
      path: `${path}/:commentId`,
      summary: 'Update, resolve or reopen a comment, and add or remove reactions',
      description:
        'Fields that are not sent keep their values. Only the author can change the body and the suggestion. A new suggestion is for the same text as the one before; it fails with 400 if the comment suggests nothing, and with 409 if the suggestion is applied. Resolving or reopening the comment of another user requires `review`. A user can react once with each emoji; an emoji that is both added and removed is removed.',
      event: 'comment',
      access: onComment(base, 'comment'),
      params: withComment,
      query: FormatQuery,
      bodyLimit: DOCUMENT_BODY_LIMIT,
      body: Type.Object({
        resolved: Type.Optional(Type.Boolean()),
        body: Type.Optional(CommentBody),
        suggestion: Type.Optional(SuggestionSchema),
        addedReactions: Type.Optional(Emoji),
        removedReactions: Type.Optional(Emoji),
      }),
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
        if (body.resolved !== undefined) demand(role, commentNeeds(own).resolve, 'on this space')
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
      path: `${path}/:commentId`,
      summary: 'Delete a comment and its replies',
      description:
        "Members can delete their own comments. Deleting another member's comment requires `admin` on the space.",
      event: 'comment',
      access: access('comment'),
      params: withComment,
      status: 205,
      async handler(context) {
        const { tx, me, role, params: named, audit } = context
        const comment = await findComment(tx, context, named.commentId)
        if (!comment) return ABSENT
        demand(role, commentNeeds(comment.postedBy === me.userId).delete, 'on this space')
        await deleteComment(tx, comment.id)
        audit({ before: { user: comment.postedBy, status: comment.status } })
        return undefined
      },
    }),
  }
}

/** The columns that a new body changes; none if it is the same. */
export function edited(
  row: { body: string },
  sent: ReadCommentBody | undefined,
  now: Date,
): { body?: string; editedAt?: string } {
  if (sent === undefined || sent.source === row.body) return {}
  return { body: sent.source, editedAt: now.toISOString() }
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
