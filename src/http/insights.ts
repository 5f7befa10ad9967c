import type { Network } from './limits/networks.ts'

/** Something that a visitor did on a site, before it is stored. */
export interface Insight {
  siteId: string
  type: string
  occurredAt: Date
  /** Identifies the visitor and their session on this day. Only hashes of both are stored. */
  visitor: string
  session: string
  siteSection: string | null
  siteSpace: string | null
  space: string | null
  page: string | null
  /** The path of the address, without its query. */
  path: string | null
  displayContext: 'site' | 'embed'
  language: string | null
  /** The host of the page that led to the site. */
  referrer: string | null
  userAgent: string
  /** The fields of the event's own type. */
  details: Record<string, string>
}

/** Collects what visitors do on sites. The events are written together, a few seconds later. */
export interface Insights {
  /**
   * Adds events of one site. @param client what the sender is counted by
   * @throws 429 if the sender, or the site, has too many
   */
  note(siteId: string, events: readonly Insight[], client: readonly Network[], now: Date): void
  /** Writes the events that are not stored yet. */
  flush(): Promise<void>
}
