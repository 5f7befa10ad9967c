import { onSpace } from '../../access/checks/on.ts'
import { InSpace } from '../../model/common.ts'
import { presenceRoute } from '../../shared-routes/presence.ts'

export const updatePresenceInSpace = presenceRoute({
  path: '/v1/spaces/:spaceId',
  kind: 'a space',
  access: onSpace('read'),
  params: InSpace.properties,
})
