import { route } from '../../http/route.ts'
import { filesOf, reusablesOf } from '../../model/content/content.ts'
import { toPages } from '../../model/content/documents/page.ts'
import { Revision, revisionForReader, tagsIn, toRevision } from '../../model/history/revision.ts'
import { type ContentBase, forReaders, paramsOf } from './base.ts'
import { fileFrom, fileRoutes } from './files.ts'
import { pageRoutes, pageTreeRoutes } from './pages.ts'
import { RevisionQuery } from './queries.ts'
import { answered, pagesFrom, requestedContent } from './requested.ts'
import { reusableContentRoutes } from './reusable-contents.ts'

/** The routes that read content, shared by spaces, revisions and change requests. */
export function contentRoutes<Subject extends object>(base: ContentBase<Subject>) {
  return {
    ...revisionRoutes(base),
    ...pageTreeRoutes(base),
    ...fileRoutes(base),
    ...pageRoutes(base),
    ...reusableContentRoutes(base),
  }
}

function revisionRoutes<Subject extends object>(base: ContentBase<Subject>) {
  return {
    revision: route({
      ...forReaders(base),
      path: base.path,
      summary: 'Get a revision with its page tree, files and reusable content',
      params: paramsOf(base, {}),
      query: RevisionQuery,
      returns: Revision,
      async handler(context) {
        const { db, urls, query } = context
        const content = await requestedContent(base, context)
        const { revision, reader } = content
        if (reader) {
          const files = await reader.files()
          return revisionForReader(urls, revision, {
            pages: toPages(pagesFrom(context, content), null),
            files: files.map((file) => fileFrom(context, content, file)),
            tags: tagsIn(content.tree),
          })
        }
        const files = await filesOf(db, revision)
        const reusables = await reusablesOf(db, revision)
        const answer = toRevision(pagesFrom(context, content), files, reusables)
        const isAlone = query.descendants === false
        return answered(
          isAlone ? { ...answer, pages: [], files: [], reusableContents: [] } : answer,
          content.expanded,
        )
      },
    }),
  }
}
