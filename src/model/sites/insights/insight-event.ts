import { type Static, type TProperties, Type } from 'typebox'
import type { Row } from '../../../db/schema.ts'
import { faultAt, type Fault, invalidFields } from '../../../http/errors.ts'
import type { Insight } from '../../../http/insights.ts'
import { nullable, oneOf, Timestamp, Uri } from '../../common.ts'
import { because } from '../../../core/languages/reasons.ts'

/** How far the time of an event may be from that of its request. */
const NEAR_MS = 5 * 60_000
export const FEEDBACK_RATINGS = ['bad', 'ok', 'good'] as const
export const COMMENT_LENGTH = 512
const Words = Type.String({ maxLength: COMMENT_LENGTH })

const Session = Type.Object(
  {
    visitorId: Type.String({
      maxLength: 256,
      description: 'Only a hash is stored, with a secret that is deleted after the day',
    }),
    sessionId: Type.String({ maxLength: 256 }),
    cookies: Type.Object({}, { description: 'Accepted and not used' }),
    ip: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Distinguishes visitors without a `visitorId`; by default, that of the request',
      }),
    ),
    userAgent: Type.String({ maxLength: 1024 }),
    language: nullable(Type.String({ maxLength: 64 })),
    referrer: nullable(Type.String({ maxLength: 2048, description: 'Only its host is stored' })),
  },
  { title: 'InsightSession' },
)

// Not `Id`: an id that the site does not have is no error, because the site may have changed since the page was loaded.
const Name = Type.String({ maxLength: 64 })
const OptionalName = nullable(Name)
const Location = Type.Object(
  {
    url: Type.String({ ...Uri, description: 'Stored without its query' }),
    displayContext: Type.Optional(oneOf(['site', 'embed'])),
    siteSection: OptionalName,
    siteSpace: OptionalName,
    siteShareKey: nullable(Type.String({ maxLength: 512 })),
    space: OptionalName,
    revision: OptionalName,
    page: OptionalName,
  },
  { title: 'InsightLocation' },
)

const event = <const T extends string, P extends TProperties>(type: T, fields: P) =>
  Type.Object({
    type: oneOf([type]),
    session: Session,
    location: Location,
    timestamp: Type.Optional(Timestamp),
    ...fields,
  })

const Rating = oneOf(FEEDBACK_RATINGS)
const Operation = Type.Object({ path: Words, method: Type.String({ maxLength: 16 }) })
const Ad = Type.Object({ domain: Words, zoneId: Words, placement: Words })

const EVENTS = [
  event('page_view', {}),
  event('search_open', {}),
  event('search_type_query', { query: Words }),
  event('search_open_result', { query: Words, result: Type.Object({ spaceId: Name, pageId: Name }) }),
  event('page_post_feedback', { feedback: Type.Object({ rating: Rating }) }),
  event('page_post_feedback_comment', {
    feedback: Type.Object({
      rating: Rating,
      comment: Type.String({ minLength: 1, maxLength: COMMENT_LENGTH }),
    }),
  }),
  event('ask_question', { query: Words }),
  event('ask_view', {}),
  event('ask_rate_response', {
    query: Words,
    rating: Type.Unsafe<1 | -1>({ type: 'integer', enum: [1, -1] }),
    responseId: Words,
  }),
  event('link_click', {
    link: Type.Object({
      target: Type.Object({ kind: Type.String({ maxLength: 32 }), url: Type.Optional(Uri) }),
      position: oneOf(['announcement', 'header', 'footer', 'sidebar', 'content']),
    }),
  }),
  event('api_client_open', { operation: Operation }),
  event('api_client_request', { operation: Operation }),
  event('ad_click', { ad: Ad }),
  event('ad_display', { ad: Ad }),
  event('trademark_click', { placement: Words }),
  event('rss_request', {}),
  event('llms_request', {}),
  event('page_markdown_request', {}),
] as const

/** An event that a client reports, discriminated by `type`. */
export const InsightEvent = Type.Unsafe<Static<(typeof EVENTS)[number]>>({
  title: 'InsightEvent',
  type: 'object',
  required: ['type'],
  oneOf: [...EVENTS],
  discriminator: { propertyName: 'type' },
})
export type InsightEvent = Static<typeof InsightEvent>

/** The data that the server has about the request that reports events, and about the site. */
export interface Reported {
  siteId: string
  siteSpaces: readonly Pick<Row<'siteSpace'>, 'id' | 'spaceId' | 'sectionId'>[]
  ip: string
  now: Date
}

/**
 * The events to store. Ids of sections and spaces that the site does not have are left out.
 * @throws 400 for an event that did not just happen
 */
export function toInsights(events: readonly InsightEvent[], reported: Reported): Insight[] {
  const late: Fault[] = []
  const insights = events.map((one, i) => {
    const occurredAt = one.timestamp === undefined ? reported.now : new Date(one.timestamp)
    const time = one.timestamp ?? ''
    if (Math.abs(occurredAt.getTime() - reported.now.getTime()) > NEAR_MS)
      late.push(faultAt(`body.events.${i}.timestamp`, because('event-too-late', { time })))
    return toInsight(one, occurredAt, reported)
  })
  if (late.length > 0) throw invalidFields(late)
  return insights
}

function toInsight(
  { type, session, location, ...own }: InsightEvent,
  occurredAt: Date,
  reported: Reported,
): Insight {
  const url = URL.parse(location.url)
  const place = reported.siteSpaces.find(
    ({ id, spaceId }) => id === location.siteSpace || spaceId === location.space,
  )
  return {
    siteId: reported.siteId,
    type,
    occurredAt,
    visitor: session.visitorId || `${session.ip ?? reported.ip} ${session.userAgent}`,
    session: session.sessionId,
    siteSection: place?.sectionId ?? null,
    siteSpace: place?.id ?? null,
    space: place?.spaceId ?? null,
    page: place ? location.page : null,
    path: url && pathWithout(location.siteShareKey, url.pathname),
    displayContext: location.displayContext ?? 'site',
    language: session.language,
    referrer: hostOf(session.referrer),
    userAgent: session.userAgent,
    details: { ...detailsOf(own), ...resultOf(own, reported), ...(url ? campaignOf(url) : {}) },
  }
}

/** A page as `insight-columns.ts` reads it. */
export const placeText = (space: string, page: string) => `${space}/${page}`

/** The page that a search led to, if its space is one of the site. */
function resultOf({ result }: Own, { siteSpaces }: Reported): { result?: string } {
  const isOwn = siteSpaces.some(({ spaceId }) => spaceId === result?.spaceId)
  return result && isOwn ? { result: placeText(result.spaceId, result.pageId) } : {}
}

/** The key of a share link opens the site, so that it is not stored. */
function pathWithout(key: string | null, path: string): string {
  return key ? path.replace(`/${key}`, '') : path
}

/** The host of the page that led to the site. */
export function hostOf(referrer: string | null): string | null {
  const url = referrer ? URL.parse(referrer) : null
  return url && /^https?:$/.test(url.protocol) ? url.host : null
}

const CAMPAIGN = ['source', 'medium', 'campaign', 'term', 'content'] as const

function campaignOf({ searchParams }: URL): Record<string, string> {
  return Object.fromEntries(
    CAMPAIGN.flatMap((name) => {
      const value = searchParams.get(`utm_${name}`)
      return value ? [[`utm-${name}`, value.slice(0, 256)]] : []
    }),
  )
}

type Own = Record<string, unknown> & {
  query?: string
  rating?: number
  feedback?: { rating: string; comment?: string }
  link?: { target: { kind: string; url?: string }; position: string }
  operation?: { path: string; method: string }
  result?: { spaceId: string; pageId: string }
}

/** The fields that `insight-columns.ts` selects by. */
function detailsOf({ query, rating, feedback, link, operation }: Own): Record<string, string> {
  return {
    ...(query === undefined ? {} : { query }),
    ...(rating === undefined ? {} : { answerRating: String(rating) }),
    ...feedback,
    ...(link ? { linkKind: link.target.kind, linkPosition: link.position } : {}),
    ...(link?.target.url ? { linkDomain: hostOf(link.target.url) ?? '' } : {}),
    ...(operation ? { operationPath: operation.path, operationMethod: operation.method } : {}),
  }
}
