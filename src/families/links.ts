import { type TSchema, Type } from 'typebox'
import type { OnSpace } from '../access/on.ts'
import { backlinksTo, usesIn } from '../core/link-index.ts'
import type { Reader, Row } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'
import { listOf, ListQuery } from '../http/page.ts'
import { type Access, type Circumstances, route } from '../http/route.ts'
import { Id } from '../model/common.ts'
import { filesOf, needPage } from '../model/content.ts'
import { ContentLocation, locationsIn, type Showing } from '../model/content-location.ts'
import { LinkList, LinkStatusQuery, listBacklinks, listLinks, seenUses } from '../model/link.ts'
import { linksOfRevision } from '../model/link-index.ts'
import { needRevision } from '../model/revision.ts'

/** Whose links are read: a space's or a change request's. */
export interface LinksBase<Subject extends OnSpace> {
  /** Of the content. */
  path: `/v1/spaces/:spaceId/${string}`
  access: Access<Subject>
  params: Record<string, TSchema>
}

type InContent = OnSpace & { changeRequest?: Row<'changeRequest'> }

/** The query of a list of links. */
export const LinksQuery = Type.Object({ ...ListQuery.properties, ...LinkStatusQuery.properties })

/** What the links of a space's or change request's newest content are shown with. */
export async function showingOf(
  context: Pick<Circumstances, 'at' | 'me'> & { db: Reader } & InContent,
): Promise<Showing> {
  const { db, at, me, space, role, organizationRole, changeRequest } = context
  const revision = await needRevision(db, space.id, (changeRequest ?? space).revisionId)
  return { db, at, me, space, role, organizationRole, revision, ...(changeRequest ? { changeRequest } : {}) }
}

/** The links of a page, and what links to a page or file, declared once for every content that changes. */
export function linksFamily<Subject extends OnSpace>({ path, access, params }: LinksBase<Subject>) {
  const common = { method: 'GET', access } as const
  const withPage = Type.Object({ spaceId: Id, ...params, pageId: Id })
  const withFile = Type.Object({ spaceId: Id, ...params, fileId: Id })

  // The subject is a type parameter here, so the compiler cannot see that it has a space.
  const show = (context: object) =>
    showingOf(context as Pick<Circumstances, 'at' | 'me'> & { db: Reader } & InContent)

  return {
    pageLinks: route({
      ...common,
      path: `${path}/page/:pageId/links`,
      summary: 'Where the links of a page lead',
      params: withPage,
      query: LinksQuery,
      returns: LinkList,
      async handler(context) {
        const { query, page } = context
        const showing = await show(context)
        const { pageId } = context.params as { pageId: string }
        await needPage(context.db, showing.revision, pageId)
        const locations = locationsIn(showing)
        const uses = await linksOfRevision(context.db, context.at, showing.revision)
        const all = await seenUses(locations, usesIn(uses, pageId))
        const shown = all.filter(({ status }) => query.status === undefined || status === query.status)
        return listLinks(locations, all, shown, page)
      },
    }),

    pageBacklinks: route({
      ...common,
      path: `${path}/page/:pageId/backlinks`,
      summary: 'What of the same content links to a page, or to a part of it',
      params: withPage,
      query: ListQuery,
      returns: listOf(ContentLocation),
      async handler(context) {
        const showing = await show(context)
        const { pageId } = context.params as { pageId: string }
        await needPage(context.db, showing.revision, pageId)
        const uses = await linksOfRevision(context.db, context.at, showing.revision)
        const holders = backlinksTo(uses, { kind: 'page', id: pageId })
        return listBacklinks(locationsIn(showing), holders, context.page)
      },
    }),

    fileBacklinks: route({
      ...common,
      path: `${path}/files/:fileId/backlinks`,
      summary: 'What of the same content shows a file or links to it',
      params: withFile,
      query: ListQuery,
      returns: listOf(ContentLocation),
      async handler(context) {
        const showing = await show(context)
        const { fileId } = context.params as { fileId: string }
        if (!(await filesOf(context.db, showing.revision)).has(fileId)) throw notFound()
        const uses = await linksOfRevision(context.db, context.at, showing.revision)
        const holders = backlinksTo(uses, { kind: 'file', id: fileId })
        return listBacklinks(locationsIn(showing), holders, context.page)
      },
    }),
  }
}
