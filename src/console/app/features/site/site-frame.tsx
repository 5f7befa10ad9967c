/** The frame of the screens of a site. */
import type { ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { Loaded } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import type { SiteSettings } from '../../api/settings-types.ts'
import type { Organization } from '../../api/types.ts'
import type { SitePath } from '../../api/paths.ts'

/** A site, with the path of the API to it, and the organization. */
interface OfSite {
  site: SiteSettings
  path: SitePath
  organization: Organization
}

/** A screen of a site. @param isForMembers whether members who cannot change the site see it too */
export function SiteFrame({
  params: { organizationId = '', siteId = '' },
  title,
  isForMembers = false,
  children,
}: {
  params: Record<string, string>
  /** By default, that of the site. */
  title?: string
  isForMembers?: boolean
  children: (of: OfSite) => ReactNode
}) {
  const path = `/orgs/${organizationId}/sites/${siteId}` as const
  const query = useApi(path)
  const name = query.data?.title || t('common.untitled')
  return (
    <Loaded query={query} title={t('site.site-cannot-shown')}>
      {(site) => (
        <OrganizationFrame
          id={organizationId}
          title={title ?? name}
          links={siteScreens(site)}
          trail={[
            { title: t('common.sites'), to: `/o/${organizationId}/sites` },
            ...(title === undefined ? [] : [{ title: name, to: `/o/${organizationId}/sites/${siteId}` }]),
          ]}
        >
          {(organization) =>
            isForMembers || site.permissions.admin ? (
              children({ site, path, organization })
            ) : (
              <p className="hint">{t('site.changing-site-requires-role')}</p>
            )
          }
        </OrganizationFrame>
      )}
    </Loaded>
  )
}

/** The screens of a site that the user can use, below the address of its organization. */
function siteScreens({ id, permissions }: SiteSettings): [path: string, title: string][] {
  const insights: [string, string] = [`sites/${id}/insights`, t('site.insights')]
  if (!permissions.admin) return [insights]
  return [
    [`sites/${id}`, t('site.site')],
    insights,
    [`sites/${id}/redirects`, t('common.redirects')],
    [`sites/${id}/visitors`, t('site.visitors')],
    [`sites/${id}/mcp`, t('site.mcp-servers')],
    [`sites/${id}/options`, t('common.options')],
    [`sites/${id}/people`, t('common.people')],
  ]
}
