import { onChangeRequest } from '../../../access/on-change-request.ts'
import { batchRoutes } from '../../../shared-routes/batch.ts'
import { contentRoutes } from '../../../shared-routes/content.ts'
import { linksRoutes } from '../../../shared-routes/links.ts'
import { route } from '../../../http/route.ts'
import { ImportBody, ImportResult, prepareImport, toImportResult } from '../../../imports/content.ts'
import { writeImport } from '../../../imports/write.ts'
import {
  ancestorOf,
  ChangeRequest,
  InChangeRequest,
  refuseClosed,
  toChangeRequest,
} from '../../../model/proposals/change-request.ts'
import { Id } from '../../../model/common.ts'
import { needRevision } from '../../../model/content/commit.ts'

const family = contentRoutes({
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/content',
  access: onChangeRequest('read'),
  params: { changeRequestId: Id },
  revision: ({ db, space, changeRequest }) => needRevision(db, space.id, changeRequest.revisionId),
})

export const getRevisionOfChangeRequestById = family.revision
export const listPagesInChangeRequest = family.pages
export const listFilesInChangeRequestById = family.files
export const getFileInChangeRequestById = family.file
export const getPageInChangeRequestById = family.page
export const getPageInChangeRequestByPath = family.pageByPath
export const getPageDocumentInChangeRequestById = family.pageDocument
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

export const importContentInChangeRequest = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/content/import',
  summary: 'Import a zip archive or a Markdown file into a change request',
  description:
    'Works like an import into a space, even if the space is locked. The request fails with 409 if the change request is archived or merged.',
  access: onChangeRequest('edit'),
  params: InChangeRequest,
  body: ImportBody,
  returns: ImportResult,
  status: 201,
  location: ({ revision }, urls, { spaceId }) => urls.api(`/spaces/${spaceId}/revisions/${revision}`),
  async prepare(context) {
    refuseClosed(context.changeRequest)
    return prepareImport(context, context.body, context.space.organizationId)
  },
  async handler({ tx, me, space, changeRequest, body, prepared, now, newId, audit }) {
    refuseClosed(changeRequest)
    const parent = await needRevision(tx, space.id, changeRequest.revisionId)
    const by = { userId: me.userId, now, newId, changeRequest }
    const result = toImportResult(await writeImport(tx, parent, prepared, by), prepared)
    const { id, subject } = changeRequest
    audit({
      target: { type: 'change-request', id, label: subject },
      before: { revision: parent.id },
      after: { ...body, ...result },
    })
    return result
  },
})

export const updateContentInChangeRequest = batchRoutes({
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/content',
  summary: 'Update the content of a change request',
  description: 'The change request must be a draft or open.',
  access: onChangeRequest('edit'),
  params: { changeRequestId: Id },
  line({ changeRequest }) {
    refuseClosed(changeRequest)
    return { revisionId: changeRequest.revisionId, changeRequest, base: ancestorOf(changeRequest) }
  },
  name: 'changeRequest',
  returns: ChangeRequest,
  async show({ urls, db }, { changeRequest, organizationRole }, { id: revisionId, createdAt: updatedAt }) {
    return toChangeRequest(urls, db, { ...changeRequest, revisionId, updatedAt }, organizationRole !== null)
  },
  thing: ({ changeRequest: { id, subject } }) => ({ type: 'change-request', id, label: subject }),
  address: ({ space, changeRequest }) => `/spaces/${space.id}/change-requests/${changeRequest.id}/content`,
})
