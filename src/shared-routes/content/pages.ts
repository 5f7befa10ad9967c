import { Type } from 'typebox'
import type { PageRecord } from '../../core/content/revision.ts'
import { notFound } from '../../http/errors.ts'
import { listItems, listOf } from '../../http/pagination.ts'
import { notForEver } from '../../http/response/answer.ts'
import { route } from '../../http/route.ts'
import { Id } from '../../model/common.ts'
import { sourceOf } from '../../model/content/content.ts'
import { ContentReference, DocumentSchema } from '../../model/content/documents/document.ts'
import { OutlinePage, outlinePages, toOutlinePage } from '../../model/content/documents/outline-page.ts'
import { Page, toPage, toPages, withoutDescendants } from '../../model/content/documents/page.ts'
import { documentOf, documentOfMarkdown } from '../../model/content/documents/read-document.ts'
import { expandedPagesOf } from '../../model/openapi/computed-pages.ts'
import { redirected } from '../../model/sites/redirects/redirects.ts'
import { type ContentBase, forReaders, paramsOf, revisionOf, spaceIn } from './base.ts'
import { ContentQuery, DocumentQuery, OutlineQuery, PageQuery } from './queries.ts'
import {
  answered,
  type Asked,
  computedSource,
  pagesFrom,
  readerOf,
  requestedContent,
  type RequestedContent,
} from './requested.ts'

/** The routes that read the page tree of a base. */
export function pageTreeRoutes<Subject extends object>(base: ContentBase<Subject>) {
  return {
    pages: route({
      ...forReaders(base),
      path: `${base.path}/pages`,
      summary: 'List the page tree',
      params: paramsOf(base, {}),
      query: ContentQuery,
      returns: Type.Object({ pages: Type.Array(Page) }),
      async handler(context) {
        const content = await requestedContent(base, context)
        return answered({ pages: toPages(pagesFrom(context, content), null) }, content.expanded)
      },
    }),

    outline: route({
      ...forReaders(base),
      path: `${base.path}/outline`,
      summary: 'List the pages of levels of the page tree',
      description:
        'By default, the top level. Large page trees are read level by level, and each page has the number of pages directly below it. Of `parent`, `parents`, `path`, `query` and `ids`, only the first that is sent counts.',
      params: paramsOf(base, {}),
      query: OutlineQuery,
      returns: listOf(OutlinePage),
      async handler(context) {
        const { page, query } = context
        const content = await requestedContent(base, context)
        const from = pagesFrom(context, content)
        const { tree } = content
        const former =
          query.path !== undefined && !tree.byPath(query.path)
            ? await redirected(context.db, content.revision, tree, query.path)
            : undefined
        const found = outlinePages(tree, former ? { path: tree.path(former.id) } : query)
        if (!found) throw notFound('page')
        const places = new Map(found.map((one, index) => [one.id, String(index).padStart(9, '0')]))
        const list = await listItems(found, page, { key: ({ id }) => [places.get(id) ?? ''] })
        return answered(
          { ...list, items: list.items.map((one) => toOutlinePage(from, one)) },
          content.expanded,
        )
      },
    }),
  }
}

/** The routes that read a page of a base. */
export function pageRoutes<Subject extends object>(base: ContentBase<Subject>) {
  return {
    page: route({
      ...forReaders(base),
      path: `${base.path}/page/:pageId`,
      summary: 'Get a page with its body',
      params: paramsOf(base, { pageId: Id }),
      query: PageQuery,
      returns: Page,
      async handler(context) {
        const content = await requestedContent(base, context)
        const { pageId } = context.params
        // The page that others stand for can still be read by its id.
        return pageFrom(context, content, content.tree.get(pageId) ?? content.folded?.get(pageId))
      },
    }),

    pageByPath: route({
      ...forReaders(base),
      path: `${base.path}/path/:pagePath`,
      summary: 'Get a page by its current path or an earlier one',
      description: 'Slashes in the path can be sent as they are, or as `%2F`. Case is ignored.',
      params: paramsOf(base, { pagePath: Type.String({ maxLength: 4096 }) }),
      query: PageQuery,
      returns: Page,
      async handler(context) {
        const content = await requestedContent(base, context)
        const { revision, tree } = content
        const { pagePath } = context.params
        const page = tree.byPath(pagePath) ?? (await redirected(context.db, revision, tree, pagePath))
        return pageFrom(context, content, page)
      },
    }),

    pageDocument: route({
      ...forReaders(base),
      path: `${base.path}/page/:pageId/document`,
      summary: 'Get the body of a page as a document',
      params: paramsOf(base, { pageId: Id }),
      query: DocumentQuery,
      returns: DocumentSchema,
      async handler(context) {
        const { db } = context
        const { pageId } = context.params
        const revision = await revisionOf(base, context)
        const reader = await readerOf(context, revision)
        const expanded = await expandedPagesOf(db, spaceIn(context).organizationId, revision)
        const page = reader ? reader.tree.get(pageId) : expanded.tree.get(pageId)
        if (page?.type !== 'document') throw notFound('page')
        if (reader) return reader.document(page)
        const computed = await computedSource(context, page)
        const document =
          computed === undefined
            ? await documentOf(db, revision, page, expanded)
            : await documentOfMarkdown(db, revision.spaceId, computed)
        return answered(document, expanded)
      },
    }),

    pageMetaLinks: route({
      ...forReaders(base),
      path: `${base.path}/page/:pageId/meta-links`,
      summary: 'List the versions of a page in other languages',
      description:
        'For a site token, `alternates` has the page in each language of the site, as its pages name them to search engines. Otherwise, it is empty.',
      params: paramsOf(base, { pageId: Id }),
      returns: PageMetaLinks,
      async handler(context) {
        const { reader, tree } = await requestedContent(base, { ...context, query: {} })
        const page = tree.get(context.params.pageId)
        if (page?.type !== 'document') throw notFound('page')
        const versions = (await reader?.languageVersions(page)) ?? []
        // The other spaces change without this revision.
        return notForEver({ alternates: versions.map((one) => ({ kind: 'page' as const, ...one })) })
      },
    }),
  }
}

/** The addresses of a page that search engines learn. */
const PageMetaLinks = Type.Object(
  {
    canonical: Type.Optional(ContentReference),
    alternates: Type.Array(ContentReference),
  },
  { title: 'PageMetaLinks' },
)

/** A page as it is answered. @throws 404 without one */
async function pageFrom(context: Asked, content: RequestedContent, page: PageRecord | undefined) {
  if (!page) throw notFound('page')
  const shown = toPage(pagesFrom(context, content), page, await bodyOf(context, content, page))
  const isAlone = context.query.descendants === false
  return answered(isAlone ? withoutDescendants(shown) : shown, content.expanded)
}

/** The body of a page in the format that a request asks for; undefined if it asks for none. */
async function bodyOf(context: Asked, { revision, reader, expanded }: RequestedContent, page: PageRecord) {
  const { db, query } = context
  if (page.type !== 'document' || query.format === 'none') return undefined
  const isMarkdown = query.format === 'markdown'
  if (reader)
    return isMarkdown ? { markdown: await reader.markdown(page) } : { document: await reader.document(page) }
  const { document, file } = page
  const computed = await computedSource(context, page)
  const { spaceId } = revision
  if (isMarkdown) return { markdown: computed ?? (await sourceOf(db, spaceId, document)) }
  return {
    document: await (computed === undefined
      ? documentOf(db, revision, { document, file }, expanded)
      : documentOfMarkdown(db, spaceId, computed)),
  }
}
