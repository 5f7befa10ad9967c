import { onSpace } from '../../access/on.ts'
import { commentFamily } from '../../families/comments.ts'
import { replyFamily } from '../../families/replies.ts'
import { Id } from '../../model/common.ts'

const base = {
  path: '/v1/spaces/:spaceId',
  kind: 'space',
  access: onSpace,
  params: { spaceId: Id },
} as const
const comments = commentFamily(base)
const replies = replyFamily(base)

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
