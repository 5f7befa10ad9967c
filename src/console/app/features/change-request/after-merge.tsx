/** The next step once the changes are in the space: see them on a site, or publish the space to readers. */
import { Link } from 'wouter'
import { useApi, useList } from '../../api/api.ts'
import type { Space } from '../../api/types.ts'
import { t } from '../../words/words.ts'
import { useChanges } from '../../diff/change-list.tsx'
import type { Proposed } from './change-request-frame.tsx'
import type { ChangeRequestPath } from '../../api/paths.ts'

/** More pages than these are on the site with them. */
const NAMED = 5

/** The way to the changes on a site, or to publishing them. */
export function AfterMerge({ proposed: { base, space } }: { proposed: Proposed }) {
  return (
    <>
      {space.urls.published === undefined ? (
        <NotPublished space={space} />
      ) : (
        <Published base={base} address={space.urls.published} />
      )}
      <Link href={`/s/${space.id}`}>{t('change-request.to-the-space')}</Link>
    </>
  )
}

/** The changed pages on a site. */
function Published({ base, address }: { base: ChangeRequestPath; address: string }) {
  const { data } = useChanges(`${base}/changes`)
  const pages = new Map(
    (data?.changes ?? []).flatMap((one) =>
      'page' in one && one.type !== 'page_deleted' && one.page.type === 'document'
        ? [[one.page.id, one.page]]
        : [],
    ),
  )
  const shown = [...pages.values()].slice(0, NAMED)
  const site = (
    <a href={address} target="_blank" rel="noreferrer">
      {t('change-request.see-the-site')}
    </a>
  )
  return (
    <>
      <p>{t('change-request.readers-see-them-site')}</p>
      {shown.length === 0 ? (
        site
      ) : (
        <ul>
          {shown.map(({ id, title, path = '' }) => (
            <li key={id}>
              <a href={new URL(encodeURI(path), address).href} target="_blank" rel="noreferrer">
                {t('change-request.see-title-site', { title: title || t('common.untitled') })}
              </a>
            </li>
          ))}
          {pages.size > shown.length && <li>{site}</li>}
        </ul>
      )}
    </>
  )
}

/** The steps that are missing before readers see the space, for members of the organization. Guests see no sites. */
function NotPublished({ space: { id, organization: organizationId } }: { space: Space }) {
  const organization = useApi(`/orgs/${organizationId}`)
  const { listMembers, createContent } = organization.data?.permissions ?? {}
  const sites = useList(listMembers ? `/orgs/${organizationId}/sites?space=${id}` : undefined)
  if (!sites.isSuccess) return null
  const [site] = sites.items
  if (!site)
    return (
      <p>
        {t('change-request.space-no-site-yet')}{' '}
        {createContent && <Link href={`/o/${organizationId}/sites`}>{t('change-request.put-site')}</Link>}
      </p>
    )
  const title = site.title || t('common.untitled')
  return (
    <p>
      {site.published
        ? t('change-request.space-site-title', { title })
        : t('change-request.site-title-not-published', { title })}{' '}
      <Link href={`/o/${organizationId}/sites/${site.id}`}>
        {createContent && !site.published
          ? t('change-request.publish-the-site')
          : t('change-request.to-the-site')}
      </Link>
    </p>
  )
}
