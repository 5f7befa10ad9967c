import { useApi } from '../../api/api.ts'
import type { Organization, Space } from '../../api/types.ts'

/** Whether the user can restore a revision. In a locked space, no change request would be checked by the merge rules. */
export function useMayRestore(space: Space, organization: Organization | undefined): boolean {
  const isLocked = space.editMode === 'locked'
  const rules = space.mergeRules.type === 'inherit' ? organization?.mergeRules : space.mergeRules
  const isGuarded = isLocked && rules?.type === 'rules'
  const explained = useApi(isGuarded ? `/spaces/${space.id}/permissions/explain` : undefined)
  if (isGuarded) return explained.data?.role === 'admin'
  return isLocked ? space.permissions.review : space.permissions.edit
}
