import type { Instant, JsonText } from './columns.ts'

export type ChangeRequestStatus = 'draft' | 'open' | 'archived' | 'merged'

/** The tables of change requests, reviews and discussions. */
export interface ChangeTables {
  changeRequest: {
    id: string
    spaceId: string
    /** 1, 2, 3 … in the space. */
    number: number
    status: ChangeRequestStatus
    subject: string
    /** A document, as JSON. */
    description: JsonText | null
    /** The head: the newest revision of the change request or, before its first edit, its base. */
    revisionId: string
    revisionInitial: string
    /** The base: the revision of the primary content that the change request was last updated from. */
    revisionMergedAncestor: string | null
    /** The revision that the merge created. */
    revisionMerged: string | null
    createdBy: string
    createdAt: Instant
    updatedAt: Instant
  }
  /** A conflict between a change request and the primary content. */
  mergeConflict: {
    id: string
    spaceId: string
    changeRequestId: string
    /** Identifies the subject of the conflict. At most one open conflict of a change request has a given key. */
    key: string
    data: JsonText
    status: 'open' | 'resolved'
    resolution: JsonText | null
    createdAt: Instant
    resolvedAt: Instant | null
    resolvedBy: string | null
    /** The primary revision of the last update before a user resolved it; null if the server resolved it. */
    resolvedOn: string | null
  }
  review: {
    id: string
    spaceId: string
    changeRequestId: string
    /** The revision that was reviewed. */
    revisionId: string
    reviewerId: string
    requestedBy: string | null
    status: 'approved' | 'changes-requested'
    /** The comment that is the text of the review. The other comments with its id were sent together with it. */
    commentId: string | null
    createdAt: Instant
    updatedAt: Instant
  }
  /** The draft of a review that its author has not sent. Nobody else can read it. */
  reviewDraft: {
    spaceId: string
    changeRequestId: string
    userId: string
    /** The head of the change request when the draft was saved. */
    revisionId: string
    /** The fields of the review (`ReviewDraftFields` in `model/proposals/review-draft.ts`). */
    data: JsonText
    createdAt: Instant
    updatedAt: Instant
  }
  requestedReviewer: {
    spaceId: string
    changeRequestId: string
    userId: string
    /** The head of the change request when the review was requested. */
    revisionId: string
    requestedBy: string
    createdAt: Instant
  }
  comment: {
    id: string
    spaceId: string
    /** Null for a comment on the space itself. */
    changeRequestId: string | null
    /** The review that the comment is part of. */
    reviewId: string | null
    /** The content of the target when the comment was written. */
    revisionId: string
    pageId: string | null
    /**
     * The page as it was, which is returned if the page is deleted, and the hash of the document that has the block
     * `nodeId`. Both follow the page when blocks are written.
     */
    page: JsonText | null
    nodeId: string | null
    nodePreview: string | null
    /** The part of the block's text: `TextRange`. */
    range: JsonText | null
    /** `Suggestion`. */
    suggestion: JsonText | null
    /** `AppliedSuggestion`, once the suggestion is applied. */
    applied: JsonText | null
    /** Markdown. */
    body: string
    status: 'open' | 'resolved'
    postedBy: string
    postedAt: Instant
    editedAt: Instant | null
    resolvedAt: Instant | null
    resolvedBy: string | null
  }
  commentReply: {
    id: string
    spaceId: string
    commentId: string
    body: string
    postedBy: string
    postedAt: Instant
    editedAt: Instant | null
  }
  /** A reaction of a user to a comment or a reply. */
  reaction: { spaceId: string; subjectId: string; emoji: string; userId: string; reactedAt: Instant }
}
