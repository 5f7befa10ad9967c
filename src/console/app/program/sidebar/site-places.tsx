import { Link } from 'wouter'
import { useList } from '../../api/api.ts'
import type { Organization } from '../../api/types.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import { emojiText } from '../../ui/emoji-code.ts'
import { Refusal } from '../../ui/parts.tsx'
import { PlaceSign } from '../../ui/signs.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { Group, Place, PlaceName } from './parts.tsx'

/** The group of the sidebar with the sites. Members who can create nothing see it if they have a role on a site. */
export function SitePlaces({
  organization: { id, permissions },
  at,
}: {
  organization: Organization
  at: string
}) {
  const sites = useList(`/orgs/${id}/sites`)
  if (!permissions.createContent && sites.items.length === 0) return null
  return (
    <Group name={<Link href={`/o/${id}/sites`}>{t('common.sites')}</Link>}>
      {sites.isLoading && <Skeleton lines={2} />}
      {sites.isSuccess && sites.items.length === 0 && <p className="side-none">{t('sidebar.no-site-yet')}</p>}
      <Refusal query={sites.error ? sites : undefined} />
      <ul>
        {sites.items.map((site) => (
          <li key={site.id}>
            <Place to={`/o/${id}/sites/${site.id}`} at={at} isAround sign={<SiteSign site={site} />}>
              <PlaceName>{site.title || t('common.untitled')}</PlaceName>
              <span className={site.published ? 'side-state on' : 'side-state'}>
                <span className="unseen">
                  {site.published ? t('common.published') : t('site.not-published')}
                </span>
              </span>
            </Place>
          </li>
        ))}
      </ul>
    </Group>
  )
}

function SiteSign({ site: { icon } }: { site: Schemas['Site'] }) {
  if (icon && 'emoji' in icon)
    return (
      <span className="face emoji-face" aria-hidden="true">
        {emojiText(icon.emoji)}
      </span>
    )
  if (icon) return <img className="face" src={icon.icon.light} alt="" />
  return <PlaceSign name="globe" />
}
