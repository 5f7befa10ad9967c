import type { SiteContent } from './content.ts'
import { headerFilter } from './visible-settings.ts'

/** Whether a link in the header, the footer or the announcement that the reader sees leads to a file. */
export function linksToFile(content: SiteContent, spaceId: string, fileId: string): boolean {
  const { header, footer, announcement } = content.customization
  const targets = [
    ...header.links
      .filter(headerFilter(content))
      .flatMap(({ to, links }) => [to, ...links.map((link) => link.to)]),
    ...footer.groups.flatMap(({ links }) => links.map(({ to }) => to)),
    announcement?.enabled ? announcement.link?.to : undefined,
  ]
  return targets.some((to) => to?.kind === 'file' && to.file === fileId && (to.space ?? spaceId) === spaceId)
}
