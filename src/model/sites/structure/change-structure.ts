import type { Row, Tx } from '../../../db/schema.ts'
import { notFound } from '../../../http/errors.ts'
import { ABSENT } from '../../../http/route.ts'
import { touchSite } from '../site.ts'
import { type SiteItem, type SitePosition, sortItem } from './sorting.ts'
import { loadStructure, type Seen, type SiteStructure } from './structure.ts'

/** The site whose structure changes, and who changes it. */
type Changing = Seen & { site: Row<'site'>; now: Date }

/** Changes the structure of a site. @returns the structure as the caller then sees it */
export async function changeStructure(
  tx: Tx,
  { site, now, ...seen }: Changing,
  change: (structure: SiteStructure) => Promise<void>,
): Promise<SiteStructure> {
  await change(await loadStructure(tx, site, seen))
  await touchSite(tx, site, now)
  return loadStructure(tx, site, seen)
}

/** Moves a part of the structure of a site among its siblings. @throws 404 if the caller does not see it */
export function moveInStructure(
  tx: Tx,
  changing: Changing,
  item: SiteItem,
  position: SitePosition,
): Promise<SiteStructure> {
  return changeStructure(tx, changing, async (structure) => {
    needPart(structureParts(structure, item.type), item.id, item.type.replaceAll('-', ' '))
    await sortItem(tx, structure, item, position)
  })
}

/** Removes a part of the structure of a site that `find` returns. @returns `ABSENT` if the caller does not see it */
export async function removeFromStructure<P>(
  tx: Tx,
  { site, now, ...seen }: Changing,
  find: (structure: SiteStructure) => P | undefined,
  remove: (part: P, structure: SiteStructure) => Promise<void>,
): Promise<typeof ABSENT | undefined> {
  const structure = await loadStructure(tx, site, seen)
  const part = find(structure)
  if (part === undefined) return ABSENT
  await remove(part, structure)
  await touchSite(tx, site, now)
  return undefined
}

/** The spaces, the sections, the groups or the links of a structure. */
export function structureParts(structure: SiteStructure, type: SiteItem['type']): readonly { id: string }[] {
  if (type === 'site-space') return structure.siteSpaces
  if (type === 'site-external-link') return structure.links
  return type === 'site-section' ? structure.sections : structure.groups
}

/** The part with an id. @throws 404 */
export function needPart<P extends { id: string }>(parts: readonly P[], id: string, kind: string): P {
  const found = parts.find((one) => one.id === id)
  if (!found) throw notFound(kind)
  return found
}
