/** The events that the pages of a site report: views, searches, ratings, and what readers say about a page. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isRecord } from '../../core/data/is-record.ts'
import { invalid } from '../../http/errors.ts'
import type { Insight } from '../../http/insights.ts'
import { clientOf } from '../../http/limits/networks.ts'
import type { Services } from '../../http/route.ts'
import {
  COMMENT_LENGTH,
  FEEDBACK_RATINGS,
  hostOf,
  placeText,
} from '../../model/sites/insights/insight-event.ts'
import { pageAddress } from '../../model/sites/published/content/site-content.ts'
import type { OpenSite } from '../../model/sites/published/open-site.ts'
import { pageAtPath } from '../../model/sites/published/resolve/page-at-path.ts'
import { because } from '../../core/languages/reasons.ts'

/** The path of the events within a site. */
export const EVENTS_PATH = '~/events'
const LONGEST = 4096
const FEEDBACK = ['page_post_feedback', 'page_post_feedback_comment'] as const
const SEARCHES = ['search_open', 'search_type_query', 'search_open_result'] as const
const EVENT_TYPES = ['page_view', ...FEEDBACK, ...SEARCHES] as const
const LONGEST_QUERY = 512

/** Whether a request reports an event, by its URL alone. */
export const isEventRequest = ({ originalUrl }: FastifyRequest) =>
  originalUrl.split('?', 1)[0]!.endsWith(`/${EVENTS_PATH}`)

interface PageEvent {
  type: (typeof EVENT_TYPES)[number]
  path: string
  referrer: string
  details: Insight['details']
  /** The path of the page that was opened from the results of a search. */
  result?: string
}

/**
 * Records an event of a page that its reader may see. The page, its space and its section follow from the path, so that
 * nobody can make up others. A browser that asks not to be tracked is not counted; ratings are sent on purpose.
 */
export function eventEndpoint({
  db,
  urls,
  insights,
  now,
}: Pick<Services, 'db' | 'urls' | 'insights' | 'now'>) {
  const services = { db: db.read, urls }
  return async (open: OpenSite, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { headers, ip } = request
    const event = readEvent(request.body)
    const isPrivate = headers.dnt === '1' || headers['sec-gpc'] === '1'
    const isCounted = !open.visit.preview && (!isPrivate || isFeedback(event.type))
    const found = isCounted ? await pageAtPath(services, open, event.path) : undefined
    if (found) {
      const { content, page } = found
      const userAgent = headers['user-agent'] ?? ''
      const referrer = hostOf(event.referrer)
      const home = new URL(urls.site(open.site, open.organizationHostname))
      const insight: Insight = {
        siteId: open.site.id,
        type: event.type,
        occurredAt: now(),
        visitor: `${ip} ${userAgent}`,
        session: '',
        siteSection: content.variant.section?.id ?? null,
        siteSpace: content.variant.siteSpaceId,
        space: content.variant.spaceId,
        page: page.id,
        path: home.pathname + pageAddress(content, page).slice(open.base.length),
        displayContext: 'site',
        language: /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*/i.exec(headers['accept-language'] ?? '')?.[0] ?? null,
        referrer: referrer === headers.host || referrer === home.host ? null : referrer,
        userAgent,
        details: { ...event.details, ...(await resultOf(open, event)) },
      }
      insights.note(open.site.id, [insight], clientOf(ip), now())
    }
    return reply.code(204).header('cache-control', 'no-store').send()
  }

  /** The page that a search led to. It is left out if the reader may not see it. */
  async function resultOf(open: OpenSite, { result }: PageEvent): Promise<{ result?: string }> {
    const found = result === undefined ? undefined : await pageAtPath(services, open, result)
    return found ? { result: placeText(found.content.variant.spaceId, found.page.id) } : {}
  }
}

/** Beacons are text, because browsers ask before they send JSON from the opaque origin of a site below `/sites/`. */
function readEvent(body: unknown): PageEvent {
  if (typeof body !== 'string' || body.length > LONGEST)
    throw invalid(because('event-too-long', { limit: LONGEST }))
  const event = parsed(body)
  if (!isRecord(event)) throw invalid(because('event-not-object'))
  const { type: given, path, referrer, result } = event
  const type = EVENT_TYPES.find((one) => one === given)
  if (type === undefined) throw invalid(because('event-type-unknown', { types: EVENT_TYPES.join(', ') }))
  if (typeof path !== 'string') throw invalid(because('event-path-invalid'))
  return {
    type,
    path,
    referrer: typeof referrer === 'string' ? referrer : '',
    details: detailsOf(type, event),
    ...(type === 'search_open_result' && typeof result === 'string' ? { result } : {}),
  }
}

const isFeedback = (type: PageEvent['type']) => FEEDBACK.some((one) => one === type)

function detailsOf(type: PageEvent['type'], event: Record<string, unknown>): Insight['details'] {
  if (isFeedback(type)) return feedbackOf(type, event)
  if (type === 'page_view' || type === 'search_open') return {}
  const { query } = event
  if (typeof query !== 'string' || query.trim() === '' || query.length > LONGEST_QUERY)
    throw invalid(because('event-query-too-long', { limit: LONGEST_QUERY }))
  return { query }
}

function feedbackOf(
  type: PageEvent['type'],
  { rating, comment }: Record<string, unknown>,
): { rating: string; comment?: string } {
  const known = FEEDBACK_RATINGS.find((one) => one === rating)
  if (known === undefined)
    throw invalid(because('event-rating-unknown', { ratings: FEEDBACK_RATINGS.join(', ') }))
  if (type === 'page_post_feedback') return { rating: known }
  if (typeof comment !== 'string' || comment.trim() === '' || comment.length > COMMENT_LENGTH)
    throw invalid(because('event-comment-too-long', { limit: COMMENT_LENGTH }))
  return { rating: known, comment }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
