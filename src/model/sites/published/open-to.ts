import { hash } from 'node:crypto'
import { ANONYMOUS, conditionsFor } from '../../../access/visitors/visitors.ts'
import type { Reader } from '../../../db/schema.ts'
import { filledSpaces } from './content/filled-spaces.ts'
import type { OpenSite, Section, ServedSite } from './open-site.ts'
import type { StructureItem } from '../structure/reading-order.ts'
import type { SitePreview, Visit } from './visit.ts'

/** The visit of a reader without claims, on a site that is the same for everyone. */
const EVERYONE: Visit = { visitor: ANONYMOUS, context: '', storedBy: 'anyone' }

const everyones = new WeakMap<ServedSite, OpenSite>()

/** A site as everyone sees it. */
export async function openToEveryone(db: Reader, place: ServedSite): Promise<OpenSite> {
  const known = everyones.get(place)
  if (known) return known
  const open = await openTo(db, place, EVERYONE)
  everyones.set(place, open)
  return open
}

/**
 * A site as one reader sees it: only with the spaces of which the reader may see a page, and under an address that holds
 * the key of the reader's share link. Its version differs between readers who see different things.
 * @param signed distinguishes responses with other signed addresses
 */
export async function openTo(db: Reader, place: ServedSite, visit: Visit, signed = ''): Promise<OpenSite> {
  const { key, context, preview } = visit
  const parts = [key, context, preview && versionOf(preview)]
  const isPlain = [...parts, signed].every((part) => !part)
  const view = [place.version, ...parts].join(' ')
  const maySee = conditionsFor(visit.visitor)
  const found = preview ? place.withDrafts() : place
  const permitted = found.variants.filter(
    ({ condition, section }) => maySee(condition) && maySee(section?.condition),
  )
  const variants = await filledSpaces(db, place, visit, permitted)
  const { withDrafts: _withDrafts, ...site } = place
  return {
    ...site,
    visit,
    base: key === undefined ? place.base : `${place.base}${key}/`,
    version: isPlain ? place.version : `${view} ${signed}`,
    view,
    variants,
    items: itemsWithin(found.items, new Set(variants.map(({ section }) => section?.id)), maySee),
  }
}

/** The style sheet of a preview has its token in the address, so that two tokens have two versions. */
const versionOf = ({ userId, token }: SitePreview) =>
  `preview ${userId}${token === undefined ? '' : ` ${hash('sha1', token, 'base64url')}`}`

/** The sections that have a space which the reader may see, the links that they may see, and the groups that have either. */
function itemsWithin(
  items: readonly StructureItem<Section>[],
  shown: ReadonlySet<string | undefined>,
  maySee: ReturnType<typeof conditionsFor>,
): StructureItem<Section>[] {
  return items.flatMap((item): StructureItem<Section>[] => {
    if (item.kind === 'site-section') return shown.has(item.row.id) ? [item] : []
    if (item.kind === 'site-external-link') return maySee(item.row.condition) ? [item] : []
    const children = itemsWithin(item.children, shown, maySee)
    return children.length > 0 ? [{ ...item, children }] : []
  })
}
