import { Type } from 'typebox'
import { demand } from '../../access/checks/on.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { commentsOf } from '../../model/discussion/comment.ts'
import { Member, selectMembers, toMembers } from '../../model/membership/member.ts'
import type { CommentBase } from './base.ts'

/** The route that lists the participants of a discussion, shared by spaces and change requests. */
export function commentersOf({ path, access, params, kind }: CommentBase) {
  return route({
    method: 'GET',
    path: `${path}/commenters`,
    summary: `List the members who commented on a ${kind} or replied to a comment on it`,
    description:
      'Users who left the organization are not listed; their comments stay. Guests cannot list members.',
    access: access('read'),
    params: Type.Object(params),
    query: ListQuery,
    returns: listOf(Member),
    async handler(context) {
      const { db, urls, space, organizationRole, page } = context
      demand(organizationRole, 'read', 'in-organization')
      const comments = commentsOf(db, context, {})
      const replies = db
        .selectFrom('commentReply')
        .select('postedBy')
        .where('commentId', 'in', comments.select('id'))
      const members = selectMembers(db, space.organizationId).where('member.userId', 'in', (eb) =>
        eb.selectFrom(comments.select('postedBy').union(replies).as('posted')).select('postedBy'),
      )
      const list = await listRows(members, page, { by: ['member.userId'] })
      return { ...list, items: await toMembers(urls, db, space.organizationId, list.items) }
    },
  })
}
