import { useState } from 'react'
import { ChoiceField } from '../../ui/fields.tsx'
import { SpaceFrame } from '../../places/space-frame.tsx'
import type { CommentStatus } from '../../discussion/discussion.tsx'
import { useEvents } from '../../api/use-events.ts'
import { t } from '../../words/words.ts'
import { SpaceDiscussion } from './space-discussion.tsx'

/** The comments on a space and its pages. */
export function CommentsScreen({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  // A notification leads to a comment, which may be resolved.
  const [status, setStatus] = useState<CommentStatus>(location.hash === '' ? 'open' : 'all')
  const base = `/spaces/${spaceId}` as const
  useEvents(base, [`${base}/comments`])
  return (
    <SpaceFrame id={spaceId} title={t('common.comments')}>
      {(space) => (
        <>
          <div className="fields-row">
            <ChoiceField
              label={t('common.show')}
              value={status}
              onChange={setStatus}
              options={[
                ['open', t('space.open-comments')],
                ['resolved', t('space.resolved-comments')],
                ['all', t('space.all-comments')],
              ]}
            />
          </div>
          <SpaceDiscussion space={space} status={status} />
        </>
      )}
    </SpaceFrame>
  )
}
