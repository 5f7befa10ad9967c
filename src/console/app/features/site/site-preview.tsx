import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useApi } from '../../api/api.ts'
import { Refusal } from '../../ui/parts.tsx'
import { useSettled } from '../../ui/settled.ts'
import { t } from '../../words/words.ts'
import type { SitePath } from '../../api/paths.ts'

/** Where a site is, so that a preview finds it. */
export interface PreviewPlace {
  /** The path of the site below `/v1`. */
  path: SitePath
  /** The name of the organization in addresses. */
  host: string
  basename: string
  /** The space of the site to open; by default, the default one. */
  siteSpace?: string
}

/**
 * The site with the changes of a form that nobody has saved, beside the form. The frame opens the site below the host of
 * the API, where its pages run in an opaque origin and cannot reach the console.
 * @param changes to the saved look, as JSON; empty for none
 * @param version differs whenever the saved look does
 */
export function SitePreview({
  place: { path, host, basename, siteSpace },
  changes,
  version,
}: {
  place: PreviewPlace
  changes: string
  version: string
}) {
  const [isShown, setShown] = useState(false)
  const look = useSettled(changes)
  const query = new URLSearchParams({ ...(siteSpace && { siteSpace }), ...(look !== '' && { look }) })
  const answer = useApi(isShown ? `${path}/publishing/preview?${query}` : undefined)
  const address = answer.data && URL.parse(answer.data.url)
  const source = address && `/sites/${host}${placeWithin(address, host, basename)}${address.search}`
  return (
    <div className="site-preview">
      <Button className="button" aria-expanded={isShown} onPress={() => setShown(!isShown)}>
        {isShown ? t('site.hide-the-preview') : t('site.show-the-preview')}
      </Button>
      <Refusal query={answer} />
      {isShown && source && (
        <iframe key={`${version} ${source}`} title={t('site.preview-site')} src={source} />
      )}
    </div>
  )
}

/** The path of a preview below the host of the organization. A site with another host name has no basename in its address. */
function placeWithin({ hostname, pathname }: URL, host: string, basename: string): string {
  return hostname.startsWith(`${host}.`) ? pathname : `/${basename}${pathname}`
}
