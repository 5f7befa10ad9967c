import { Link } from 'wouter'
import { useList } from '../../api/api.ts'
import type { Organization } from '../../api/types.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import { Face } from '../../ui/face.tsx'
import { PlaceSign } from '../../ui/signs.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { FavouriteButton } from './favourites.tsx'
import { Group, MorePlaces, Place, PlaceName } from './parts.tsx'

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
      <ul>
        {sites.items.map((site) => (
          <SitePlace key={site.id} site={site} organizationId={id} at={at} />
        ))}
      </ul>
      <MorePlaces list={sites} />
    </Group>
  )
}

function SitePlace({
  site,
  organizationId,
  at,
}: {
  site: Schemas['Site']
  organizationId: string
  at: string
}) {
  const { id, published } = site
  const to = `/o/${organizationId}/sites/${id}`
  const title = site.title || t('common.untitled')
  const isHere = at === to || at.startsWith(`${to}/`)
  return (
    <li className="side-line">
      <Place to={to} at={at} isAround sign={<SiteSign site={site} />}>
        <PlaceName>{title}</PlaceName>
        <span className={published ? 'side-state on' : 'side-state'}>
          <span className="unseen">{published ? t('common.published') : t('site.not-published')}</span>
        </span>
      </Place>
      <FavouriteButton place={{ id, title, organizationId }} isHere={isHere} />
    </li>
  )
}

function SiteSign({ site: { id, title, icon } }: { site: Schemas['Site'] }) {
  if (!icon) return <PlaceSign name="globe" />
  return (
    <Face
      id={id}
      name={title}
      {...('emoji' in icon ? { emoji: icon.emoji } : { picture: icon.icon.light })}
    />
  )
}
