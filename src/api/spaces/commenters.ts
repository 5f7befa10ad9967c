import { onSpace } from '../../access/checks/on.ts'
import { commentersOf } from '../../shared-routes/discussion/commenters.ts'
import { Id } from '../../model/common.ts'

export const listCommentersInSpace = commentersOf({
  path: '/v1/spaces/:spaceId',
  kind: 'space',
  access: onSpace,
  params: { spaceId: Id },
})
