import { useApi } from '../../api/api.ts'
import { useEvents } from '../../api/use-events.ts'
import type { Space } from '../../api/types.ts'
import { SpaceFrame } from '../../places/space-frame.tsx'
import { t } from '../../words/words.ts'
import { Revisions } from '../../history/revisions.tsx'
import { useMayRestore } from './may-restore.ts'

/** The revisions of a space; an earlier one can be restored. */
export function SpaceHistory({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  useEvents(`/spaces/${spaceId}`, [`/spaces/${spaceId}`])
  return (
    <SpaceFrame id={spaceId} title={t('common.history')}>
      {(space) => <RevisionsOfSpace space={space} />}
    </SpaceFrame>
  )
}

function RevisionsOfSpace({ space }: { space: Space }) {
  const organization = useApi(`/orgs/${space.organization}`)
  const mayRestore = useMayRestore(space, organization.data)
  return (
    <div className="review">
      <Revisions path={`/spaces/${space.id}/revisions`} space={space} isOfSpace mayRestore={mayRestore} />
    </div>
  )
}
