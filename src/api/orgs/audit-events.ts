import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import { notFound } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import {
  AuditEvent,
  AuditEventDetail,
  LISTED_COLUMNS,
  screensOfTargets,
  toAuditEvent,
  toAuditEventDetail,
} from '../../model/audit/event.ts'
import { Id, InOrganization, Timestamp } from '../../model/common.ts'

export const listAuditEvents = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/audit-events',
  summary: 'List the audit events of an organization, newest first',
  description:
    'The log holds every change. It does not hold requests that failed, because they changed nothing.',
  access: onOrg('admin'),
  params: InOrganization,
  query: Type.Object({
    page: ListQuery.properties.page,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    from: Type.Optional(Timestamp),
    to: Type.Optional({ ...Timestamp, description: 'Return only events before this time' }),
    action: Type.Optional(Type.String({ maxLength: 128 })),
    actor: Type.Optional(
      Type.String({ maxLength: 64, description: 'The id of the user who made the change' }),
    ),
    target: Type.Optional(
      Type.String({ maxLength: 512, description: 'The id of the resource that was changed' }),
    ),
  }),
  returns: listOf(AuditEvent),
  async handler({ db, urls, organization, query, page }) {
    const { from, to, action, actor, target } = query
    const listed = db
      .selectFrom('auditEvent')
      .where('organizationId', '=', organization.id)
      .$if(from !== undefined, (events) => events.where('occurredAt', '>=', instant(from)))
      .$if(to !== undefined, (events) => events.where('occurredAt', '<', instant(to)))
      .$if(action !== undefined, (events) => events.where('action', '=', action ?? ''))
      .$if(actor !== undefined, (events) => events.where('actorId', '=', actor ?? ''))
      .$if(target !== undefined, (events) => events.where('targetId', '=', target ?? ''))
    // Counting finds where in the log they begin and end, so that a page reads nothing outside: when something happened
    // is nearly in the order of the log, but a long change is logged after shorter ones that began later.
    const { count, first, last } = await listed
      .select((eb) => [
        eb.fn.countAll().as('count'),
        eb.fn.min('sequence').as('first'),
        eb.fn.max('sequence').as('last'),
      ])
      .executeTakeFirstOrThrow()
    // The index of each filter holds the sequence numbers, so only the events of this page are read from the table.
    const within = listed
      .select('sequence')
      .where('sequence', '>=', first ?? 0)
      .where('sequence', '<=', last ?? 0)
    const list = await listRows(within, page, {
      by: ['sequence'],
      order: 'desc',
      numeric: true,
      count: () => Number(count),
    })
    if (list.items.length === 0) return { ...list, items: [] }
    const shown = list.items.map(({ sequence }) => sequence)
    const rows = await db
      .selectFrom('auditEvent')
      .select(LISTED_COLUMNS)
      .where('organizationId', '=', organization.id)
      .where('sequence', 'in', shown)
      .orderBy('sequence', 'desc')
      .execute()
    const screens = await screensOfTargets(db, organization.id, rows)
    return { ...list, items: rows.map((row) => toAuditEvent(urls, row, screens)) }
  },
})

export const getAuditEventById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/audit-events/:auditEventId',
  summary: 'Get an audit event, with the values before and after',
  access: onOrg('admin'),
  params: Type.Object({ ...InOrganization.properties, auditEventId: Id }),
  returns: AuditEventDetail,
  async handler({ db, urls, organization, params }) {
    const row = await db
      .selectFrom('auditEvent')
      .selectAll()
      .where('id', '=', params.auditEventId)
      .where('organizationId', '=', organization.id)
      .executeTakeFirst()
    if (!row) throw notFound('audit event')
    return toAuditEventDetail(urls, row, await screensOfTargets(db, organization.id, [row]))
  },
})

/** Times are compared as they are stored: in UTC, with milliseconds. */
function instant(time: string | undefined): string {
  return new Date(time ?? 0).toISOString()
}
