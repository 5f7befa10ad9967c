import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { giveTurn, isTurnOver, nextTurn } from '../../../core/runtime/turns.ts'
import { chunks } from '../../../db/chunks.ts'
import type { Database } from '../../../db/schema.ts'
import { invalid, invalidField } from '../../../http/errors.ts'
import { oneOf, Timestamp } from '../../common.ts'
import { type InsightCounts, dimensionOf, InsightColumn, measureOf, ratingsOf } from './insight-columns.ts'
import { because } from '../../../core/languages/reasons.ts'

/** The events that one statement reads. SQLite holds the event loop meanwhile, and PostgreSQL while the rows arrive. */
const EVENTS_AT_ONCE = 4_000
/** The events and groups of one query. */
const EVENTS_MOST = 2_000_000
const GROUPS_MOST = 50_000
const DAY_MS = 24 * 3_600_000
const PRESETS = { last24Hours: 1, last7Days: 7, last30Days: 30, last3Months: 91, lastYear: 365 } as const

const Columns = Type.Array(InsightColumn, { maxItems: 10 })
const OPERATORS = ['in', 'notIn', 'greaterThan', 'greaterThanOrEqual', 'lessThan', 'lessThanOrEqual'] as const
const Value = Type.Unsafe<string | number | null | { space: string; page: string }>({
  anyOf: [
    { type: 'string', maxLength: 2048 },
    { type: 'number' },
    { type: 'null' },
    {
      type: 'object',
      required: ['space', 'page'],
      properties: { space: { type: 'string' }, page: { type: 'string' } },
    },
  ],
})

/** A query of events. */
export const InsightQuery = Type.Object({
  select: Type.Optional(Columns),
  where: Type.Optional(
    Type.Array(
      Type.Object({
        ...InsightColumn.properties,
        values: Type.Array(Value, { minItems: 1, maxItems: 100 }),
        operator: Type.Optional(oneOf(OPERATORS, { default: 'in' })),
      }),
      { maxItems: 20 },
    ),
  ),
  groupBy: Type.Optional(Columns),
  order: Type.Optional(Type.Object({ by: InsightColumn, direction: oneOf(['asc', 'desc']) })),
  range: Type.Unsafe<keyof typeof PRESETS | { from: string; to: string }>({
    anyOf: [
      { type: 'string', enum: Object.keys(PRESETS) },
      { type: 'object', required: ['from', 'to'], properties: { from: Timestamp, to: Timestamp } },
    ],
  }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1000 })),
})
type InsightQuery = Static<typeof InsightQuery>
type Filter = NonNullable<InsightQuery['where']>[number]

/** The result of a query, column by column. */
export const InsightResult = Type.Object(
  {
    columns: Type.Array(Type.Object({ ...InsightColumn.properties, values: Type.Array(Type.Unknown()) })),
  },
  { title: 'InsightResult' },
)

interface Group extends InsightCounts {
  /** The value of each dimension. */
  values: (string | null)[]
  /** The values as one text, which groups are put in order by. */
  key: string
}

/** Where events are read: those of a site between two times. */
interface Scope {
  db: Database
  siteId: string
  from: string
  to: string
}

/**
 * InsightCounts the events of a site.
 * @param home the URL of the site
 * @throws 400 for a query that contradicts itself, or that has too many events or groups
 */
export async function queryInsights(
  db: Database,
  site: { id: string; home: string },
  query: InsightQuery,
  now: Date,
): Promise<Static<typeof InsightResult>> {
  const { select, dimensions } = columnsOf(query)
  const groups = await readGroups(
    { db, siteId: site.id, ...boundsOf(query.range, now) },
    { dimensions, filters: query.where ?? [], counts: select },
  )

  const columnValue = (one: InsightColumn) => {
    const measure = measureOf(one)
    if (measure) return measure
    const place = placeIn(dimensions, one)
    const { read } = dimensionOf(one)
    return ({ values }: Group) => {
      const value = values[place]
      return value === null || value === undefined || !read ? (value ?? null) : read(value, site.home)
    }
  }
  const kept = groups.filter((group) => (query.where ?? []).every((filter) => isMeasureKept(filter, group)))
  const sorted = await firstOf(kept, orderOf(query.order, dimensions), query.limit ?? 1000)
  return {
    columns: select.map((one) => {
      const read = columnValue(one)
      return { ...one, values: sorted.map((group) => read(group)) }
    }),
  }
}

/** The columns of the result, and those that events are grouped by. Without `groupBy`, that is each selected dimension. */
function columnsOf({ select, groupBy, order }: InsightQuery) {
  const measured = groupBy?.findIndex((one) => measureOf(one)) ?? -1
  if (measured >= 0) throw invalidField(`body.groupBy.${measured}.column`, because('column-not-counted'))
  const chosen = select?.length ? select : [...(groupBy ?? []), { column: 'eventsCount' as const }]
  const selected = chosen.filter((one) => !measureOf(one))
  const dimensions = groupBy ?? selected
  const other = selected.find((one) => placeIn(dimensions, one) < 0)
  if (other) throw invalidField(`body.select.${chosen.indexOf(other)}`, because('column-not-grouped'))
  if (order && !measureOf(order.by) && placeIn(dimensions, order.by) < 0)
    throw invalidField('body.order.by', because('order-not-grouped'))
  return { select: chosen, dimensions }
}

const placeIn = (columns: readonly InsightColumn[], { column, interval }: InsightColumn) =>
  columns.findIndex((one) => one.column === column && one.interval === interval)

function boundsOf(range: InsightQuery['range'], now: Date): { from: string; to: string } {
  if (typeof range === 'string') {
    const from = new Date(now.getTime() - PRESETS[range] * DAY_MS)
    return { from: from.toISOString(), to: now.toISOString() }
  }
  const [from, to] = [new Date(range.from), new Date(range.to)]
  if (from > to) throw invalidField('body.range.from', because('range-backwards', { from: range.from }))
  return { from: from.toISOString(), to: to.toISOString() }
}

interface Plan {
  dimensions: readonly InsightColumn[]
  filters: readonly Filter[]
  counts: readonly InsightColumn[]
}

/**
 * Reads the events in slices. Visitors and sessions have other names each day, so the number of different ones is the sum
 * of those of the days.
 */
async function readGroups(scope: Scope, plan: Plan): Promise<Group[]> {
  const named = [...plan.counts, ...plan.filters].map(({ column }) => column)
  const distinct = named.includes('visitorsCount') || named.includes('sessionsCount')
  const groups = new Map<string, Group>()
  const seen = new Map<Group, { visitors: Set<string>; sessions: Set<string> }>()
  const endDay = () => {
    for (const [group, { visitors, sessions }] of seen) {
      group.visitors += visitors.size
      group.sessions += sessions.size
    }
    seen.clear()
  }

  let day = ''
  let after = { occurredAt: scope.from, id: '' }
  for (let read = 0; ; read += EVENTS_AT_ONCE) {
    const slice = await sliceAfter(scope, after)
    if (!slice) break
    if (read >= EVENTS_MOST) throw invalid(because('range-too-long', { limit: EVENTS_MOST }))
    if (slice.day !== day) endDay()
    day = slice.day
    for (const row of await rowsOf(scope, plan, { after, last: slice.last, distinct })) {
      const values = plan.dimensions.map((_, i) => row[`d${i}`] as string | null)
      const key = JSON.stringify(values)
      let group = groups.get(key)
      if (isTurnOver()) await nextTurn()
      if (!group) groups.set(key, (group = { key, values, events: 0, visitors: 0, sessions: 0, ratings: [] }))
      add(group, row)
      if (!distinct) continue
      let names = seen.get(group)
      if (!names) seen.set(group, (names = { visitors: new Set(), sessions: new Set() }))
      names.visitors.add(row.visitor as string)
      names.sessions.add(row.session as string)
    }
    if (groups.size > GROUPS_MOST) throw invalid(because('too-many-groups', { limit: GROUPS_MOST }))
    after = slice.last
    await nextTurn()
  }
  endDay()
  // As in SQL, there is one group without dimensions even if there are no events.
  if (plan.dimensions.length === 0 && groups.size === 0)
    return [{ key: '[]', values: [], events: 0, visitors: 0, sessions: 0, ratings: [0, 0, 0, 0, 0] }]
  return [...groups.values()]
}

function add(group: Group, row: Record<string, unknown>): void {
  group.events += Number(row.events)
  for (let i = 0; i < 5; i++) group.ratings[i] = (group.ratings[i] ?? 0) + Number(row[`r${i}`])
}

/** An event, as a place in the order of time. */
interface Place {
  occurredAt: string
  id: string
}

/** The events after a place, up to a number of them and the end of the day. */
async function sliceAfter({ db, siteId, to }: Scope, after: Place) {
  const following = db.read
    .selectFrom('insightEvent')
    .select(['occurredAt', 'id'])
    .where('siteId', '=', siteId)
    .where(isAfter(after))
    .where('occurredAt', '<=', to)
  const first = await following.orderBy('occurredAt').orderBy('id').limit(1).executeTakeFirst()
  if (!first) return undefined
  const day = first.occurredAt.slice(0, 10)
  const ofDay = following.where('occurredAt', '<=', `${day}T23:59:59.999Z`)
  const full = await ofDay
    .orderBy('occurredAt')
    .orderBy('id')
    .limit(1)
    .offset(EVENTS_AT_ONCE - 1)
    .executeTakeFirst()
  const last =
    full ?? (await ofDay.orderBy('occurredAt', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst())
  return { day, last: last ?? first }
}

const isAfter = ({ occurredAt, id }: Place) =>
  sql<SqlBool>`("insightEvent"."occurredAt", "insightEvent"."id") > (${occurredAt}, ${id})`
const isUpTo = ({ occurredAt, id }: Place) =>
  sql<SqlBool>`("insightEvent"."occurredAt", "insightEvent"."id") <= (${occurredAt}, ${id})`

async function rowsOf(
  { db, siteId }: Scope,
  { dimensions, filters }: Plan,
  { after, last, distinct }: { after: Place; last: Place; distinct: boolean },
): Promise<Record<string, unknown>[]> {
  const { dialect } = db
  // PostgreSQL has to see that an expression is grouped by, which it does not if it has parameters. These have none.
  const grouped = dimensions.map((one, i) => ({ as: `d${i}`, by: dimensionOf(one).sql(dialect) }))
  const ratings = ratingsOf(dialect).map((rating, i) =>
    sql<number>`sum(case when ${rating} then 1 else 0 end)`.as(`r${i}`),
  )
  let rows = db.read
    .selectFrom('insightEvent')
    .select(sql<number>`count(*)`.as('events'))
    .select(ratings)
    .select(grouped.map(({ as, by }) => by.as(as)))
    .where('siteId', '=', siteId)
    .where(isAfter(after))
    .where(isUpTo(last))
  for (const { by } of grouped) rows = rows.groupBy(by)
  if (distinct) rows = rows.select(['visitor', 'session']).groupBy(['visitor', 'session'])
  for (const filter of filters) if (!measureOf(filter)) rows = rows.where(conditionOf(filter, dialect))
  return rows.execute()
}

const COMPARISONS = {
  greaterThan: sql`>`,
  greaterThanOrEqual: sql`>=`,
  lessThan: sql`<`,
  lessThanOrEqual: sql`<=`,
}

function conditionOf(
  { values, operator = 'in', ...column }: Filter,
  dialect: Database['dialect'],
): RawBuilder<SqlBool> {
  const { sql: expression, write = String } = dimensionOf(column)
  const text = values.filter((value) => value !== null).map((value) => write(value))
  const it = expression(dialect)
  if (operator === 'in' || operator === 'notIn') {
    const among = text.length > 0 ? sql`${it} in (${sql.join(text)})` : sql`1 = 0`
    const any = values.includes(null)
      ? sql`(${among} or ${it} is null)`
      : sql`(${it} is not null and ${among})`
    return operator === 'in' ? sql`${any}` : sql`not ${any}`
  }
  if (text.length === 0) return sql`1 = 0`
  return sql`${it} ${COMPARISONS[operator]} ${text[0]}`
}

/** Whether a filter of a number keeps a group. */
function isMeasureKept(filter: Filter, group: Group): boolean {
  const value = measureOf(filter)?.(group)
  if (typeof value !== 'number') return true
  const { values, operator = 'in' } = filter
  const limit = Number(values[0])
  if (operator === 'in') return values.includes(value)
  if (operator === 'notIn') return !values.includes(value)
  if (operator === 'greaterThan') return value > limit
  if (operator === 'greaterThanOrEqual') return value >= limit
  return operator === 'lessThan' ? value < limit : value <= limit
}

/** How many groups are sorted before others may have a turn. */
const SORTED_AT_ONCE = 2_000

/** The first groups in an order. Of each part, only those are kept that can be among them, so nothing large is sorted. */
async function firstOf(
  groups: readonly Group[],
  order: (a: Group, b: Group) => number,
  limit: number,
): Promise<Group[]> {
  let first: Group[] = []
  for (const some of chunks(groups, SORTED_AT_ONCE)) {
    first = first.concat(some).toSorted(order).slice(0, limit)
    await giveTurn()
  }
  return first
}

/** Orders groups by a column, and then by their values, so that the order is always the same. */
function orderOf(order: InsightQuery['order'], dimensions: readonly InsightColumn[]) {
  const byValues = (a: Group, b: Group) => compare(a.key, b.key)
  if (!order) return byValues
  const measure = measureOf(order.by)
  const place = placeIn(dimensions, order.by)
  const key = (group: Group) => {
    const value = measure ? measure(group) : (group.values[place] ?? '')
    return typeof value === 'number' || typeof value === 'string' ? value : 0
  }
  const sign = order.direction === 'asc' ? 1 : -1
  return (a: Group, b: Group) => sign * compare(key(a), key(b)) || byValues(a, b)
}

const compare = <T extends string | number>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
