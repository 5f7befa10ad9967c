/** Why somebody has a role on a space or a site. */
import { type RoleName, roleName } from '../words/role-names.ts'
import { t } from '../words/words.ts'

/** A sentence for each kind of rule that can decide a role. @param team the title of the team with the grant, if it is one */
export function accessReasons({
  name,
  role,
  place,
  team,
}: {
  name: string
  role: RoleName | null
  place: string
  team?: string
}) {
  const values = { name, role: roleName(role, t('common.no-access')), place }
  return {
    administrator: t('place.name-administrator-organization', values),
    grant:
      team === undefined
        ? t('place.name-given-role-role', values)
        : t('place.name-team-team-role', { ...values, team }),
    defaultLevel: t('place.all-members-role-role', values),
    organization: t('place.name-role-role-organization', values),
    disabled: t('place.name-disabled-organization', values),
  }
}
