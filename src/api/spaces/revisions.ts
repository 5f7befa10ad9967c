import { onSpace } from '../../access/on.ts'
import { contentFamily } from '../../families/content.ts'
import { Id } from '../../model/common.ts'
import { needRevision } from '../../model/revision.ts'

const family = contentFamily({
  path: '/v1/spaces/:spaceId/revisions/:revisionId',
  access: onSpace('read'),
  params: { revisionId: Id },
  revision: ({ db, space, params }) => needRevision(db, space.id, params.revisionId ?? ''),
  immutable: true,
})

export const getRevisionById = family.revision
export const listPagesInRevisionById = family.pages
export const listFilesInRevisionById = family.files
export const getFileInRevisionById = family.file
export const getPageInRevisionById = family.page
export const getPageInRevisionByPath = family.pageByPath
export const getPageDocumentInRevisionById = family.pageDocument
export const getReusableContentInRevisionById = family.reusableContent
export const getReusableContentDocumentInRevisionById = family.reusableContentDocument
