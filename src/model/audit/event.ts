import { type Static, Type } from 'typebox'
import type { Reader, Row } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { AUDIT_VERSION } from './chain.ts'
import { oneOf, omitNullish, Timestamp, Uri } from '../common.ts'

/** A change, as lists return it. */
export const AuditEvent = Type.Object(
  {
    object: oneOf(['audit-event']),
    id: Type.String(),
    occurredAt: Timestamp,
    action: Type.String({ description: 'The id of an audit event action' }),
    actor: Type.Object({
      type: oneOf(['user', 'integration', 'installation', 'system', 'support']),
      id: Type.String(),
      label: Type.Optional(Type.String()),
    }),
    source: oneOf(['ui', 'api', 'integration', 'webhook', 'workflow', 'script', 'support']),
    target: Type.Object({
      type: Type.String(),
      id: Type.String(),
      label: Type.Optional(Type.String()),
    }),
    urls: Type.Object({
      location: Uri,
      app: Type.Optional({ ...Uri, description: 'The screen of the target, if it is a change request' }),
    }),
  },
  { title: 'AuditEvent' },
)
export type AuditEvent = Static<typeof AuditEvent>

/** A change with its values and its origin. The fields `sequence`, `hash`, `token` and `ip` extend the API. */
export const AuditEventDetail = Type.Object(
  {
    ...AuditEvent.properties,
    schemaVersion: Type.Integer(),
    correlationId: Type.Optional(Type.String({ description: 'The `X-Request-Id` of the request' })),
    token: Type.Optional(Type.String({ description: 'The id of the API token' })),
    ip: Type.Optional(Type.String()),
    sequence: Type.Integer({ description: 'The position in the log of the organization: 1, 2, 3 …' }),
    hash: Type.String({ description: 'The SHA-256 of this event and the hash of the previous one' }),
    payload: Type.Object({
      before: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      after: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      fields: Type.Optional(
        Type.Array(Type.String(), { description: 'The names of the fields in the request' }),
      ),
    }),
  },
  { title: 'AuditEventDetail' },
)
export type AuditEventDetail = Static<typeof AuditEventDetail>

/** The columns that a list shows. The others are large. */
export const LISTED_COLUMNS = [
  'id',
  'organizationId',
  'occurredAt',
  'action',
  'actorType',
  'actorId',
  'actorLabel',
  'source',
  'targetType',
  'targetId',
  'targetLabel',
] as const

type ListedEvent = Pick<Row<'auditEvent'>, (typeof LISTED_COLUMNS)[number]>

/** The paths of the screens of targets, by their ids: of the change requests that an organization still has. */
export async function screensOfTargets(
  db: Reader,
  organizationId: string,
  events: readonly ListedEvent[],
): Promise<ReadonlyMap<string, string>> {
  const ids = events.flatMap((event) => (event.targetType === 'change-request' ? [event.targetId] : []))
  if (ids.length === 0) return new Map()
  const found = await db
    .selectFrom('changeRequest')
    .innerJoin('space', 'space.id', 'changeRequest.spaceId')
    .select(['changeRequest.id', 'changeRequest.spaceId', 'changeRequest.number'])
    .where('changeRequest.id', 'in', ids)
    .where('space.organizationId', '=', organizationId)
    .where('space.deletedAt', 'is', null)
    .execute()
  return new Map(found.map(({ id, spaceId, number }) => [id, `/s/${spaceId}/~/changes/${number}`]))
}

export function toAuditEvent(urls: Urls, row: ListedEvent, screens: ReadonlyMap<string, string>): AuditEvent {
  const screen = screens.get(row.targetId)
  return {
    object: 'audit-event',
    id: row.id,
    occurredAt: row.occurredAt,
    action: row.action,
    actor: {
      type: row.actorType as AuditEvent['actor']['type'],
      id: row.actorId,
      ...omitNullish({ label: row.actorLabel }),
    },
    source: row.source as AuditEvent['source'],
    target: { type: row.targetType, id: row.targetId, ...omitNullish({ label: row.targetLabel }) },
    urls: {
      location: urls.api(`/orgs/${row.organizationId}/audit-events/${row.id}`),
      ...(screen === undefined ? {} : { app: urls.app(screen) }),
    },
  }
}

export function toAuditEventDetail(
  urls: Urls,
  row: Row<'auditEvent'>,
  screens: ReadonlyMap<string, string>,
): AuditEventDetail {
  return {
    ...toAuditEvent(urls, row, screens),
    schemaVersion: AUDIT_VERSION,
    ...omitNullish({ correlationId: row.requestId, token: row.tokenId, ip: row.ip }),
    sequence: row.sequence,
    hash: row.hash,
    payload: JSON.parse(row.payload) as AuditEventDetail['payload'],
  }
}
