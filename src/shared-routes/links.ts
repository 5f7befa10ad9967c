import { type TSchema, Type } from 'typebox'
import type { OnSpace } from '../access/checks/on.ts'
import { backlinksTo } from '../core/content/link-index.ts'
import type { Reader, Row } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'
import { listOf, ListQuery } from '../http/pagination.ts'
import { type Access, type HandlerContext, route } from '../http/route.ts'
import { Id } from '../model/common.ts'
import { filesOf, reusablesOf } from '../model/content/content.ts'
import { ContentLocation } from '../model/links/content-location.ts'
import { locationsIn, type Showing } from '../model/links/locations.ts'
import { LinkList, LinkStatusQuery, listBacklinks, listLinks } from '../model/links/link.ts'
import { linksOfRevision } from '../model/links/link-index.ts'
import { seeSource } from '../model/links/seen.ts'
import { needRevision } from '../model/content/commit.ts'

/** The subject whose links are read: a space or a change request. */
export interface LinksBase<Subject extends OnSpace> {
  /** The newest revision of the content. */
  path: `/v1/spaces/:spaceId/${string}`
  access: Access<Subject>
  params: Record<string, TSchema>
}

type InContent = OnSpace & { changeRequest?: Row<'changeRequest'> }

/** The query of a list of links. */
export const LinksQuery = Type.Object({ ...ListQuery.properties, ...LinkStatusQuery.properties })

/** The context for the links of the newest content of a space or change request. */
export async function showingOf(
  context: Pick<HandlerContext, 'urls' | 'me'> & { db: Reader } & InContent,
): Promise<Showing> {
  const { db, urls, me, space, role, organizationRole, changeRequest } = context
  const revision = await needRevision(db, space.id, (changeRequest ?? space).revisionId)
  return {
    db,
    urls,
    me,
    space,
    role,
    organizationRole,
    revision,
    ...(changeRequest ? { changeRequest } : {}),
  }
}

/** The routes for the links of a page and the references to a page or file, shared by spaces and change requests. */
export function linksRoutes<Subject extends OnSpace>({ path, access, params }: LinksBase<Subject>) {
  const common = { method: 'GET', access } as const
  const withPage = Type.Object({ spaceId: Id, ...params, pageId: Id })
  const withFile = Type.Object({ spaceId: Id, ...params, fileId: Id })
  const withReusableContent = Type.Object({ spaceId: Id, ...params, reusableContentId: Id })

  // The subject is a type parameter here, so the compiler cannot see that it has a space.
  const show = (context: object) =>
    showingOf(context as Pick<HandlerContext, 'urls' | 'me'> & { db: Reader } & InContent)

  return {
    pageLinks: route({
      ...common,
      path: `${path}/page/:pageId/links`,
      summary: 'List the links of a page, by target',
      params: withPage,
      query: LinksQuery,
      returns: LinkList,
      async handler(context) {
        const { query, page } = context
        const showing = await show(context)
        const { pageId } = context.params as { pageId: string }
        const links = await linksOfRevision(context.db, context.urls, showing.revision)
        if (!links.tree.get(pageId)) throw notFound('page')
        const seen = await seeSource(showing, links, `page ${pageId}`)
        return listLinks(context.db, locationsIn(showing), seen, page, {
          isShown: (_use, status) => query.status === undefined || status === query.status,
        })
      },
    }),

    pageBacklinks: route({
      ...common,
      path: `${path}/page/:pageId/backlinks`,
      summary: 'List the pages and reusable content that link to a page',
      params: withPage,
      query: ListQuery,
      returns: listOf(ContentLocation),
      async handler(context) {
        const showing = await show(context)
        const { pageId } = context.params as { pageId: string }
        const links = await linksOfRevision(context.db, context.urls, showing.revision)
        if (!links.tree.get(pageId)) throw notFound('page')
        const holders = backlinksTo(links.index, 'page', pageId)
        return listBacklinks(context.db, locationsIn(showing), links, holders, context.page)
      },
    }),

    fileBacklinks: route({
      ...common,
      path: `${path}/files/:fileId/backlinks`,
      summary: 'List the pages and reusable content that embed or link to a file',
      params: withFile,
      query: ListQuery,
      returns: listOf(ContentLocation),
      async handler(context) {
        const showing = await show(context)
        const { fileId } = context.params as { fileId: string }
        if (!(await filesOf(context.db, showing.revision)).has(fileId)) throw notFound('file')
        const links = await linksOfRevision(context.db, context.urls, showing.revision)
        const holders = backlinksTo(links.index, 'file', fileId)
        return listBacklinks(context.db, locationsIn(showing), links, holders, context.page)
      },
    }),

    reusableContentBacklinks: route({
      ...common,
      path: `${path}/reusable-contents/:reusableContentId/backlinks`,
      summary: 'List the pages and reusable content that include a reusable content',
      params: withReusableContent,
      query: ListQuery,
      returns: listOf(ContentLocation),
      async handler(context) {
        const showing = await show(context)
        const { reusableContentId: id } = context.params as { reusableContentId: string }
        if (!(await reusablesOf(context.db, showing.revision)).has(id)) throw notFound('reusable content')
        const links = await linksOfRevision(context.db, context.urls, showing.revision)
        const holders = backlinksTo(links.index, 'reusable-content', id)
        return listBacklinks(context.db, locationsIn(showing), links, holders, context.page)
      },
    }),
  }
}
