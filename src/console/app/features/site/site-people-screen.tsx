import { Everybody, GiveAccess, Grants, type SharedPlace } from '../../places/access.tsx'
import { accessReasons } from '../../places/access-reasons.ts'
import { useApi } from '../../api/api.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { SitePath } from '../../api/paths.ts'
import { t } from '../../words/words.ts'
import { SiteFrame } from './site-frame.tsx'

/** The screen with the users who can see or change a site, with their roles and the reasons. */
export function SitePeopleScreen({ params }: { params: Record<string, string> }) {
  return (
    <SiteFrame params={params} title={t('common.people')}>
      {({ site, path, organization }) => {
        const place: SharedPlace<SitePath> = {
          path,
          organization: organization.id,
          isInCollection: false,
          defaultLevel: site.defaultLevel,
          canChange: site.permissions.admin,
        }
        return (
          <>
            <p className="hint">{t('site.role-on-site-only')}</p>
            <GiveAccess place={place} />
            <Grants place={place} />
            <Everybody
              place={place}
              title={t('site.everyone-can-see-site')}
              reason={(_user, item) => <SiteReason organizationId={organization.id} item={item} />}
            />
          </>
        )
      }}
    </SiteFrame>
  )
}

/** The rule that gave somebody a role on a site, in a sentence. */
function SiteReason({
  organizationId,
  item: { user, permission, origin },
}: {
  organizationId: string
  item: Schemas['UserSitePermission']
}) {
  const teamId = origin.type === 'site' && origin.reason === 'team' ? origin.team : undefined
  const team = useApi(teamId && `/orgs/${organizationId}/teams/${teamId}`)
  const sentences = accessReasons({
    name: user.displayName,
    role: permission,
    place: t('site.this-site'),
    ...(teamId && { team: team.data?.title ?? '…' }),
  })
  return <p className="hint">{sentences[ruleOf(permission, origin)]}</p>
}

function ruleOf(role: string | null, origin: Schemas['UserSitePermission']['origin']) {
  if (origin.type === 'site') return origin.reason === 'default' ? 'defaultLevel' : 'grant'
  return role === 'admin' ? 'administrator' : 'organization'
}
