import type { LinkTarget } from '../../../../core/document/html/renderer.ts'
import type { ContentRef } from '../../../../core/document/model.ts'
import { listedLinks } from '../../../../core/content/tree/entries.ts'
import { shownCustomization, type SiteCustomizations } from '../../customization/customization.ts'
import { type Customization, urlsOfSettings } from '../../customization/customization-settings.ts'
import { linkTo, loadContent, type SiteContent, type SiteServices, variantAddress } from './site-content.ts'
import { headerFilter } from './header-filter.ts'
import { hiddenUrls } from './hidden-urls.ts'
import type { OpenSite, Variant } from '../open-site.ts'

/** The target of a link in the settings of a site; undefined if it does not exist or the reader cannot see it. */
export function settingTarget(content: SiteContent, to: ContentRef): LinkTarget | undefined {
  const surroundings = { anchors: new Map(), spaces: content.linked }
  const inDefault = () =>
    [...content.linked.values()].map((other) => linkTo(other, to, surroundings)).find((one) => one?.href)
  return linkTo(content, to, surroundings) ?? ('space' in to ? undefined : inDefault())
}

/** The settings of a site and its spaces without the links that its reader does not see, and without conditions. */
export async function visibleCustomizations(
  services: SiteServices,
  open: OpenSite,
  { site, ofSpace, hasMode }: SiteCustomizations,
): Promise<SiteCustomizations> {
  const all = [site, ...open.variants.map(({ siteSpaceId }) => ofSpace(siteSpaceId))]
  const hidden = await hiddenUrls(services, open, all.flatMap(urlsOfSettings))
  const [first] = open.variants
  const main =
    open.variants.find(({ isDefault, section }) => isDefault && section?.isDefault !== false) ?? first
  const ofSpaces = new Map<string, Customization>()
  for (const variant of open.variants)
    ofSpaces.set(variant.siteSpaceId, await visibleIn(variant, ofSpace(variant.siteSpaceId)))
  return {
    hasMode,
    site: main ? await visibleIn(main, site) : site,
    ofSpace: (id) => ofSpaces.get(id) ?? ofSpace(id),
  }

  async function visibleIn(variant: Variant, stored: Customization): Promise<Customization> {
    const settings = shownCustomization(stored)
    if (isSameForAll(settings, hidden))
      return withLinks(settings, settings.header.links, settings.footer.groups)
    const content = await loadContent(services, open, variant, variantAddress(open, variant))
    return visibleTo(content, settings, hidden)
  }
}

/** @param hidden the URLs of the site itself that lead to what the reader may not see */
function visibleTo(
  content: SiteContent,
  settings: Customization,
  hidden: ReadonlySet<string>,
): Customization {
  const leads = ({ to }: { to: ContentRef }) =>
    to.kind === 'url' ? !hidden.has(to.url) : settingTarget(content, to)?.href !== undefined
  const { header, footer, announcement, privacyPolicy } = settings
  const links = header.links.filter(headerFilter(content)).map(({ condition: _condition, ...item }) => ({
    ...item,
    to: item.to !== null && leads({ to: item.to }) ? item.to : null,
    links: item.links.filter(leads),
  }))
  const groups = footer.groups.map((group) => ({ ...group, links: group.links.filter(leads) }))
  const hidesLink = announcement?.link !== undefined && !leads(announcement.link)
  return {
    ...withLinks(settings, links, groups),
    ...(announcement && hidesLink ? { announcement: withoutLink(announcement) } : {}),
    privacyPolicy: privacyPolicy.url !== undefined && hidden.has(privacyPolicy.url) ? {} : privacyPolicy,
  }
}

function withLinks(
  settings: Customization,
  links: Customization['header']['links'],
  groups: Customization['footer']['groups'],
): Customization {
  const { header, footer } = settings
  return {
    ...settings,
    header: { ...header, links: listedLinks(links) },
    footer: { ...footer, groups: listedLinks(groups) },
  }
}

function withoutLink<A extends { link?: unknown }>({ link: _link, ...announcement }: A) {
  return announcement
}

/** Whether settings have neither conditions nor links to what only some readers see. */
function isSameForAll(settings: Customization, hidden: ReadonlySet<string>): boolean {
  const { header, footer, announcement } = settings
  const links = JSON.stringify([header.links, footer.groups, announcement])
  return (
    !/"condition":|"kind":"(?!url")/.test(links) && !urlsOfSettings(settings).some((url) => hidden.has(url))
  )
}
