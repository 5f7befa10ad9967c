import { Id } from '../../../model/common.ts'
import { onReadableChangeRequest } from '../../../model/sites/published/on-reader.ts'
import { bookRoute } from '../../../shared-routes/books.ts'

export const getChangeRequestPdf = bookRoute({
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId',
  of: 'a change request',
  access: onReadableChangeRequest(),
  params: { changeRequestId: Id },
  revision: ({ changeRequest }) => changeRequest.revisionId,
})
