import { type TSchema, Type } from 'typebox'
import { demand, type OnSpace } from '../access/on.ts'
import { commentNeeds, commentPermissions } from '../access/roles.ts'
import type { Role, Row } from '../db/schema.ts'
import { forbidden, notFound } from '../http/errors.ts'
import { listOf, ListQuery, listPage, type Page, textAfter } from '../http/page.ts'
import { type Access, type Circumstances, GONE, route } from '../http/route.ts'
import { bodiesWithin, CommentBody, FormatQuery, sourceOfBody } from '../model/comment-body.ts'
import { needTarget } from '../model/comment-target.ts'
import {
  Comment,
  commentsOf,
  deleteComment,
  findComment,
  insertComment,
  toComment,
  toComments,
  type Viewing,
} from '../model/comment.ts'
import { Id, oneOf } from '../model/common.ts'
import { Emoji, react } from '../model/reaction.ts'
import { needRevision } from '../model/revision.ts'

/** What is discussed, and who asks. */
export type Discussing = OnSpace & { changeRequest?: Row<'changeRequest'> }

/** Where a discussion is: on a space, on a change request. */
export interface CommentBase {
  path: `/v1/spaces/:spaceId${'' | '/change-requests/:changeRequestId'}`
  /** For messages: `space`. */
  kind: string
  access: (needed: Role) => Access<Discussing>
  params: Record<string, TSchema>
}

/** What every answer needs to be shown to the caller. */
export function viewingOf(
  context: Discussing & Pick<Circumstances, 'at' | 'me'> & { query: { format?: 'document' | 'markdown' } },
): Viewing {
  const { at, me, space, changeRequest, role, organizationRole, query } = context
  return { at, me, space, changeRequest, role, organizationRole, format: query.format ?? 'document' }
}

/** The comment that the URL names, for those with at least the role `needed` on its space. */
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
      if (!comment) throw notFound()
      return { ...found, comment }
    },
  }
}

/** Refuses to change words that are another's. @throws 403 */
export function refuseOthers(role: Role, own: boolean): void {
  if (!commentPermissions(role, own).edit) throw forbidden('Only who wrote this may change its words')
}

/** The operations on comments, declared once for everything that has a discussion. */
export function commentFamily(base: CommentBase) {
  const { access, kind } = base
  const path = `${base.path}/comments` as const
  const params = Type.Object(base.params)
  const withComment = Type.Object({ ...base.params, commentId: Id })

  return {
    list: route({
      method: 'GET',
      path,
      summary: `The comments on a ${kind}, newest first`,
      description:
        'A page of the list has fewer items than `limit` where its bodies would be very long together.',
      access: access('read'),
      params,
      query: Type.Object({
        ...ListQuery.properties,
        ...FormatQuery.properties,
        order: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
        status: Type.Optional(oneOf(['all', 'open', 'resolved'], { default: 'all' })),
        targetPage: Type.Optional({ ...Id, description: 'Only comments on this page' }),
        authors: Type.Optional(
          Type.Array(Id, {
            minItems: 1,
            maxItems: 100,
            description: 'Only comments of these users; may be repeated',
          }),
        ),
      }),
      returns: listOf(Comment),
      async handler(context) {
        const { db, query, page } = context
        const { order = 'desc' } = query
        const listed = commentsOf(db, context, query)
        const rows = await listed
          .selectAll()
          .$if(page.after !== undefined, (some) =>
            some.where('id', order === 'desc' ? '<' : '>', textAfter(page) ?? ''),
          )
          .orderBy('id', order)
          .limit(page.limit + 1)
          .execute()
        const { count } = await listed.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
        const fitting: Page = { ...page, limit: bodiesWithin(rows, page.limit) }
        const list = listPage(rows, Number(count), fitting, ({ id }) => [id])
        return { ...list, items: await toComments(db, viewingOf(context), list.items) }
      },
    }),

    post: route({
      method: 'POST',
      path,
      summary: `Comment on a ${kind}, on a page of it, or on a block of a page`,
      description:
        '`node` is the `key` of a block, as `format=document` gives it, and needs its `page`. 400 if the present content has no such page or block.',
      access: access('comment'),
      params,
      query: FormatQuery,
      body: Type.Object({
        body: CommentBody,
        page: Type.Optional(Id),
        node: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      }),
      returns: Comment,
      async handler(context) {
        const { tx, me, space, changeRequest, body, now, newId } = context
        const revision = await needRevision(tx, space.id, (changeRequest ?? space).revisionId)
        const target = await needTarget(tx, revision, body)
        const fields = { id: newId(), body: sourceOfBody(body.body), userId: me.userId, now, target }
        return toComment(tx, viewingOf(context), await insertComment(tx, context, fields))
      },
    }),

    get: route({
      method: 'GET',
      path: `${path}/:commentId`,
      summary: 'A comment',
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
      summary: 'Change, resolve or reopen a comment, and react to it',
      description:
        'Absent fields stay. Words are changed by who wrote them; comments of others are resolved and reopened with "review". Each user reacts once with each emoji; one that is both added and removed is removed.',
      access: onComment(base, 'comment'),
      params: withComment,
      query: FormatQuery,
      body: Type.Object({
        resolved: Type.Optional(Type.Boolean()),
        body: Type.Optional(CommentBody),
        addedReactions: Type.Optional(Emoji),
        removedReactions: Type.Optional(Emoji),
      }),
      returns: Comment,
      async handler(context) {
        const { tx, me, comment, role, body, now } = context
        const own = comment.postedBy === me.userId
        if (body.body !== undefined) refuseOthers(role, own)
        if (body.resolved !== undefined) demand(role, commentNeeds(own).resolve, 'on this space')
        await react(tx, comment, body, { userId: me.userId, now })
        const changed = {
          ...edited(comment, body.body, now),
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
      summary: 'Delete a comment with its replies',
      description: 'One’s own, or any for who has the permission "admin" on the space.',
      access: access('comment'),
      params: withComment,
      status: 205,
      async handler(context) {
        const { tx, me, role, params: named, audit } = context
        const comment = await findComment(tx, context, named.commentId)
        if (!comment) return GONE
        demand(role, commentNeeds(comment.postedBy === me.userId).delete, 'on this space')
        await deleteComment(tx, comment.id)
        audit({ before: { user: comment.postedBy, status: comment.status } })
        return undefined
      },
    }),
  }
}

/** The columns that new words change; none if they are the same. */
export function edited(
  row: { body: string },
  body: CommentBody | undefined,
  now: Date,
): { body?: string; editedAt?: string } {
  if (body === undefined) return {}
  const source = sourceOfBody(body)
  return source === row.body ? {} : { body: source, editedAt: now.toISOString() }
}

/** The columns that resolving or reopening changes; none if it is so already. */
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
