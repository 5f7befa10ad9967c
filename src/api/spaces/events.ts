import { onSpace } from '../../access/checks/on.ts'
import { route } from '../../http/route.ts'
import { InSpace } from '../../model/common.ts'

export const listenToSpace = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/events',
  summary: 'Listen to the changes of a space and its change requests',
  description:
    'A stream of server-sent events (`text/event-stream`). Events have ids and states, and no content. With the header `Last-Event-ID`, the stream begins after this event; the event `reset` means that the events after it are deleted, so load everything again. The server ends the stream when the caller loses access. A user can have 20 streams at once: another is refused with 429.',
  access: onSpace('read'),
  params: InSpace,
  returns: 'events',
  handler: async ({ space }) => ({ spaceId: space.id }),
})
