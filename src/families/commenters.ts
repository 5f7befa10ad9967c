import { Type } from 'typebox'
import { demand } from '../access/on.ts'
import { listOf, ListQuery, listPage, textAfter } from '../http/page.ts'
import { route } from '../http/route.ts'
import { commentsOf } from '../model/comment.ts'
import { Member, selectMembers, toMembers } from '../model/member.ts'
import type { CommentBase } from './comments.ts'

/** Who takes part in a discussion, declared once for everything that has one. */
export function commentersOf({ path, access, params, kind }: CommentBase) {
  return route({
    method: 'GET',
    path: `${path}/commenters`,
    summary: `The members who have commented on a ${kind}, or replied to a comment on it`,
    description:
      'Who has left the organization is not among them; what they wrote is still there. Guests cannot list members.',
    access: access('read'),
    params: Type.Object(params),
    query: ListQuery,
    returns: listOf(Member),
    async handler(context) {
      const { db, at, space, organizationRole, page } = context
      demand(organizationRole, 'read', 'in this organization')
      const comments = commentsOf(db, context, {})
      const replies = db
        .selectFrom('commentReply')
        .select('postedBy')
        .where('commentId', 'in', comments.select('id'))
      const members = selectMembers(db, space.organizationId).where('member.userId', 'in', (eb) =>
        eb.selectFrom(comments.select('postedBy').union(replies).as('posted')).select('postedBy'),
      )
      const rows = await members
        .$if(page.after !== undefined, (some) => some.where('member.userId', '>', textAfter(page) ?? ''))
        .orderBy('member.userId')
        .limit(page.limit + 1)
        .execute()
      const { count } = await members
        .clearSelect()
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      const list = listPage(rows, Number(count), page, ({ userId }) => [userId])
      return { ...list, items: await toMembers(at, db, space.organizationId, list.items) }
    },
  })
}
