import { Everybody, GiveAccess, Grants } from '../../places/access.tsx'
import { SpaceFrame } from '../../places/space-frame.tsx'
import { roleName } from '../../words/role-names.ts'
import { useApi } from '../../api/api.ts'
import { Loaded } from '../../ui/parts.tsx'
import type { Space, User } from '../../api/types.ts'
import { t } from '../../words/words.ts'

/** The screen with the users who can see a space, with their roles and the reasons. */
export function ShareScreen({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  return (
    <SpaceFrame id={spaceId} title={t('Share')}>
      {(space) => {
        const place = {
          path: `/spaces/${space.id}` as const,
          organization: space.organization,
          isInCollection: space.parent !== undefined,
          defaultLevel: space.defaultLevel,
          canChange: space.permissions.admin,
        }
        if (!place.canChange)
          return <p className="hint">{t('Sharing a space requires the role “Creator” on it.')}</p>
        return (
          <>
            <GiveAccess place={place} />
            <Grants place={place} />
            <Everybody
              place={place}
              title={t('Everyone who can see this space')}
              reason={(user) => <Reason space={space} user={user} />}
            />
          </>
        )
      }}
    </SpaceFrame>
  )
}

/** The rule that gave somebody a role, in a sentence. */
function Reason({ space, user }: { space: Space; user: User }) {
  const query = useApi(`/spaces/${space.id}/permissions/explain?user=${user.id}`)
  const step = query.data?.chain.find(({ decides }) => decides)
  const collection = useApi(step?.type === 'collection' ? `/collections/${step.id}` : undefined)
  const grant = step?.grants.find(({ role }) => role === query.data?.role)
  const team = useApi(
    query.data?.reason === 'grant' && grant?.type === 'team'
      ? `/orgs/${space.organization}/teams/${grant.id}`
      : undefined,
  )
  return (
    <Loaded query={query} title={t('The reason cannot be shown')}>
      {({ role, reason }) => {
        const place =
          step?.type === 'collection'
            ? t('the collection “{name}”', { name: collection.data?.title ?? '…' })
            : t('this space')
        const values = { name: user.displayName, role: roleName(role, t('No access')), place }
        const sentences = {
          administrator: t('{name} is an administrator of the organization.', values),
          grant:
            grant?.type === 'team'
              ? t('{name} is in the team “{team}”, which has the role {role} on {place}.', {
                  ...values,
                  team: team.data?.title ?? '…',
                })
              : t('{name} was given the role {role} on {place}.', values),
          defaultLevel: t('All members have the role {role} on {place}.', values),
          organization: t('{name} has the role {role} in the organization.', values),
          disabled: t('{name} is disabled in the organization.', values),
        }
        return <p className="hint">{sentences[reason]}</p>
      }}
    </Loaded>
  )
}
