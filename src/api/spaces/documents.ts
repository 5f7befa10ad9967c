import { Type } from 'typebox'
import type { Reader } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { Id } from '../../model/common.ts'
import { needRevision } from '../../model/content/commit.ts'
import { reusablesOf, sourcesOf } from '../../model/content/content.ts'
import { DocumentSchema } from '../../model/content/documents/document.ts'
import { documentOf, documentOfMarkdown } from '../../model/content/documents/read-document.ts'
import { expandedPagesOf } from '../../model/openapi/computed-pages.ts'
import { readerContent } from '../../model/sites/published/content/reader-content.ts'
import { onReadableSpace } from '../../model/sites/published/on-reader.ts'

export const getDocumentById = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/documents/:documentId',
  summary: 'Get a document by its id',
  description:
    '`documentId` of a page, or `document` of reusable content, names it. If the primary content has a page or reusable content with this document, its links are resolved from there. A site token reads the documents of the pages that its reader sees.',
  access: onReadableSpace(),
  readers: true,
  params: Type.Object({ spaceId: Id, documentId: Id }),
  returns: DocumentSchema,
  async handler({ db, urls, space, reading, params }) {
    const { documentId } = params
    const revision = await needRevision(db, space.id, reading?.variant.revisionId ?? space.revisionId)
    if (reading) {
      const reader = await readerContent({ db, urls }, reading, revision)
      const page = reader.tree.pages().find(({ document }) => document === documentId)
      if (page) return reader.document(page)
      const reusable = await reusableWith(db, revision, documentId)
      const seen = reusable && (await reader.reusableDocument(reusable.id))
      if (!seen) throw notFound('document')
      return seen
    }
    const expanded = await expandedPagesOf(db, space.organizationId, revision)
    const page = expanded.tree.pages().find(({ document }) => document === documentId)
    const file = page?.file ?? (await reusableWith(db, revision, documentId))?.path
    const source = (await sourcesOf(db, space.id, [documentId])).get(documentId)
    if (source === undefined) throw notFound('document')
    if (page || file !== undefined) return documentOf(db, revision, { document: documentId, file }, expanded)
    return documentOfMarkdown(db, space.id, source)
  },
})

async function reusableWith(
  db: Reader,
  revision: Parameters<typeof reusablesOf>[1],
  documentId: string,
): Promise<{ id: string; path?: string } | undefined> {
  return [...(await reusablesOf(db, revision)).values()].find(({ document }) => document === documentId)
}
