import type { ContentRef } from '../../../../core/document/model.ts'
import { heapSize } from '../../../../core/runtime/heap-size.ts'
import { lru } from '../../../../core/data/lru.ts'
import type { Reader } from '../../../../db/schema.ts'
import { fileKey } from '../../../content/content-uses.ts'
import { loadCustomizations, shownCustomization } from '../../customization/customization.ts'
import { headerFilter } from './header-filter.ts'
import type { OpenSite } from '../open-site.ts'
import { loadSeenPages } from './seen-pages.ts'

/** The files that links of settings name, by the version of the site. */
const known = lru<ReadonlySet<string>>(1024 * 1024)

/** Whether a link in the header, the footer or the announcement that the reader sees leads to a file. */
export async function isFileLinked(
  db: Reader,
  open: OpenSite,
  spaceId: string,
  fileId: string,
): Promise<boolean> {
  const linked = known.get(open.version) ?? (await linkedFiles(db, open))
  // A link without a space may lead to any.
  return linked.has(fileKey(spaceId, fileId)) || linked.has(fileKey('', fileId))
}

async function linkedFiles(db: Reader, open: OpenSite): Promise<ReadonlySet<string>> {
  const { ofSpace } = await loadCustomizations(db, open.site.id, open.visit.preview?.look)
  const found = new Set<string>()
  for (const variant of open.variants) {
    const { variables } = await loadSeenPages(db, open, variant)
    const { header, footer, announcement } = shownCustomization(ofSpace(variant.siteSpaceId))
    const targets: (ContentRef | null | undefined)[] = [
      ...header.links
        .filter(headerFilter({ open, variables }))
        .flatMap(({ to, links }) => [to, ...links.map((link) => link.to)]),
      ...footer.groups.flatMap(({ links }) => links.map(({ to }) => to)),
      announcement?.enabled ? announcement.link?.to : undefined,
    ]
    for (const to of targets) if (to?.kind === 'file') found.add(fileKey(to.space ?? '', to.file))
  }
  known.set(open.version, found, heapSize([...found]))
  return found
}
