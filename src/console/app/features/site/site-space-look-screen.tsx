import { SiteFrame } from './site-frame.tsx'
import { nameOfItem } from './site-item.tsx'
import { SpaceLook } from './site-look.tsx'
import { useList } from '../../api/api.ts'
import { Part } from '../../ui/fields.tsx'
import { t } from '../../words/words.ts'

/** The look of one space of a site. */
export function SiteSpaceLookScreen({ params }: { params: Record<string, string> }) {
  const { organizationId = '', siteId = '', siteSpaceId = '' } = params
  const path = `/orgs/${organizationId}/sites/${siteId}` as const
  const spaces = useList(`${path}/site-spaces?limit=1000`)
  const item = spaces.items.find(({ id }) => id === siteSpaceId)
  return (
    <SiteFrame params={params} title={t('site.look-space')}>
      {({ site, organization }) => (
        <Part title={item ? nameOfItem(item) : '…'}>
          <SpaceLook
            place={{ path, host: organization.hostname ?? '', basename: site.basename ?? '' }}
            siteSpaceId={siteSpaceId}
          />
        </Part>
      )}
    </SiteFrame>
  )
}
