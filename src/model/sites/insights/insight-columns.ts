import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Database } from '../../../db/schema.ts'
import { oneOf } from '../../common.ts'
import { FEEDBACK_RATINGS, placeText } from './insight-event.ts'

type Dialect = Database['dialect']

/** A column that events are grouped by, as an expression of SQL that is text or null. */
interface Dimension {
  sql: (dialect: Dialect) => RawBuilder<string | null>
  /** The value in a response. @param home the URL of the site's host */
  read?: (text: string, home: string) => unknown
  /** The text of a value in a filter. */
  write?: (value: unknown) => string
}

/** The counts for the events of a group. */
export interface InsightCounts {
  events: number
  visitors: number
  sessions: number
  /** Of each rating, in the order of `RATINGS`. */
  ratings: number[]
}

const column = (name: string): Dimension => ({ sql: () => sql.ref(`insightEvent.${name}`) })

const detail = (name: string): Dimension => ({
  sql: (dialect) =>
    dialect === 'postgres'
      ? sql`(cast("insightEvent"."details" as jsonb) ->> ${sql.lit(name)})`
      : sql`("insightEvent"."details" ->> ${sql.lit(`$."${name}"`)})`,
})

/** A page, as the text of its space and its id. */
const place = (dimension: Dimension): Dimension => ({
  ...dimension,
  read: (text) => {
    const [space, page] = text.split('/')
    return { space, page }
  },
  write: (value) => {
    const { space, page } = (value ?? {}) as { space?: unknown; page?: unknown }
    return placeText(String(space), String(page))
  },
})

const numeric = (dimension: Dimension): Dimension => ({ ...dimension, read: Number, write: String })

/** The address of a path on the host of a site. Anyone reports paths, and `//a` alone would be resolved to another host. */
function siteAddress(path: string, home: string): string {
  return new URL(home).origin + (path.startsWith('/') ? path : `/${path}`)
}

/** A time as it is stored. What is no time is compared as it is, and so equals none. */
function timeOf(value: unknown): string {
  const time = new Date(String(value))
  return Number.isNaN(time.getTime()) ? String(value) : time.toISOString()
}

const DIMENSIONS = {
  datetime: { ...column('occurredAt'), write: timeOf },
  url: {
    ...column('path'),
    read: (path, home) => siteAddress(path, home),
    write: (value) => URL.parse(String(value))?.pathname ?? String(value),
  },
  eventType: column('type'),
  siteSection: column('siteSection'),
  siteSpace: column('siteSpace'),
  displayContext: column('displayContext'),
  page: place({ sql: () => sql`("insightEvent"."space" || '/' || "insightEvent"."page")` }),
  visitorDevice: column('device'),
  visitorBrowser: column('browser'),
  visitorOS: column('os'),
  visitorBot: detail('bot'),
  visitorLanguage: column('language'),
  referrerDomain: column('referrer'),
  eventLinkTargetKind: detail('linkKind'),
  eventLinkTargetDomain: detail('linkDomain'),
  eventLinkPosition: detail('linkPosition'),
  eventAPIOperationPath: detail('operationPath'),
  eventAPIOperationMethod: detail('operationMethod'),
  eventSearchQuery: detail('query'),
  eventSearchResult: place(detail('result')),
  eventPageFeedbackRating: detail('rating'),
  eventPageFeedbackComment: detail('comment'),
  eventAskResponseRating: numeric(detail('answerRating')),
  utmSource: detail('utm-source'),
  utmMedium: detail('utm-medium'),
  utmCampaign: detail('utm-campaign'),
  utmTerm: detail('utm-term'),
  utmContent: detail('utm-content'),
} as const satisfies Record<string, Dimension>

const MEASURES = {
  eventsCount: ({ events }) => events,
  visitorsCount: ({ visitors }) => visitors,
  sessionsCount: ({ sessions }) => sessions,
  pageFeedbackRating: ({ ratings: [bad, ok, good] }) => ({ bad, ok, good }),
  askResponseRating: ({ ratings }) => ({ positive: ratings[3], negative: ratings[4] }),
} as const satisfies Record<string, (counts: InsightCounts) => unknown>

const isFeedback = sql`"insightEvent"."type" = 'page_post_feedback'`
const isAnswer = sql`"insightEvent"."type" = 'ask_rate_response'`

/** The ratings that are counted, each as a condition of SQL. */
export function ratingsOf(dialect: Dialect): RawBuilder<unknown>[] {
  const rating = detail('rating').sql(dialect)
  const answer = detail('answerRating').sql(dialect)
  return [
    ...FEEDBACK_RATINGS.map((word) => sql`${isFeedback} and ${rating} = ${sql.lit(word)}`),
    sql`${isAnswer} and ${answer} = '1'`,
    sql`${isAnswer} and ${answer} = '-1'`,
  ]
}

type DimensionName = keyof typeof DIMENSIONS
type MeasureName = keyof typeof MEASURES
const NAMES = [...Object.keys(DIMENSIONS), ...Object.keys(MEASURES)] as (DimensionName | MeasureName)[]
const INTERVALS = ['hour', 'day', 'week', 'month'] as const

/** A column of a query. */
export const InsightColumn = Type.Object(
  {
    column: oneOf(NAMES),
    interval: Type.Optional(oneOf(INTERVALS, { description: 'Only for `datetime`: groups its values' })),
  },
  { title: 'InsightColumn' },
)
export type InsightColumn = Static<typeof InsightColumn>

/** The function that reads a measure from the counts of a group; undefined for a dimension. */
export function measureOf({ column: name }: InsightColumn): ((counts: InsightCounts) => unknown) | undefined {
  return Object.hasOwn(MEASURES, name) ? MEASURES[name as MeasureName] : undefined
}

/** The dimension of a column that is no measure. */
export function dimensionOf({ column: name, interval }: InsightColumn): Dimension {
  const dimension: Dimension = DIMENSIONS[name as DimensionName]
  if (name !== 'datetime' || interval === undefined) return dimension
  return { ...dimension, sql: (dialect) => startOf(interval, dialect) }
}

/** The start of the interval that an event is in, in UTC. Weeks start on Monday. */
function startOf(interval: (typeof INTERVALS)[number], dialect: Dialect): RawBuilder<string> {
  const at = sql.ref('insightEvent.occurredAt')
  if (interval === 'hour') return sql`(substr(${at}, 1, 13) || ':00:00.000Z')`
  if (interval === 'day') return sql`(substr(${at}, 1, 10) || 'T00:00:00.000Z')`
  if (interval === 'month') return sql`(substr(${at}, 1, 7) || '-01T00:00:00.000Z')`
  const day = sql`substr(${at}, 1, 10)`
  return dialect === 'postgres'
    ? sql`(to_char(date_trunc('week', cast(${day} as date)), 'YYYY-MM-DD') || 'T00:00:00.000Z')`
    : sql`(date(${day}, 'weekday 0', '-6 days') || 'T00:00:00.000Z')`
}
