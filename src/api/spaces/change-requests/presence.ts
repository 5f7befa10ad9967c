import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import { InChangeRequest } from '../../../model/proposals/change-request.ts'
import { presenceRoute } from '../../../shared-routes/presence.ts'

export const updatePresenceInChangeRequest = presenceRoute({
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId',
  kind: 'a change request',
  access: onChangeRequest('read'),
  params: InChangeRequest.properties,
})
