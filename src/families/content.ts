import { Type, type TSchema } from 'typebox'
import type { PageRecord } from '../core/revision.ts'
import type { Reader, Row } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'
import { listOf, listPage, ListQuery, textAfter } from '../http/page.ts'
import { type Access, type Circumstances, route } from '../http/route.ts'
import { Id, oneOf } from '../model/common.ts'
import { documentOf, filesOf, needPage, pagesOf, reusablesOf, sourceOf } from '../model/content.ts'
import { DocumentSchema, toDocument } from '../model/document.ts'
import { redirected } from '../model/redirects.ts'
import {
  File,
  Page,
  ReusableContent,
  Revision,
  toFile,
  toPage,
  toReusableContent,
  toRevision,
} from '../model/page.ts'

/** Where content is read: under a space, a revision, a change request. */
export interface ContentBase<Subject extends object> {
  /** `/v1/spaces/:spaceId/content` and the like. */
  path: `/v1/spaces/:spaceId/${string}`
  access: Access<Subject>
  params: Record<string, TSchema>
  revision(context: { db: Reader; params: Record<string, string> } & Subject): Promise<Row<'revision'>>
  /** The base names one revision, so what is read there never changes. */
  immutable?: boolean
}

const Metadata = {
  metadata: Type.Optional(Type.Boolean({ default: true, description: 'Leave `git` out with false' })),
  computed: Type.Optional(
    Type.Boolean({ default: true, description: 'Do not produce computed content with false' }),
  ),
}
const ContentQuery = Type.Object(Metadata)
const FilesQuery = Type.Object({ ...ListQuery.properties, ...Metadata })
const PageQuery = Type.Object({
  ...Metadata,
  format: Type.Optional(
    oneOf(['document', 'markdown'], {
      default: 'document',
      description: 'How the body of the page is given',
    }),
  ),
  evaluated: Type.Optional(Type.String({ pattern: '^(true|false|deterministic-only)$' })),
  dereferenced: Type.Optional(Type.String({ pattern: '^(true|false|reusable-contents)$' })),
})
const DocumentQuery = Type.Pick(PageQuery, ['evaluated', 'dereferenced'])

/** The operations that read content, declared once for every base that has it. */
export function contentFamily<Subject extends object>(base: ContentBase<Subject>) {
  const { path, access, immutable } = base
  const withRevision = Type.Object({ spaceId: Id, ...base.params })
  const withPage = Type.Object({ spaceId: Id, ...base.params, pageId: Id })
  const common = { method: 'GET', access, ...(immutable ? { immutable } : {}) } as const

  // The subject is a type parameter here, so the compiler cannot see that it is what `base.revision` takes.
  const revisionOf = (context: object) =>
    base.revision(context as { db: Reader; params: Record<string, string> } & Subject)

  async function answerPage(
    context: Pick<Circumstances, 'at'> & { db: Reader; query: { format?: string; metadata?: boolean } },
    revision: Row<'revision'>,
    page: PageRecord,
  ) {
    const { db, at, query } = context
    const tree = await pagesOf(db, revision)
    return toPage(
      { at, tree, spaceId: revision.spaceId, metadata: query.metadata ?? true },
      page,
      await body(),
    )

    async function body() {
      if (page.type !== 'document') return undefined
      if (query.format === 'markdown')
        return { markdown: await sourceOf(db, revision.spaceId, page.document) }
      return { document: toDocument(await documentOf(db, revision, page)) }
    }
  }

  return {
    revision: route({
      ...common,
      path,
      summary: 'The whole content: page tree, files and reusable contents',
      params: withRevision,
      query: ContentQuery,
      returns: Revision,
      async handler(context) {
        const { db, at, query } = context
        const revision = await revisionOf(context)
        const tree = await pagesOf(db, revision)
        const files = await filesOf(db, revision)
        const reusables = await reusablesOf(db, revision)
        return toRevision(at, revision, tree, files.values(), reusables.values(), query.metadata ?? true)
      },
    }),

    pages: route({
      ...common,
      path: `${path}/pages`,
      summary: 'The page tree',
      params: withRevision,
      query: ContentQuery,
      returns: Type.Object({ pages: Type.Array(Page) }),
      async handler(context) {
        const { db, at, query } = context
        const revision = await revisionOf(context)
        const tree = await pagesOf(db, revision)
        const page = { at, tree, spaceId: revision.spaceId, metadata: query.metadata ?? true }
        return { pages: tree.children(null).map((record) => toPage(page, record)) }
      },
    }),

    files: route({
      ...common,
      path: `${path}/files`,
      summary: 'The files',
      params: withRevision,
      query: FilesQuery,
      returns: listOf(File),
      async handler(context) {
        const { db, at, query, page } = context
        const revision = await revisionOf(context)
        const files = await filesOf(db, revision)
        const after = textAfter(page) ?? ''
        const rest = [...files.values()].filter(({ id }) => id > after).slice(0, page.limit + 1)
        const shown = rest.map((file) => toFile(at, revision.spaceId, file, query.metadata ?? true))
        return listPage(shown, files.size, page, ({ id }) => [id])
      },
    }),

    file: route({
      ...common,
      path: `${path}/files/:fileId`,
      summary: 'A file',
      params: Type.Object({ spaceId: Id, ...base.params, fileId: Id }),
      query: ContentQuery,
      returns: File,
      async handler(context) {
        const { db, at, query, params } = context
        const revision = await revisionOf(context)
        const file = (await filesOf(db, revision)).get((params as { fileId: string }).fileId)
        if (!file) throw notFound()
        return toFile(at, revision.spaceId, file, query.metadata ?? true)
      },
    }),

    page: route({
      ...common,
      path: `${path}/page/:pageId`,
      summary: 'A page with its body',
      params: withPage,
      query: PageQuery,
      returns: Page,
      async handler(context) {
        const revision = await revisionOf(context)
        const { pageId } = context.params as { pageId: string }
        return answerPage(context, revision, await needPage(context.db, revision, pageId))
      },
    }),

    pageByPath: route({
      ...common,
      path: `${path}/path/:pagePath`,
      summary: 'A page by its path, or by one that it had',
      description: 'Slashes in the path are sent as `%2F`. Upper and lower case are the same.',
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
      summary: 'The body of a page as a document',
      params: withPage,
      query: DocumentQuery,
      returns: DocumentSchema,
      async handler(context) {
        const revision = await revisionOf(context)
        const { pageId } = context.params as { pageId: string }
        const page = await needPage(context.db, revision, pageId)
        if (page.type !== 'document') throw notFound()
        return toDocument(await documentOf(context.db, revision, page))
      },
    }),

    reusableContent: route({
      ...common,
      path: `${path}/reusable-contents/:reusableContentId`,
      summary: 'A reusable content',
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
      summary: 'The body of a reusable content as a document',
      params: Type.Object({ spaceId: Id, ...base.params, reusableContentId: Id }),
      query: DocumentQuery,
      returns: DocumentSchema,
      async handler(context) {
        const revision = await revisionOf(context)
        const { reusableContentId } = context.params as { reusableContentId: string }
        const reusable = (await reusablesOf(context.db, revision)).get(reusableContentId)
        if (!reusable) throw notFound()
        const { document, path: file } = reusable
        return toDocument(await documentOf(context.db, revision, { document, file }))
      },
    }),
  }
}
