/** The parts of the API's resources that proposing and reviewing show. */
import type { BlockChange, TextRange } from '../../../core/content/edit/block-diff.ts'
import type { Document } from '../../../core/document/model.ts'
import type { ChangeRequest, User } from './types.ts'

/** A change request with all that its screens show. */
export interface Proposal extends ChangeRequest {
  space: string
  description?: Document
  revisionInitial: string
  revisionMergedAncestor?: string
  revisionMerged?: string
}

export interface ChangedPage {
  id: string
  type: string
  title: string
  path?: string
}

type Pair = { before?: unknown; after?: unknown }

/** One of the changes of a change request or a revision. */
export type SemanticChange =
  | { type: 'page_created' | 'page_deleted'; page: ChangedPage }
  | { type: 'page_edited'; page: ChangedPage; attributes: Record<string, Pair>; blocks?: BlockChange[] }
  | { type: 'page_moved'; page: ChangedPage; parent: { before?: ChangedPage; after?: ChangedPage } }
  | { type: 'file_created' | 'file_deleted' | 'file_edited'; file: { id: string; name: string } }
  | {
      type: 'reusable_content_created' | 'reusable_content_deleted' | 'reusable_content_edited'
      reusableContent: { id: string; title: string }
    }
  | { type: 'variables_edited'; variables: Record<string, Pair> }

export interface SemanticChanges {
  changes: SemanticChange[]
  more?: number
}

export type ReviewStatus = 'approved' | 'changes-requested'

export interface CommentTarget {
  page?: { id: string; title: string; path: string; outdated: boolean }
  node?: { id: string; preview?: string; range?: TextRange }
  review?: string
}

/** A comment or a reply. */
export interface Posted {
  id: string
  postedBy: User
  postedAt: string
  editedAt?: string
  body: { document?: Document; markdown?: string }
  reactions: { emoji: string; count: number; users: { user: User }[] }[]
  permissions: { edit: boolean; delete: boolean; reply: boolean }
}

export interface Comment extends Posted {
  replies: number
  target: CommentTarget
  status: 'open' | 'resolved'
  resolvedBy?: User
  suggestion?: { text?: string; markdown?: string; status: 'open' | 'applied'; appliedBy?: User }
}

export interface Verdict {
  id: string
  reviewer: User
  status: ReviewStatus
  outdated: boolean
  comment?: Comment
  comments: number
  createdAt: string
}

export interface ReviewerRequest {
  user: User
  requestedBy: User
  createdAt: string
}

/** A comment that is not sent yet. */
export interface NewComment {
  body: { markdown?: string }
  page?: string
  node?: string
  range?: TextRange
  suggestion?: { text?: string; markdown?: string }
}

export interface ConflictPlace {
  id?: string
  kind: 'body' | 'field' | 'existence' | 'place'
  target: { object: string; id: string; title?: string }
  field?: string
  /** The key of the front matter, if it is not about a block. */
  entry?: string
  name?: string
}

export interface OpenConflict extends ConflictPlace {
  id: string
  base: unknown
  primary: unknown
  own: unknown
}

export interface MergeState {
  mergeable: boolean
  blockers: ('closed' | 'role' | 'rules' | 'conflicts' | 'unchanged' | 'limit')[]
  permitted: boolean
  /** People who can merge, if the caller cannot. */
  mergers?: User[]
  outdated: boolean
  failingRules: string[]
  conflicts: { count: number; items: ConflictPlace[] }
  message?: string
}

export interface RevisionEntry {
  id: string
  type: 'edits' | 'merge' | 'rollback' | 'update' | 'computed'
  message: string
  parents: string[]
  createdBy: User
  coAuthor?: User
  createdAt: string
  mergedFrom?: { number: number; subject: string }
}
