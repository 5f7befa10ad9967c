import { type Static, Type } from 'typebox'
import type { Row } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import { AUDIT_VERSION } from './audit-chain.ts'
import { oneOf, present, Timestamp, Uri } from './common.ts'

/** One change, as lists show it (api-facts 4.3). */
export const AuditEvent = Type.Object(
  {
    object: oneOf(['audit-event']),
    id: Type.String(),
    occurredAt: Timestamp,
    action: Type.String({ description: 'One of the ids of the audit event actions' }),
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
    urls: Type.Object({ location: Uri }),
  },
  { title: 'AuditEvent' },
)
export type AuditEvent = Static<typeof AuditEvent>

/** A change with what it changed and from where; `sequence`, `hash`, `token` and `ip` are ours. */
export const AuditEventDetail = Type.Object(
  {
    ...AuditEvent.properties,
    schemaVersion: Type.Integer(),
    correlationId: Type.Optional(Type.String({ description: 'The `X-Request-Id` of the request' })),
    token: Type.Optional(Type.String({ description: 'The id of the API token' })),
    ip: Type.Optional(Type.String()),
    sequence: Type.Integer({ description: '1, 2, 3 … in the organization' }),
    hash: Type.String({ description: 'SHA-256 of this event and the hash of the one before' }),
    payload: Type.Object({
      before: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      after: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      fields: Type.Optional(Type.Array(Type.String(), { description: 'The fields that the request had' })),
    }),
  },
  { title: 'AuditEventDetail' },
)
export type AuditEventDetail = Static<typeof AuditEventDetail>

export function toAuditEvent(at: Addresses, row: Row<'auditEvent'>): AuditEvent {
  return {
    object: 'audit-event',
    id: row.id,
    occurredAt: row.occurredAt,
    action: row.action,
    actor: {
      type: row.actorType as AuditEvent['actor']['type'],
      id: row.actorId,
      ...present({ label: row.actorLabel }),
    },
    source: row.source as AuditEvent['source'],
    target: { type: row.targetType, id: row.targetId, ...present({ label: row.targetLabel }) },
    urls: { location: at.api(`/orgs/${row.organizationId}/audit-events/${row.id}`) },
  }
}

export function toAuditEventDetail(at: Addresses, row: Row<'auditEvent'>): AuditEventDetail {
  return {
    ...toAuditEvent(at, row),
    schemaVersion: AUDIT_VERSION,
    ...present({ correlationId: row.requestId, token: row.tokenId, ip: row.ip }),
    sequence: row.sequence,
    hash: row.hash,
    payload: JSON.parse(row.payload) as AuditEventDetail['payload'],
  }
}
