/** The names that the console has for what proposing and reviewing show. */
import type { BodyOf } from './typed.ts'
import type { Schemas } from './operations/schemas.ts'

export type SemanticChanges = Schemas['SemanticChanges']
/** One of the changes of a change request or a revision. */
export type SemanticChange = Schemas['SemanticChange']
export type ChangedPage = Extract<SemanticChange, { type: 'page_edited' }>['page']

export type Comment = Schemas['Comment']
/** A comment or a reply. */
export type Posted = Comment | Schemas['CommentReply']
export type CommentTarget = Comment['target']
/** A comment that is not sent yet. */
export type NewComment = BodyOf<`POST /spaces/${string}/comments`>

export type Verdict = Schemas['ChangeRequestReview']
export type ReviewStatus = Verdict['status']
export type ReviewerRequest = Schemas['ChangeRequestRequestedReviewer']

export type MergeState = Schemas['MergeCheck']
export type ConflictPlace = MergeState['conflicts']['items'][number]
export type OpenConflict = Schemas['MergeConflict']

export type RevisionEntry = Schemas['RevisionSummary']
