import { Type, type TSchema } from 'typebox'
import type { FileRecord, PageRecord } from '../core/content/revision.ts'
import type { Reader, Row } from '../db/schema.ts'
import { notForEver } from '../http/answer.ts'
import { notFound } from '../http/errors.ts'
import { listItems, listOf } from '../http/pagination.ts'
import { type Access, type HandlerContext, route } from '../http/route.ts'
import { Id } from '../model/common.ts'
import { filesOf, pagesOf, reusablesOf, sourceOf } from '../model/content/content.ts'
import { DocumentSchema } from '../model/content/document.ts'
import { documentOf, documentOfMarkdown } from '../model/content/read-document.ts'
import { computedMarkdown, expandedPagesOf } from '../model/openapi/computed-pages.ts'
import type { SpaceReading } from '../model/sites/published/on-reader.ts'
import { readerContent } from '../model/sites/published/reader-content.ts'
import { redirected } from '../model/sites/redirects.ts'
import {
  File,
  Page,
  ReusableContent,
  toFile,
  toPage,
  withoutDescendants,
  toPages,
  toReusableContent,
} from '../model/content/page.ts'
import { OutlinePage, outlinePages, toOutlinePage } from '../model/content/outline.ts'
import { Revision, revisionForReader, toRevision } from '../model/history/revision.ts'
import {
  ContentQuery,
  DocumentQuery,
  FilesQuery,
  OutlineQuery,
  PageQuery,
  RevisionQuery,
} from './content-queries.ts'

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

/** The context of a request for content. */
type Asked = Pick<HandlerContext, 'urls'> & {
  db: Reader
  query: { format?: string; metadata?: boolean; computed?: boolean; descendants?: boolean }
}

/** The routes that read content, shared by spaces, revisions and change requests. */
export function contentRoutes<Subject extends object>(base: ContentBase<Subject>) {
  const { path, access, immutable } = base
  const withRevision = Type.Object({ spaceId: Id, ...base.params })
  const withPage = Type.Object({ spaceId: Id, ...base.params, pageId: Id })
  const common = { method: 'GET', access, ...(immutable ? { immutable } : {}) } as const
  const forReaders = { ...common, readers: true } as const

  // The subject is a type parameter here, so the compiler cannot see that it is what `base.revision` takes.
  const revisionOf = (context: object) =>
    base.revision(context as { db: Reader; params: Record<string, string> } & Subject)

  /** The revision of a request, and for readers of a site, what they may see of it. */
  async function contentOf(context: Asked & object) {
    const { db, query } = context
    const revision = await revisionOf(context)
    const reader = await readerOf(context, revision)
    if (reader) return { revision, reader, tree: reader.tree, metadata: false }
    const metadata = query.metadata ?? true
    const folded = await pagesOf(db, revision)
    if (query.computed === false) return { revision, tree: folded, metadata }
    const expanded = await expandedPagesOf(db, spaceIn(context).organizationId, revision)
    return { revision, tree: expanded.shown, folded, metadata, expanded }
  }

  const spaceIn = (context: object) => (context as { space: Row<'space'> }).space

  /** An answer, which may change if something in it is computed. */
  const answered = <T extends object>(answer: T, computed: { version: string } | undefined): T =>
    computed && computed.version !== '' ? notForEver(answer) : answer

  /** The body of a page that was made for a computed page; undefined for other pages. */
  const computedSource = (context: { db: Reader }, page: PageRecord) =>
    computedMarkdown(context.db, spaceIn(context).organizationId, page)

  async function readerOf(
    context: { reading?: SpaceReading } & Pick<Asked, 'db' | 'urls'>,
    revision: Row<'revision'>,
  ) {
    return context.reading && readerContent(context, context.reading, revision)
  }

  type Content = Awaited<ReturnType<typeof contentOf>>

  const pagesFrom = ({ urls }: Asked, { revision, tree, metadata, reader, expanded }: Content) => ({
    urls,
    revision,
    tree,
    metadata,
    reader: reader?.version,
    computed: expanded,
  })

  const fileFrom = ({ urls }: Asked, { revision, metadata, reader }: Content, file: FileRecord) =>
    toFile(urls, revision.spaceId, file, metadata, reader?.fileUrl(file))

  async function answerPage(context: Asked, content: Content, page: PageRecord | undefined) {
    if (!page) throw notFound('page')
    const { db, query } = context
    const { revision, reader } = content
    const shown = toPage(pagesFrom(context, content), page, await body(page))
    const isAlone = query.descendants === false
    return answered(isAlone ? withoutDescendants(shown) : shown, content.expanded)

    async function body({ type, document, file }: PageRecord) {
      if (type !== 'document' || !page || query.format === 'none') return undefined
      const isMarkdown = query.format === 'markdown'
      if (reader)
        return isMarkdown
          ? { markdown: await reader.markdown(page) }
          : { document: await reader.document(page) }
      const computed = await computedSource(context, page)
      const { spaceId } = revision
      if (isMarkdown) return { markdown: computed ?? (await sourceOf(db, spaceId, document)) }
      const isStored = computed === undefined
      return {
        document: await (isStored
          ? documentOf(db, revision, { document, file }, content.expanded)
          : documentOfMarkdown(db, spaceId, computed)),
      }
    }
  }

  return {
    revision: route({
      ...forReaders,
      path,
      summary: 'Get a revision with its page tree, files and reusable content',
      params: withRevision,
      query: RevisionQuery,
      returns: Revision,
      async handler(context) {
        const { db, urls } = context
        const content = await contentOf(context)
        const { revision, reader } = content
        if (reader) {
          const files = await reader.files()
          return revisionForReader(urls, revision, {
            pages: toPages(pagesFrom(context, content), null),
            files: files.map((file) => fileFrom(context, content, file)),
          })
        }
        const files = await filesOf(db, revision)
        const reusables = await reusablesOf(db, revision)
        const answer = toRevision(pagesFrom(context, content), files, reusables)
        const isAlone = context.query.descendants === false
        return answered(
          isAlone ? { ...answer, pages: [], files: [], reusableContents: [] } : answer,
          content.expanded,
        )
      },
    }),

    pages: route({
      ...forReaders,
      path: `${path}/pages`,
      summary: 'List the page tree',
      params: withRevision,
      query: ContentQuery,
      returns: Type.Object({ pages: Type.Array(Page) }),
      async handler(context) {
        const content = await contentOf(context)
        return answered({ pages: toPages(pagesFrom(context, content), null) }, content.expanded)
      },
    }),

    outline: route({
      ...forReaders,
      path: `${path}/outline`,
      summary: 'List the pages of levels of the page tree',
      description:
        'By default, the top level. Large page trees are read level by level, and each page has the number of pages directly below it. Of `parent`, `parents`, `path`, `query` and `ids`, only the first that is sent counts.',
      params: withRevision,
      query: OutlineQuery,
      returns: listOf(OutlinePage),
      async handler(context) {
        const { page, query } = context
        const content = await contentOf(context)
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

    files: route({
      ...forReaders,
      path: `${path}/files`,
      summary: 'List the files',
      params: withRevision,
      query: FilesQuery,
      returns: listOf(File),
      async handler(context) {
        const { db, page } = context
        const content = await contentOf(context)
        const { revision, reader } = content
        const files = (await reader?.files()) ?? [...(await filesOf(db, revision)).values()]
        const list = await listItems(files, page, { key: ({ id }) => [id] })
        return { ...list, items: list.items.map((file) => fileFrom(context, content, file)) }
      },
    }),

    file: route({
      ...forReaders,
      path: `${path}/files/:fileId`,
      summary: 'Get a file',
      params: Type.Object({ spaceId: Id, ...base.params, fileId: Id }),
      query: ContentQuery,
      returns: File,
      async handler(context) {
        const { db, params } = context
        const content = await contentOf(context)
        const { fileId } = params as { fileId: string }
        const { revision, reader } = content
        const file = reader ? await reader.file(fileId) : (await filesOf(db, revision)).get(fileId)
        if (!file) throw notFound('file')
        return fileFrom(context, content, file)
      },
    }),

    page: route({
      ...forReaders,
      path: `${path}/page/:pageId`,
      summary: 'Get a page with its body',
      params: withPage,
      query: PageQuery,
      returns: Page,
      async handler(context) {
        const content = await contentOf(context)
        const { pageId } = context.params as { pageId: string }
        // The page that others stand for can still be read by its id.
        return answerPage(context, content, content.tree.get(pageId) ?? content.folded?.get(pageId))
      },
    }),

    pageByPath: route({
      ...forReaders,
      path: `${path}/path/:pagePath`,
      summary: 'Get a page by its current path or an earlier one',
      description: 'Send slashes in the path as `%2F`. Case is ignored.',
      params: Type.Object({ spaceId: Id, ...base.params, pagePath: Type.String({ maxLength: 4096 }) }),
      query: PageQuery,
      returns: Page,
      async handler(context) {
        const content = await contentOf(context)
        const { revision, tree } = content
        const { pagePath } = context.params as { pagePath: string }
        const page = tree.byPath(pagePath) ?? (await redirected(context.db, revision, tree, pagePath))
        return answerPage(context, content, page)
      },
    }),

    pageDocument: route({
      ...forReaders,
      path: `${path}/page/:pageId/document`,
      summary: 'Get the body of a page as a document',
      params: withPage,
      query: DocumentQuery,
      returns: DocumentSchema,
      async handler(context) {
        const { db } = context
        const { pageId } = context.params as { pageId: string }
        const revision = await revisionOf(context)
        const reader = await readerOf(context, revision)
        const expanded = await expandedPagesOf(db, spaceIn(context).organizationId, revision)
        const page = reader ? reader.tree.get(pageId) : expanded.tree.get(pageId)
        if (page?.type !== 'document') throw notFound('page')
        if (reader) return reader.document(page)
        const computed = await computedSource(context, page)
        const isStored = computed === undefined
        const document = isStored
          ? await documentOf(db, revision, page, expanded)
          : await documentOfMarkdown(db, revision.spaceId, computed)
        return answered(document, expanded)
      },
    }),

    reusableContents: route({
      ...common,
      path: `${path}/reusable-contents`,
      summary: 'List the reusable contents',
      params: withRevision,
      query: FilesQuery,
      returns: listOf(ReusableContent),
      async handler(context) {
        const { db, page, query } = context
        const all = [...(await reusablesOf(db, await revisionOf(context))).values()]
        const list = await listItems(all, page, { key: ({ id }) => [id] })
        const items = list.items.map((one) => toReusableContent(one, query.metadata ?? true))
        return { ...list, items }
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
        if (!reusable) throw notFound('reusable content')
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
        if (!reusable) throw notFound('reusable content')
        const { document, path: file } = reusable
        const expanded = await expandedPagesOf(context.db, spaceIn(context).organizationId, revision)
        const body = await documentOf(context.db, revision, { document, file }, expanded)
        return answered(body, expanded)
      },
    }),
  }
}
