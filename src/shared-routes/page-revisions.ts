import { type TSchema, Type } from 'typebox'
import type { OnSpace } from '../access/checks/on.ts'
import type { Row } from '../db/schema.ts'
import { ListQuery, walkOf } from '../http/pagination.ts'
import { type Access, route } from '../http/route.ts'
import { Id } from '../model/common.ts'
import { listPageRevisions, PageRevision } from '../model/history/page-revisions.ts'
import { toRevisionSummaries } from '../model/history/revision.ts'

/** The content whose history is read: that of a space or of a change request. */
export interface PageRevisionsBase<Subject extends OnSpace> {
  path: `/v1/spaces/:spaceId/${string}`
  /** For messages: `a space`. */
  name: string
  access: Access<Subject>
  params: Record<string, TSchema>
}

/** The route for the history of a page, shared by spaces and change requests. */
export function pageRevisionsRoute<Subject extends OnSpace>(base: PageRevisionsBase<Subject>) {
  return route({
    method: 'GET',
    path: `${base.path}/page/:pageId/revisions`,
    summary: `List the revisions of ${base.name} that changed a page, newest first`,
    description:
      'The list has no `count`. A page of results can have fewer items than `limit`, or none, although there are others: then it has `next`.',
    access: base.access,
    params: Type.Object({ spaceId: Id, ...base.params, pageId: Id }),
    query: ListQuery,
    returns: walkOf(PageRevision),
    async handler(context) {
      const { db, urls, page } = context
      const { pageId } = context.params as { pageId: string }
      // The subject is a type parameter here, so the compiler cannot see what it has.
      const line = context as OnSpace & { changeRequest?: Row<'changeRequest'> }
      const { items, next } = await listPageRevisions(db, line, pageId, page)
      const rows = items.map(({ row }) => row)
      const summaries = await toRevisionSummaries(urls, db, rows, line.organizationRole !== null)
      return {
        ...(next && { next }),
        items: summaries.map((summary, i) => ({ ...summary, change: items[i]!.change })),
      }
    },
  })
}
