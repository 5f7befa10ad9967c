import { useApi } from '../api/api.ts'
import { ProposalFrame } from '../review/proposal.tsx'
import { useEvents } from '../api/use-events.ts'
import type { FullOrganization, FullSpace } from '../api/settings-types.ts'
import { SpaceFrame } from '../places/space-frame.tsx'
import type { RoleName } from '../words/role-names.ts'
import { t } from '../words/words.ts'
import { Revisions } from '../history/revisions.tsx'

/** The revisions of a change request. */
export function ChangeRequestHistory({ params }: { params: Record<string, string> }) {
  return (
    <ProposalFrame params={params}>
      {({ base, space }) => (
        <>
          <h1>{t('History')}</h1>
          <Revisions path={`${base}/revisions`} space={space} />
        </>
      )}
    </ProposalFrame>
  )
}

/** The revisions of a space; an earlier one can be restored. */
export function SpaceHistory({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  useEvents(`/spaces/${spaceId}`, [`/spaces/${spaceId}`])
  return (
    <SpaceFrame id={spaceId} title={t('History')}>
      {(space) => <RevisionsOfSpace space={space} />}
    </SpaceFrame>
  )
}

function RevisionsOfSpace({ space }: { space: FullSpace }) {
  const organization = useApi<FullOrganization>(`/orgs/${space.organization}`)
  const mayRestore = useMayRestore(space, organization.data)
  return (
    <div className="review">
      <Revisions path={`/spaces/${space.id}/revisions`} space={space} isOfSpace mayRestore={mayRestore} />
    </div>
  )
}

/** Whether the user can restore a revision. In a locked space, no change request would be checked by the merge rules. */
export function useMayRestore(space: FullSpace, organization: FullOrganization | undefined): boolean {
  const isLocked = space.editMode === 'locked'
  const rules = space.mergeRules.type === 'inherit' ? organization?.mergeRules : space.mergeRules
  const isGuarded = isLocked && rules?.type === 'rules'
  const explained = useApi<{ role: RoleName | null }>(
    isGuarded ? `/spaces/${space.id}/permissions/explain` : undefined,
  )
  if (isGuarded) return explained.data?.role === 'admin'
  return (isLocked ? space.permissions?.review : space.permissions?.edit) === true
}
