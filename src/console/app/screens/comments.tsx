import { useState } from 'react'
import { ChoiceField } from '../admin/fields.tsx'
import { SpaceFrame } from '../admin/frames.tsx'
import { useApi } from '../api.ts'
import { type CommentStatus, type Discussed, Discussion } from '../review/comments.tsx'
import { useEvents } from '../review/use-events.ts'
import type { Space, User } from '../types.ts'
import { t } from '../words.ts'
// oxlint-disable-next-line import/no-unassigned-import
import '../review/review.css'

/** The comments on a space and its pages. */
export function CommentsScreen({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  // A notification leads to a comment, which may be resolved.
  const [status, setStatus] = useState<CommentStatus>(location.hash === '' ? 'open' : 'all')
  const base = `/spaces/${spaceId}` as const
  useEvents(base, `${base}/comments`)
  return (
    <SpaceFrame id={spaceId} title={t('Comments')}>
      {(space) => (
        <>
          <div className="fields-row">
            <ChoiceField
              label={t('Show')}
              value={status}
              onChange={setStatus}
              options={[
                ['open', t('Open comments')],
                ['resolved', t('Resolved comments')],
                ['all', t('All comments')],
              ]}
            />
          </div>
          <SpaceDiscussion space={space} status={status} />
        </>
      )}
    </SpaceFrame>
  )
}

/** A space as what is discussed; undefined until it is known who the caller is. */
export function useDiscussed(space: Space | undefined): Discussed | undefined {
  const me = useApi<User>('/user')
  return space && me.data && { base: `/spaces/${space.id}`, home: `/s/${space.id}`, space, me: me.data }
}

/** The comments on a space, or on a page of it. @param page its id */
export function SpaceDiscussion({
  space,
  status = 'open',
  page,
}: {
  space: Space
  status?: CommentStatus
  page?: string
}) {
  const discussed = useDiscussed(space)
  if (!discussed) return null
  return (
    <div className="review">
      <Discussion proposed={discussed} status={status} {...(page === undefined ? {} : { page })} />
    </div>
  )
}
