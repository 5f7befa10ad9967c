import type { Instant, JsonText } from './columns.ts'

/** The tables of bursts of saves (`model/content/burst.ts`). */
export interface BurstTables {
  /** A revision that a later save of its burst has replaced. */
  replacedRevision: {
    id: string
    spaceId: string
    /** The burst: the id of its first revision. */
    burst: string
    /** The parent of the burst, which stays in the history. */
    parent: string
    /** The row of the revision while its content is stored; then null, and `replacedPage` has what writes need. */
    content: JsonText | null
    replacedAt: Instant
  }
  /** A page of a replaced revision that differs from the page of the parent. */
  replacedPage: {
    revisionId: string
    pageId: string
    /** The record and the text of the page (`PageState`), compressed by its state in the parent. */
    data: Uint8Array
  }
  /**
   * Nodes and documents that a burst has stored, and that only revisions of this burst, or later ones that continue it,
   * contain. They are deleted when no revision of the burst contains them any more.
   */
  burstContent: { spaceId: string; kind: 'node' | 'document'; hash: string; burst: string }
}
