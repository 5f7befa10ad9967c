import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import { commentRoutes } from '../../../shared-routes/discussion/comments.ts'
import { replyRoutes } from '../../../shared-routes/discussion/replies.ts'
import { suggestionRoutes } from '../../../shared-routes/discussion/suggestions.ts'
import { InChangeRequest } from '../../../model/proposals/change-request.ts'

const base = {
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId',
  kind: 'change request',
  access: onChangeRequest,
  params: InChangeRequest.properties,
} as const
const comments = commentRoutes(base)
const replies = replyRoutes(base)
const suggestions = suggestionRoutes(base)

export const listCommentsInChangeRequest = comments.list
export const postCommentInChangeRequest = comments.post
export const getCommentInChangeRequest = comments.get
export const updateCommentInChangeRequest = comments.update
export const deleteCommentInChangeRequest = comments.remove
export const listCommentRepliesInChangeRequest = replies.list
export const postCommentReplyInChangeRequest = replies.post
export const getCommentReplyInChangeRequest = replies.get
export const updateCommentReplyInChangeRequest = replies.update
export const deleteCommentReplyInChangeRequest = replies.remove
export const applySuggestionInChangeRequest = suggestions.apply
