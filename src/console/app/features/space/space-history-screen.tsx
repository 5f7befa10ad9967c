import { Button } from 'react-aria-components'
import { useApi } from '../../api/api.ts'
import { useEvents } from '../../api/use-events.ts'
import type { Space } from '../../api/types.ts'
import { SpaceFrame } from '../../places/space-frame.tsx'
import { Passed } from '../../ui/fields.tsx'
import { DialogButton } from '../../ui/parts.tsx'
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
      <p>
        <CloneButton space={space} />
      </p>
      <Revisions path={`/spaces/${space.id}/revisions`} space={space} isOfSpace mayRestore={mayRestore} />
    </div>
  )
}

/** Shows the command that clones the space with its history, to everyone who can read it. */
function CloneButton({ space: { id, organization } }: { space: Space }) {
  return (
    <DialogButton label={t('space.clone-with-git')} title={t('space.clone-with-git')} kind="button small">
      {(close) => (
        <>
          <Passed text={`git clone ${location.origin}/git/${organization}/${id}.git`} />
          <p className="hint">{t('space.clone-needs-token')}</p>
          <p>
            <Button className="button" onPress={close}>
              {t('common.close')}
            </Button>
          </p>
        </>
      )}
    </DialogButton>
  )
}
