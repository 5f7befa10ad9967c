import { type TSchema, Type } from 'typebox'
import type { OnSpace } from '../../access/checks/on.ts'
import { commentPermissions } from '../../access/roles/roles.ts'
import type { Database, Role, Row } from '../../db/schema.ts'
import { forbidden, notFound } from '../../http/errors.ts'
import type { Access, HandlerContext } from '../../http/route.ts'
import {
  type CommentBody,
  type Format,
  type ReadCommentBody,
  readCommentBody,
  sourceOfBody,
} from '../../model/discussion/comment-body.ts'
import { findComment, type Viewing } from '../../model/discussion/comment.ts'
import { Id } from '../../model/common.ts'
import { because } from '../../core/languages/reasons.ts'

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

/** The parameters of the path of a comment. */
export function paramsOfComment({ params }: CommentBase) {
  return Type.Object({ ...params, commentId: Id })
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
  if (!commentPermissions(role, own).edit) throw forbidden(because('author-required', { part }))
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
