import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import { route } from '../../../http/route.ts'
import { InChangeRequest } from '../../../model/proposals/change-request.ts'

export const listenToChangeRequest = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/events',
  summary: 'Listen to the changes of a change request',
  description:
    'A stream of server-sent events like that of the space, with the events of this change request, and `content` when the primary content changes. The ids of events are those of the space.',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  returns: 'events',
  handler: async ({ space, changeRequest }) => ({ spaceId: space.id, changeRequestId: changeRequest.id }),
})
