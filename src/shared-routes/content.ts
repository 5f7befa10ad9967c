import { Type, type TSchema } from 'typebox'
import type { PageRecord } from '../core/content/revision.ts'
import type { Reader, Row } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'
import { listItems, listOf, ListQuery } from '../http/pagination.ts'
import { type Access, type HandlerContext, route } from '../http/route.ts'
import { Id, oneOf } from '../model/common.ts'
import { filesOf, needPageRecord, pagesOf, reusablesOf, sourceOf } from '../model/content/content.ts'
import { DocumentSchema } from '../model/content/document.ts'
import { documentOf } from '../model/content/read-document.ts'
import { redirected } from '../model/sites/redirects.ts'
import { File, Page, ReusableContent, toFile, toPage, toReusableContent } from '../model/content/page.ts'
import { Revision, toRevision } from '../model/history/revision.ts'

/** The base of content: a space, a revision or a change request. */
export interface ContentBase<Subject extends object> {
  /** `/v1/spaces/:spaceId/content` and the like. */
  path: `/v1/spaces/:spaceId/${string}`
  access: Access<Subject>
  params: Record<string, TSchema>
  revision(context: { db: Reader; params: Record<string, string> } & Subject): Promise<Row<'revision'>>
  /** Whether the base names one revision, so that its content never changes. */
  immutable?: boolean
}

const Metadata = {
  metadata: Type.Optional(Type.Boolean({ default: true, description: 'With `false`, `git` is left out' })),
  computed: Type.Optional(
    Type.Boolean({ default: true, description: 'With `false`, computed content is left out' }),
  ),
}
const ContentQuery = Type.Object(Metadata)
const FilesQuery = Type.Object({ ...ListQuery.properties, ...Metadata })
const PageQuery = Type.Object({
  ...Metadata,
  format: Type.Optional(
    oneOf(['document', 'markdown'], {
      default: 'document',
      description: 'The format of the body of the page',
    }),
  ),
  evaluated: Type.Optional(oneOf(['true', 'false', 'deterministic-only'])),
  dereferenced: Type.Optional(oneOf(['true', 'false', 'reusable-contents'])),
})
const DocumentQuery = Type.Pick(PageQuery, ['evaluated', 'dereferenced'])

/** The routes that read content, shared by spaces, revisions and change requests. */
export function contentRoutes<Subject extends object>(base: ContentBase<Subject>) {
  const { path, access, immutable } = base
  const withRevision = Type.Object({ spaceId: Id, ...base.params })
  const withPage = Type.Object({ spaceId: Id, ...base.params, pageId: Id })
  const common = { method: 'GET', access, ...(immutable ? { immutable } : {}) } as const

  // The subject is a type parameter here, so the compiler cannot see that it is what `base.revision` takes.
  const revisionOf = (context: object) =>
    base.revision(context as { db: Reader; params: Record<string, string> } & Subject)

  async function answerPage(
    context: Pick<HandlerContext, 'urls'> & { db: Reader; query: { format?: string; metadata?: boolean } },
    revision: Row<'revision'>,
    page: PageRecord,
  ) {
    const { db, urls, query } = context
    const tree = await pagesOf(db, revision)
    return toPage(
      { urls, tree, spaceId: revision.spaceId, metadata: query.metadata ?? true },
      page,
      await body(),
    )

    async function body() {
      if (page.type !== 'document') return undefined
      if (query.format === 'markdown')
        return { markdown: await sourceOf(db, revision.spaceId, page.document) }
      return { document: await documentOf(db, revision, page) }
    }
  }

  return {
    revision: route({
      ...common,
      path,
      summary: 'Get a revision with its page tree, files and reusable content',
      params: withRevision,
      query: ContentQuery,
      returns: Revision,
      async handler(context) {
        const { db, urls, query } = context
        const revision = await revisionOf(context)
        const tree = await pagesOf(db, revision)
        const files = await filesOf(db, revision)
        const reusables = await reusablesOf(db, revision)
        return toRevision(urls, revision, tree, files.values(), reusables.values(), query.metadata ?? true)
      },
    }),

    pages: route({
      ...common,
      path: `${path}/pages`,
      summary: 'List the page tree',
      params: withRevision,
      query: ContentQuery,
      returns: Type.Object({ pages: Type.Array(Page) }),
      async handler(context) {
        const { db, urls, query } = context
        const revision = await revisionOf(context)
        const tree = await pagesOf(db, revision)
        const page = { urls, tree, spaceId: revision.spaceId, metadata: query.metadata ?? true }
        return { pages: tree.children(null).map((record) => toPage(page, record)) }
      },
    }),

    files: route({
      ...common,
      path: `${path}/files`,
      summary: 'List the files',
      params: withRevision,
      query: FilesQuery,
      returns: listOf(File),
      async handler(context) {
        const { db, urls, query, page } = context
        const revision = await revisionOf(context)
        const files = await filesOf(db, revision)
        const list = await listItems([...files.values()], page, { key: ({ id }) => [id] })
        const metadata = query.metadata ?? true
        return { ...list, items: list.items.map((file) => toFile(urls, revision.spaceId, file, metadata)) }
      },
    }),

    file: route({
      ...common,
      path: `${path}/files/:fileId`,
      summary: 'Get a file',
      params: Type.Object({ spaceId: Id, ...base.params, fileId: Id }),
      query: ContentQuery,
      returns: File,
      async handler(context) {
        const { db, urls, query, params } = context
        const revision = await revisionOf(context)
        const file = (await filesOf(db, revision)).get((params as { fileId: string }).fileId)
        if (!file) throw notFound()
        return toFile(urls, revision.spaceId, file, query.metadata ?? true)
      },
    }),

    page: route({
      ...common,
      path: `${path}/page/:pageId`,
      summary: 'Get a page with its body',
      params: withPage,
      query: PageQuery,
      returns: Page,
      async handler(context) {
        const revision = await revisionOf(context)
        const { pageId } = context.params as { pageId: string }
        return answerPage(context, revision, await needPageRecord(context.db, revision, pageId))
      },
    }),

    pageByPath: route({
      ...common,
      path: `${path}/path/:pagePath`,
      summary: 'Get a page by its current path or an earlier one',
      description: 'Send slashes in the path as `%2F`. Case is ignored.',
      params: Type.Object({ spaceId: Id, ...base.params, pagePath: Type.String({ maxLength: 4096 }) }),
      query: PageQuery,
      returns: Page,
      async handler(context) {
        const revision = await revisionOf(context)
        const tree = await pagesOf(context.db, revision)
        const { pagePath } = context.params as { pagePath: string }
        const page = tree.byPath(pagePath) ?? (await redirected(context.db, revision, tree, pagePath))
        if (!page) throw notFound()
        return answerPage(context, revision, page)
      },
    }),

    pageDocument: route({
      ...common,
      path: `${path}/page/:pageId/document`,
      summary: 'Get the body of a page as a document',
      params: withPage,
      query: DocumentQuery,
      returns: DocumentSchema,
      async handler(context) {
        const revision = await revisionOf(context)
        const { pageId } = context.params as { pageId: string }
        const page = await needPageRecord(context.db, revision, pageId)
        if (page.type !== 'document') throw notFound()
        return documentOf(context.db, revision, page)
      },
    }),

    reusableContent: route({
      ...common,
      path: `${path}/reusable-contents/:reusableContentId`,
      summary: 'Get reusable content',
      params: Type.Object({ spaceId: Id, ...base.params, reusableContentId: Id }),
      query: ContentQuery,
      returns: ReusableContent,
      async handler(context) {
        const { db, query } = context
        const revision = await revisionOf(context)
        const { reusableContentId } = context.params as { reusableContentId: string }
        const reusable = (await reusablesOf(db, revision)).get(reusableContentId)
        if (!reusable) throw notFound()
        return toReusableContent(reusable, query.metadata ?? true)
      },
    }),

    reusableContentDocument: route({
      ...common,
      path: `${path}/reusable-contents/:reusableContentId/document`,
      summary: 'Get the body of reusable content as a document',
      params: Type.Object({ spaceId: Id, ...base.params, reusableContentId: Id }),
      query: DocumentQuery,
      returns: DocumentSchema,
      async handler(context) {
        const revision = await revisionOf(context)
        const { reusableContentId } = context.params as { reusableContentId: string }
        const reusable = (await reusablesOf(context.db, revision)).get(reusableContentId)
        if (!reusable) throw notFound()
        const { document, path: file } = reusable
        return documentOf(context.db, revision, { document, file })
      },
    }),
  }
}
