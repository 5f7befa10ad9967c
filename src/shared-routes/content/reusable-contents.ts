import { notFound } from '../../http/errors.ts'
import { listItems, listOf } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { Id } from '../../model/common.ts'
import { reusablesOf } from '../../model/content/content.ts'
import { DocumentSchema } from '../../model/content/documents/document.ts'
import { ReusableContent, toReusableContent } from '../../model/content/documents/page.ts'
import { documentOf } from '../../model/content/documents/read-document.ts'
import { expandedPagesOf } from '../../model/openapi/computed-pages.ts'
import { commonOf, type ContentBase, forReaders, paramsOf, revisionOf, spaceIn } from './base.ts'
import { ContentQuery, DocumentQuery, FilesQuery } from './queries.ts'
import { answered, readerOf } from './requested.ts'

/** The routes that read the reusable content of a base. */
export function reusableContentRoutes<Subject extends object>(base: ContentBase<Subject>) {
  const path = `${base.path}/reusable-contents` as const
  return {
    reusableContents: route({
      ...commonOf(base),
      path,
      summary: 'List the reusable contents',
      params: paramsOf(base, {}),
      query: FilesQuery,
      returns: listOf(ReusableContent),
      async handler(context) {
        const { db, page, query } = context
        const all = [...(await reusablesOf(db, await revisionOf(base, context))).values()]
        const list = await listItems(all, page, { key: ({ id }) => [id] })
        const items = list.items.map((one) => toReusableContent(one, query.metadata ?? true))
        return { ...list, items }
      },
    }),

    reusableContent: route({
      ...commonOf(base),
      path: `${path}/:reusableContentId`,
      summary: 'Get reusable content',
      params: paramsOf(base, { reusableContentId: Id }),
      query: ContentQuery,
      returns: ReusableContent,
      async handler(context) {
        const { db, query } = context
        const revision = await revisionOf(base, context)
        const { reusableContentId } = context.params
        const reusable = (await reusablesOf(db, revision)).get(reusableContentId)
        if (!reusable) throw notFound('reusable content')
        return toReusableContent(reusable, query.metadata ?? true)
      },
    }),

    reusableContentDocument: route({
      ...forReaders(base),
      path: `${path}/:reusableContentId/document`,
      summary: 'Get the body of reusable content as a document',
      params: paramsOf(base, { reusableContentId: Id }),
      query: DocumentQuery,
      returns: DocumentSchema,
      async handler(context) {
        const revision = await revisionOf(base, context)
        const { reusableContentId } = context.params
        const reader = await readerOf(context, revision)
        if (reader) {
          const seen = await reader.reusableDocument(reusableContentId)
          if (!seen) throw notFound('reusable content')
          return seen
        }
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
