import { type TSchema, Type } from 'typebox'
import type { OnSpace } from '../access/checks/on.ts'
import type { Row } from '../db/schema.ts'
import { unknownId } from '../http/errors.ts'
import { type Access, route } from '../http/route.ts'
import { Id, oneOf } from '../model/common.ts'
import { needRevision } from '../model/content/commit.ts'
import { putPresence } from '../model/events/presence.ts'
import { expandedPagesIn } from '../model/openapi/computed-pages.ts'

/** The base of a route with which clients say what they show: a space or a change request. */
export interface PresenceBase {
  path: `/v1/spaces/:spaceId${'' | '/change-requests/:changeRequestId'}`
  /** For messages: `a space`. */
  kind: string
  access: Access<OnSpace & { changeRequest?: Row<'changeRequest'> }>
  params: Record<string, TSchema>
}

/** The name that a client has in `ready`, or another one that it has chosen. */
const ClientName = Type.String({
  pattern: '^[A-Za-z0-9_.-]{1,64}$',
  'x-pattern': 'be 1 to 64 letters, digits, "_", "." or "-"',
})

/** The route with which a client says what it shows, shared by spaces and change requests. */
export function presenceRoute({ path, kind, access, params }: PresenceBase) {
  return route({
    method: 'PUT',
    path: `${path}/presence`,
    summary: `Show that the caller views or edits ${kind}`,
    description:
      'Those who listen to the events get an event `presence` with all clients that are present. It expires after 45 seconds, so send it again every 20 to 30 seconds. `client` is the name that the event `ready` has: the presence then also ends with that stream. A user can be present in 20 clients at once: another is refused with 429. The request fails with 400 if the content has no such page.',
    access,
    audit: false,
    params: Type.Object(params),
    body: Type.Object({
      client: ClientName,
      state: Type.Optional(oneOf(['viewing', 'editing'], { default: 'viewing' })),
      page: Type.Optional(Id),
      block: Type.Optional(
        Type.String({ minLength: 1, maxLength: 128, description: 'The key of a block of the page' }),
      ),
    }),
    // Not in the transaction, because reading a page tree for the first time takes a while.
    async prepare({ db, space, changeRequest, body: { page } }) {
      if (page === undefined) return
      const revision = await needRevision(db.read, space.id, (changeRequest ?? space).revisionId)
      const { tree } = await expandedPagesIn(db.read, revision)
      if (!tree.get(page)) throw unknownId('body.page', page, 'a page of this content')
    },
    async handler({ tx, me, space, changeRequest, body, now }) {
      const { client, state = 'viewing', page = null, block = null } = body
      const at = { spaceId: space.id, changeRequestId: changeRequest?.id ?? null }
      await putPresence(tx, { userId: me.userId, client, ...at, pageId: page, block, state }, now)
    },
  })
}
