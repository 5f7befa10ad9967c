import { onSpace } from '../../access/checks/on.ts'
import { commentRoutes } from '../../shared-routes/discussion/comments.ts'
import { replyRoutes } from '../../shared-routes/discussion/replies.ts'
import { suggestionRoutes } from '../../shared-routes/discussion/suggestions.ts'
import { Id } from '../../model/common.ts'

const base = {
  path: '/v1/spaces/:spaceId',
  kind: 'space',
  access: onSpace,
  params: { spaceId: Id },
} as const
const comments = commentRoutes(base)
const replies = replyRoutes(base)
const suggestions = suggestionRoutes(base)

export const listCommentsInSpace = comments.list
export const postCommentInSpace = comments.post
export const getCommentInSpace = comments.get
export const updateCommentInSpace = comments.update
export const deleteCommentInSpace = comments.remove
export const listCommentRepliesInSpace = replies.list
export const postCommentReplyInSpace = replies.post
export const getCommentReplyInSpace = replies.get
export const updateCommentReplyInSpace = replies.update
export const deleteCommentReplyInSpace = replies.remove
export const applySuggestionInSpace = suggestions.apply
