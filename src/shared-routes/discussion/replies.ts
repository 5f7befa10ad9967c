import { Type } from 'typebox'
import { demand } from '../../access/checks/on.ts'
import { commentNeeds } from '../../access/roles/roles.ts'
import type { Role, Row } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { DOCUMENT_BODY_LIMIT, type Access, ABSENT, route } from '../../http/route.ts'
import { bodiesWithin, CommentBody, FormatQuery } from '../../model/discussion/comment-body.ts'
import {
  CommentReply,
  findComment,
  findReply,
  insertReply,
  toReplies,
  toReply,
} from '../../model/discussion/comment.ts'
import { Id } from '../../model/common.ts'
import { Emoji, forgetReactions, react } from '../../model/discussion/reaction.ts'
import {
  type CommentBase,
  type Discussing,
  edited,
  onComment,
  paramsOfComment,
  prepareBody,
  refuseOthers,
  viewingOf,
} from './base.ts'

/** The routes for replies to comments, shared by spaces and change requests. */
export function replyRoutes(base: CommentBase) {
  const path = `${base.path}/comments/:commentId/replies` as const
  const params = paramsOfComment(base)
  const withReply = Type.Object({ ...params.properties, commentReplyId: Id })

  return {
    list: route({
      method: 'GET',
      path,
      summary: 'List the replies to a comment, oldest first',
      description: 'A page of results has fewer items than `limit` if their bodies are very long.',
      access: onComment(base, 'read'),
      params,
      query: Type.Object({ ...ListQuery.properties, ...FormatQuery.properties }),
      returns: listOf(CommentReply),
      async handler(context) {
        const { db, comment, page } = context
        const replies = db.selectFrom('commentReply').selectAll().where('commentId', '=', comment.id)
        const list = await listRows(replies, page, {
          by: ['id'],
          fits: (rows) => bodiesWithin(rows, page.limit, context.query.format ?? 'document'),
        })
        return { ...list, items: await toReplies(db, { ...viewingOf(context), comment }, list.items) }
      },
    }),

    post: route({
      method: 'POST',
      path,
      summary: 'Reply to a comment',
      event: 'reply',
      access: onComment(base, 'comment'),
      params,
      query: FormatQuery,
      bodyLimit: DOCUMENT_BODY_LIMIT,
      body: Type.Object({ body: CommentBody }),
      returns: CommentReply,
      prepare: (context) => prepareBody(context, context.body.body),
      async handler(context) {
        const { tx, me, comment, prepared, now, newId } = context
        const fields = { id: newId(), body: prepared.source, userId: me.userId, now }
        const reply = await insertReply(tx, comment, fields)
        return toReply(tx, { ...viewingOf(context), comment }, reply)
      },
    }),

    get: route({
      method: 'GET',
      path: `${path}/:commentReplyId`,
      summary: 'Get a reply',
      access: onReply(base, 'read'),
      params: withReply,
      query: FormatQuery,
      returns: CommentReply,
      async handler(context) {
        const { db, comment, commentReply } = context
        return toReply(db, { ...viewingOf(context), comment }, commentReply)
      },
    }),

    update: route({
      method: 'PUT',
      path: `${path}/:commentReplyId`,
      summary: 'Update a reply, and add or remove reactions',
      description:
        'Fields that are not sent keep their values. Only the author can change the body. An emoji that is both added and removed is removed.',
      event: 'reply',
      access: onReply(base, 'comment'),
      params: withReply,
      query: FormatQuery,
      bodyLimit: DOCUMENT_BODY_LIMIT,
      body: Type.Object({
        body: Type.Optional(CommentBody),
        addedReactions: Type.Optional(Emoji),
        removedReactions: Type.Optional(Emoji),
      }),
      returns: CommentReply,
      prepare: (context) => prepareBody(context, context.body.body, context.commentReply),
      async handler(context) {
        const { tx, me, comment, commentReply, role, body, prepared, now } = context
        if (body.body !== undefined) refuseOthers(role, commentReply.postedBy === me.userId)
        await react(tx, commentReply, body, { userId: me.userId, now })
        const changed = edited(commentReply, body.body && prepared, now)
        if (Object.keys(changed).length > 0)
          await tx.updateTable('commentReply').set(changed).where('id', '=', commentReply.id).execute()
        return toReply(tx, { ...viewingOf(context), comment }, { ...commentReply, ...changed })
      },
    }),

    remove: route({
      method: 'DELETE',
      path: `${path}/:commentReplyId`,
      summary: 'Delete a reply',
      description:
        "Members can delete their own replies. Deleting another member's reply requires `admin` on the space.",
      event: 'reply',
      access: base.access('comment'),
      params: withReply,
      status: 205,
      async handler(context) {
        const { tx, me, role, params: named, audit } = context
        const comment = await findComment(tx, context, named.commentId)
        const reply = comment && (await findReply(tx, comment, named.commentReplyId))
        if (!reply) return ABSENT
        demand(role, commentNeeds(reply.postedBy === me.userId).delete, 'on-space')
        await forgetReactions(tx, [reply.id])
        await tx.deleteFrom('commentReply').where('id', '=', reply.id).execute()
        audit({ target: { type: 'comment-reply', id: reply.id }, before: { user: reply.postedBy } })
        return undefined
      },
    }),
  }
}

/** The reply in the URL, with its comment. */
function onReply(
  base: CommentBase,
  needed: Role,
): Access<Discussing & { comment: Row<'comment'>; commentReply: Row<'commentReply'> }> {
  const comment = onComment(base, needed)
  return {
    needs: comment.needs,
    async load(context) {
      const found = await comment.load(context)
      const reply = await findReply(context.db, found.comment, context.params.commentReplyId ?? '')
      if (!reply) throw notFound('reply')
      return { ...found, commentReply: reply }
    },
  }
}
