import type { AuditedChange } from './audit.ts'
import { isRecord } from '../core/data/is-record.ts'
import type { Row, Tx } from '../db/schema.ts'
import type { EventOfRoute, Route } from '../http/route.ts'
import { appendSpaceEvents, type NewSpaceEvent } from '../model/events/event.ts'

/** Adds the events of a change to its space, in the transaction of the change. @returns whether there are any */
export async function writeEvents(tx: Tx, route: Route, change: AuditedChange): Promise<boolean> {
  const space = change.subject.space as Row<'space'> | undefined
  if (!space) return false

  const about = changeRequestOf(change)
  const after = await stateOf(tx, space.id, about?.id)
  const events = [
    ...(after && after.primary !== space.revisionId
      ? [{ kind: 'content' as const, data: { revision: after.primary } }]
      : []),
    ...(about && after?.changeRequest
      ? proposalEvents(about, after.changeRequest, after.primary, change.now)
      : []),
    ...(route.event ? [declaredEvent(route.event, route, change)] : []),
  ]
  const by = change.me.userId
  const announced = events.map((event): NewSpaceEvent => ({ ...event, data: { ...event.data, by } }))
  await appendSpaceEvents(tx, space.id, announced, change.now)
  return announced.length > 0
}

/** The change request of a change: that of the URL, or one that the change has made or updated besides. */
function changeRequestOf({
  subject,
  note,
}: AuditedChange): { id: string; before?: Row<'changeRequest'> } | undefined {
  const before = subject.changeRequest as Row<'changeRequest'> | undefined
  if (before) return { id: before.id, before }
  return note.changeRequestId === undefined ? undefined : { id: note.changeRequestId }
}

/** The newest content and the change request, as the change leaves them. */
async function stateOf(tx: Tx, spaceId: string, changeRequestId: string | undefined) {
  const space = await tx.selectFrom('space').select('revisionId').where('id', '=', spaceId).executeTakeFirst()
  if (!space) return undefined
  const changeRequest =
    changeRequestId === undefined
      ? undefined
      : await tx.selectFrom('changeRequest').selectAll().where('id', '=', changeRequestId).executeTakeFirst()
  return { primary: space.revisionId, changeRequest }
}

/** Returns the events of a change request, from its row after the change and, if the URL named it, its row before. */
function proposalEvents(
  { id, before }: { id: string; before?: Row<'changeRequest'> },
  after: Row<'changeRequest'>,
  primary: string,
  now: Date,
): NewSpaceEvent[] {
  const { revisionId, status, createdAt } = after
  const isEdited = before !== undefined && before.revisionId !== revisionId
  const columns = Object.keys(after) as (keyof typeof after)[]
  // All columns, because two changes within a millisecond have the same `updatedAt`.
  const isChanged =
    before?.status !== status || (!isEdited && columns.some((one) => before[one] !== after[one]))
  const isNew = createdAt === now.toISOString()
  const of = { changeRequestId: id }
  const events: NewSpaceEvent[] = []
  if (isEdited) events.push({ ...of, kind: 'content', data: { revision: revisionId } })
  if (isChanged)
    events.push({ ...of, kind: 'change-request', data: { change: isNew ? 'created' : 'updated', status } })
  if (before && before.status !== status && status === 'merged')
    events.push({ ...of, kind: 'merge', data: { revision: primary } })
  return events
}

/** The event that a route declares, with the ids of its URL and of its response. */
function declaredEvent(
  kind: EventOfRoute,
  { method }: Route,
  { params, subject, answer }: AuditedChange,
): NewSpaceEvent {
  const { id, status } = isRecord(answer) ? answer : {}
  const isCreated = method === 'POST' && !namesPost(kind, params)
  const change = isCreated ? 'created' : method === 'DELETE' ? 'deleted' : 'updated'
  const made = change === 'created' && typeof id === 'string' ? id : undefined
  const ids: Record<EventOfRoute, object> = {
    comment: { comment: made ?? params.commentId, ...(typeof status === 'string' && { status }) },
    reply: { comment: params.commentId, reply: made ?? params.commentReplyId },
    review: { review: made ?? params.reviewId },
    'review-request': {},
  }
  const { id: changeRequestId } = (subject.changeRequest ?? {}) as { id?: string }
  return { kind, changeRequestId, data: { change, ...ids[kind] } }
}

/** Whether a URL names the comment, reply or review that an event is about, so that its request creates none. */
export function namesPost(kind: EventOfRoute, params: AuditedChange['params']): boolean {
  const names = {
    comment: 'commentId',
    reply: 'commentReplyId',
    review: 'reviewId',
    'review-request': 'userId',
  }
  return params[names[kind]] !== undefined
}
