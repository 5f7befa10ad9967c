import { onChangeRequest } from '../../../access/on-change-request.ts'
import { commentFamily } from '../../../families/comments.ts'
import { replyFamily } from '../../../families/replies.ts'
import { InChangeRequest } from '../../../model/change-request.ts'

const base = {
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId',
  kind: 'change request',
  access: onChangeRequest,
  params: InChangeRequest.properties,
} as const
const comments = commentFamily(base)
const replies = replyFamily(base)

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
