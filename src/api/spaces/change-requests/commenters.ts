import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import { commentersOf } from '../../../shared-routes/discussion/commenters.ts'
import { InChangeRequest } from '../../../model/proposals/change-request.ts'

export const listCommentersInChangeRequest = commentersOf({
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId',
  kind: 'change request',
  access: onChangeRequest,
  params: InChangeRequest.properties,
})
