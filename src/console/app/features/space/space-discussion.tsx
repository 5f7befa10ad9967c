/** The comments on a space and its pages. */
import { useApi } from '../../api/api.ts'
import { type CommentStatus, type Discussed, Discussion } from '../../discussion/discussion.tsx'
import type { Margin } from '../../discussion/margin.ts'
import type { Space } from '../../api/types.ts'

/** A space as what is discussed; undefined until it is known who the caller is. */
export function useDiscussed(space: Space | undefined): Discussed | undefined {
  const me = useApi('/user')
  return space && me.data && { base: `/spaces/${space.id}`, home: `/s/${space.id}`, space, me: me.data }
}

/** The comments on a space, or on a page of it. @param page its id */
export function SpaceDiscussion({
  space,
  status = 'open',
  page,
  margin,
}: {
  space: Space
  status?: CommentStatus
  page?: string
  margin?: Margin
}) {
  const discussed = useDiscussed(space)
  if (!discussed) return null
  return (
    <div className="review">
      <Discussion proposed={discussed} {...{ status, margin }} {...(page === undefined ? {} : { page })} />
    </div>
  )
}
