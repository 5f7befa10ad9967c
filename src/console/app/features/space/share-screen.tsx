import { Everybody, GiveAccess, Grants, type SharedPlace } from '../../places/access.tsx'
import { SpaceFrame } from '../../places/space-frame.tsx'
import { accessReasons } from '../../places/access-reasons.ts'
import { useApi } from '../../api/api.ts'
import { Loaded } from '../../ui/parts.tsx'
import type { SpacePath } from '../../api/paths.ts'
import type { Space, User } from '../../api/types.ts'
import { t } from '../../words/words.ts'

/** The screen with the users who can see a space, with their roles and the reasons. */
export function ShareScreen({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  return (
    <SpaceFrame id={spaceId} title={t('common.share')}>
      {(space) => {
        const place = {
          path: `/spaces/${space.id}` as const,
          organization: space.organization,
          isInCollection: space.parent !== undefined,
          defaultLevel: space.defaultLevel,
          canChange: space.permissions.admin,
        }
        if (!place.canChange) return <p className="hint">{t('space.sharing-space-requires-role')}</p>
        return <Sharing space={space} place={place} />
      }}
    </SpaceFrame>
  )
}

/** Guests know only why they have their own role, and no team by its name. */
function Sharing({ space, place }: { space: Space; place: SharedPlace<SpacePath> }) {
  const organization = useApi(`/orgs/${space.organization}`)
  const me = useApi('/user')
  const isMember = organization.data?.permissions.listMembers ?? false
  return (
    <>
      <GiveAccess place={place} />
      <Grants place={place} />
      <Everybody
        place={place}
        title={t('space.everyone-can-see-space')}
        canExplain={({ id }) => isMember || id === me.data?.id}
        reason={(user) => <Reason space={space} user={user} namesTeams={isMember} />}
      />
    </>
  )
}

/** The rule that gave somebody a role, in a sentence. */
function Reason({ space, user, namesTeams }: { space: Space; user: User; namesTeams: boolean }) {
  const query = useApi(`/spaces/${space.id}/permissions/explain?user=${user.id}`)
  const step = query.data?.chain.find(({ decides }) => decides)
  const collection = useApi(step?.type === 'collection' ? `/collections/${step.id}` : undefined)
  const grant = step?.grants.find(({ role }) => role === query.data?.role)
  const teamId = namesTeams && query.data?.reason === 'grant' && grant?.type === 'team' ? grant.id : undefined
  const team = useApi(teamId && `/orgs/${space.organization}/teams/${teamId}`)
  return (
    <Loaded query={query} title={t('place.reason-cannot-shown')}>
      {({ role, reason }) => {
        const place =
          step?.type === 'collection'
            ? t('space.the-collection-name', { name: collection.data?.title ?? '…' })
            : t('space.this-space')
        const sentences = accessReasons({
          name: user.displayName,
          role,
          place,
          ...(teamId && { team: team.data?.title ?? '…' }),
        })
        return <p className="hint">{sentences[reason]}</p>
      }}
    </Loaded>
  )
}
