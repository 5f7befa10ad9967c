import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import { batchRoutes, editedLine } from '../../../shared-routes/batch.ts'
import { contentRoutes } from '../../../shared-routes/content/routes.ts'
import { importRoutes } from '../../../shared-routes/imports.ts'
import { linksRoutes } from '../../../shared-routes/links.ts'
import { pageRevisionsRoute } from '../../../shared-routes/page-revisions.ts'
import { ChangeRequest, refuseClosed, toChangeRequest } from '../../../model/proposals/change-request.ts'
import { Id } from '../../../model/common.ts'
import { onReadableChangeRequest } from '../../../model/sites/published/on-reader.ts'
import { needRevision } from '../../../model/content/commit.ts'

const family = contentRoutes({
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/content',
  access: onReadableChangeRequest(),
  params: { changeRequestId: Id },
  revision: ({ db, space, changeRequest }) => needRevision(db, space.id, changeRequest.revisionId),
})

export const getRevisionOfChangeRequestById = family.revision
export const listPagesInChangeRequest = family.pages
export const listPageOutlineInChangeRequest = family.outline
export const listFilesInChangeRequestById = family.files
export const getFileInChangeRequestById = family.file
export const getPageInChangeRequestById = family.page
export const getPageInChangeRequestByPath = family.pageByPath
export const getPageDocumentInChangeRequestById = family.pageDocument
export const listChangeRequestPageMetaLinks = family.pageMetaLinks
export const listReusableContentsInChangeRequest = family.reusableContents
export const getReusableContentInChangeRequestById = family.reusableContent
export const getReusableContentDocumentInChangeRequestById = family.reusableContentDocument

const links = linksRoutes({
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/content',
  access: onChangeRequest('read'),
  params: { changeRequestId: Id },
})

export const listPageLinksInChangeRequest = links.pageLinks
export const listChangeRequestPageBacklinks = links.pageBacklinks
export const listChangeRequestFileBacklinks = links.fileBacklinks
export const listChangeRequestReusableContentBacklinks = links.reusableContentBacklinks

export const listPageRevisionsInChangeRequest = pageRevisionsRoute({
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/content',
  name: 'a change request',
  access: onChangeRequest('read'),
  params: { changeRequestId: Id },
})

const imports = importRoutes({
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/content',
  name: 'a change request',
  rule: 'The space may be locked. The request fails with 409 if the change request is archived or merged.',
  access: onChangeRequest('edit'),
  params: { changeRequestId: Id },
  changeRequest: ({ changeRequest }) => changeRequest,
  refuse: ({ changeRequest }) => refuseClosed(changeRequest),
  thing: ({ changeRequest: { id, subject } }) => ({ type: 'change-request', id, label: subject }),
  action: 'space.change-request.content.import',
})

export const importContentInChangeRequest = imports.content
export const importContentInChangeRequestPageById = imports.page

export const updateContentInChangeRequest = batchRoutes({
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/content',
  summary: 'Update the content of a change request',
  description: 'The change request must be a draft or open.',
  access: onChangeRequest('edit'),
  params: { changeRequestId: Id },
  line: (subject) => editedLine(subject),
  name: 'changeRequest',
  returns: ChangeRequest,
  async show({ urls, db }, { changeRequest, organizationRole }, { id: revisionId, createdAt: updatedAt }) {
    return toChangeRequest(urls, db, { ...changeRequest, revisionId, updatedAt }, organizationRole !== null)
  },
  thing: ({ changeRequest: { id, subject } }) => ({ type: 'change-request', id, label: subject }),
  address: ({ space, changeRequest }) => `/spaces/${space.id}/change-requests/${changeRequest.id}/content`,
})
