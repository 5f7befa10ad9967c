import { Type } from 'typebox'
import { onOrg } from '../../access/on.ts'
import { notFound } from '../../http/errors.ts'
import { listOf, listPage, ListQuery, numberAfter } from '../../http/page.ts'
import { route } from '../../http/route.ts'
import { AuditEvent, AuditEventDetail, toAuditEvent, toAuditEventDetail } from '../../model/audit-event.ts'
import { Id, InOrganization, Timestamp } from '../../model/common.ts'

export const listAuditEvents = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/audit-events',
  summary: 'What was changed in an organization, newest first',
  description: 'Every change that was made is here. What was refused or failed changed nothing and is not.',
  access: onOrg('admin'),
  params: InOrganization,
  query: Type.Object({
    page: ListQuery.properties.page,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    from: Type.Optional(Timestamp),
    to: Type.Optional({ ...Timestamp, description: 'Only events before this' }),
    action: Type.Optional(Type.String({ maxLength: 128 })),
    actor: Type.Optional(Type.String({ maxLength: 64, description: 'The id of who made the change' })),
    target: Type.Optional(Type.String({ maxLength: 512, description: 'The id of what was changed' })),
  }),
  returns: listOf(AuditEvent),
  async handler({ db, at, organization, query, page }) {
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
    // The indexes of the filters hold all that is asked for here; the events themselves are then read one by one.
    const shown = listed
      .select('sequence')
      .where('sequence', '>=', first ?? 0)
      .where('sequence', '<=', last ?? 0)
      .$if(page.after !== undefined, (events) => events.where('sequence', '<', numberAfter(page) ?? 0))
      .orderBy('sequence', 'desc')
      .limit(page.limit + 1)
    const rows = await db
      .selectFrom('auditEvent')
      .selectAll()
      .where('organizationId', '=', organization.id)
      .where('sequence', 'in', shown)
      .orderBy('sequence', 'desc')
      .execute()
    const list = listPage(rows, Number(count), page, ({ sequence }) => [String(sequence)])
    return { ...list, items: list.items.map((row) => toAuditEvent(at, row)) }
  },
})

export const getAuditEventById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/audit-events/:auditEventId',
  summary: 'A change: who made it, from where, and what was before and after',
  access: onOrg('admin'),
  params: Type.Object({ ...InOrganization.properties, auditEventId: Id }),
  returns: AuditEventDetail,
  async handler({ db, at, organization, params }) {
    const row = await db
      .selectFrom('auditEvent')
      .selectAll()
      .where('id', '=', params.auditEventId)
      .where('organizationId', '=', organization.id)
      .executeTakeFirst()
    if (!row) throw notFound()
    return toAuditEventDetail(at, row)
  },
})

/** Times are compared as they are stored: in UTC, with milliseconds. */
function instant(time: string | undefined): string {
  return new Date(time ?? 0).toISOString()
}
