import type { SectionTab } from '../../render/view.ts'
import { type SiteContent, variantAddress } from '../../../model/sites/published/content/site-content.ts'
import { styledIcon } from './look.ts'
import type { OpenSite } from '../../../model/sites/published/open-site.ts'

/** The sections and links of a site for the row under its header. A section leads to its default space. */
export function tabsOf(content: SiteContent): SectionTab[] {
  const { open, variant } = content
  const toTabs = (items: OpenSite['items']): SectionTab[] =>
    items.flatMap((item): SectionTab[] => {
      const { title } = item.row
      const icon = item.row.icon ? styledIcon(content, item.row.icon) : undefined
      if (item.kind === 'site-section-group') {
        const children = toTabs(item.children)
        return children.length > 0 ? [{ title, icon, children }] : []
      }
      const description = item.row.description ?? undefined
      if (item.kind === 'site-external-link') {
        const { url: href } = item.row
        const newWindow = content.customization.externalLinks.target === 'blank'
        return content.hiddenUrls.has(href)
          ? []
          : [{ title, icon, description, href, external: true, newWindow }]
      }
      const inside = open.variants.filter(({ section }) => section?.id === item.row.id)
      const first = inside.find(({ isDefault }) => isDefault) ?? inside[0]
      if (!first) return []
      return [
        {
          title,
          icon,
          description,
          href: variantAddress(open, first),
          current: item.row.id === variant.section?.id,
        },
      ]
    })
  return toTabs(open.items)
}
