import type { FileRecord } from '../../core/content/revision.ts'
import { notFound } from '../../http/errors.ts'
import { listItems, listOf } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { Id } from '../../model/common.ts'
import { filesOf } from '../../model/content/content.ts'
import { File, toFile } from '../../model/content/documents/page.ts'
import { type ContentBase, forReaders, paramsOf } from './base.ts'
import { ContentQuery, FilesQuery } from './queries.ts'
import { type Asked, requestedContent, type RequestedContent } from './requested.ts'

/** The routes that read the files of a base. */
export function fileRoutes<Subject extends object>(base: ContentBase<Subject>) {
  return {
    files: route({
      ...forReaders(base),
      path: `${base.path}/files`,
      summary: 'List the files',
      params: paramsOf(base, {}),
      query: FilesQuery,
      returns: listOf(File),
      async handler(context) {
        const { db, page } = context
        const content = await requestedContent(base, context)
        const { revision, reader } = content
        const files = (await reader?.files()) ?? [...(await filesOf(db, revision)).values()]
        const list = await listItems(files, page, { key: ({ id }) => [id] })
        return { ...list, items: list.items.map((file) => fileFrom(context, content, file)) }
      },
    }),

    file: route({
      ...forReaders(base),
      path: `${base.path}/files/:fileId`,
      summary: 'Get a file',
      params: paramsOf(base, { fileId: Id }),
      query: ContentQuery,
      returns: File,
      async handler(context) {
        const { db, params } = context
        const content = await requestedContent(base, context)
        const { fileId } = params
        const { revision, reader } = content
        const file = reader ? await reader.file(fileId) : (await filesOf(db, revision)).get(fileId)
        if (!file) throw notFound('file')
        return fileFrom(context, content, file)
      },
    }),
  }
}

/** A file as it is answered. */
export function fileFrom({ urls }: Asked, content: RequestedContent, file: FileRecord) {
  const { revision, metadata, reader } = content
  return toFile(urls, revision.spaceId, file, metadata, reader?.fileUrl(file))
}
