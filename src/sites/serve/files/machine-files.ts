/** The files of a site for search engines and language models, by their paths. */
import { isIndexed } from '../../../model/sites/published/resolve/addresses.ts'
import type { Tools } from '../tools.ts'
import { loadContent, variantAddress } from '../../../model/sites/published/content/site-content.ts'
import type { OpenSite, Variant } from '../../../model/sites/published/open-site.ts'
import { type SiteResponse, TEXT_TYPE, textResponse } from '../responses.ts'
import { llmsFullText, llmsText, robots, siteMap, siteMapIndex } from './text-formats.ts'

const XML = 'application/xml; charset=utf-8'
const SITE_MAP = 'sitemap-pages.xml'
const LLMS_FULL = /^llms-full\.txt(?:\/([1-9]\d{0,5}))?$/

/** The response for the path of such a file within a site; undefined for other paths. */
export async function respondToMachineFile(
  tools: Tools,
  open: OpenSite,
  path: string,
): Promise<SiteResponse | undefined> {
  const load = (variant: Variant) => loadContent(tools, open, variant, variantAddress(open, variant))
  const loadAll = () => Promise.all(open.variants.map(load))

  if (path === 'robots.txt')
    return textResponse(200, TEXT_TYPE, robots(mapsOf(tools, isIndexed(open) ? [open] : [])))
  if (path === 'sitemap.xml')
    return textResponse(200, XML, siteMapIndex(tools, isIndexed(open) ? open : undefined))
  if (path === 'llms.txt') return textResponse(200, TEXT_TYPE, await llmsText(tools, await loadAll()))

  const part = LLMS_FULL.exec(path)
  if (part) {
    const full = await llmsFullText(tools, await loadAll(), Number(part[1] ?? 1))
    if (!full) return textResponse(404, TEXT_TYPE, 'There is no such part.\n')
    return { ...(await textResponse(200, TEXT_TYPE, full.text)), elsewhere: full.elsewhere }
  }
  if (!path.endsWith(SITE_MAP)) return undefined
  const mapped = open.variants.find(({ home }) => path === home + SITE_MAP)
  if (!mapped) return undefined
  return textResponse(200, XML, await siteMap(tools, isIndexed(open) ? [await load(mapped)] : []))
}

/** The URLs of the site maps of the sites that search engines may index. */
export function mapsOf(
  { urls }: Tools,
  sites: {
    site: Pick<OpenSite['site'], 'visibility' | 'basename' | 'hostname' | 'proxy'>
    organizationHostname: string
  }[],
): string[] {
  return sites
    .filter(({ site }) => site.visibility === 'public')
    .map(({ site, organizationHostname }) => `${urls.site(site, organizationHostname)}sitemap.xml`)
}
