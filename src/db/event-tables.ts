import type { Instant, JsonText } from './columns.ts'

/** The tables of events in spaces. */
export interface EventTables {
  /** The number of the newest event of each space. A transaction that adds events holds this row until it ends. */
  eventLine: { spaceId: string; sequence: number }
  /** An event in a space, without the content of the space. */
  spaceEvent: {
    spaceId: string
    /** 1, 2, 3 … in the space, in the order of the commits. */
    sequence: number
    /** Null if it concerns the space itself. */
    changeRequestId: string | null
    /** A `SpaceEventKind` (`model/events/event.ts`). */
    kind: string
    data: JsonText
    occurredAt: Instant
  }
  /** The place that a client of a user shows or edits. */
  presence: {
    userId: string
    /** A name that is unique among the clients of the user. */
    client: string
    spaceId: string
    /** Null if the client shows the primary content. */
    changeRequestId: string | null
    pageId: string | null
    /** The key of a block of the page. */
    block: string | null
    state: PresenceState
    /** When the client came. */
    since: Instant
    expiresAt: Instant
  }
  /** A notification to a user about an action of another user. */
  notification: {
    id: string
    userId: string
    kind: NotificationKind
    /** The user who did it; for a sync, the user who connected the repository. */
    actorId: string
    spaceId: string
    changeRequestId: string | null
    commentId: string | null
    replyId: string | null
    reviewId: string | null
    createdAt: Instant
    readAt: Instant | null
  }
  notificationSettings: {
    userId: string
    digest: Digest
    /** Notifications until then were in a digest, or are older than the setting. */
    digestedAt: Instant
  }
}

export type NotificationKind =
  | 'review-requested'
  | 'mention'
  | 'comment'
  | 'reply'
  | 'review'
  | 'merge'
  | 'sync-stopped'
  | 'sync-resumed'
/** Whether a user gets e-mails with their unread notifications. */
export type Digest = 'off' | 'daily'

export type PresenceState = 'viewing' | 'editing'
