import { arrangeAmong, byPosition, type Ordered } from '../../../core/content/tree/arrange.ts'
import { spread } from '../../../core/content/tree/order.ts'
import type { Row, Tx } from '../../../db/schema.ts'
import { invalidField, unknownId } from '../../../http/errors.ts'
import { LEVEL_TABLES, levelItems, placeOnLevel } from './levels.ts'
import type { SiteStructure } from './structure.ts'
import { because } from '../../../core/languages/reasons.ts'

const TABLES = { ...LEVEL_TABLES, 'site-space': 'siteSpace' } as const

/** A section, a group, a link or a space of a site. */
export interface SiteItem {
  type: keyof typeof TABLES
  id: string
}

/** The neighbours that an item shall have; without any, it moves to the end. */
export interface SitePosition {
  before?: SiteItem | undefined
  after?: SiteItem | undefined
}

/** What a message calls each kind of item. */
export const ITEM_NAMES = {
  'site-section': 'a section of this site',
  'site-section-group': 'a section group of this site',
  'site-external-link': 'an external link of this site',
  'site-space': 'a site space of this site',
}

type Sibling = Ordered & SiteItem

/**
 * Moves an item among its siblings: the spaces of a section, or the sections, groups and links of a level.
 * @param structure what the caller sees
 * @throws 400 for a neighbour that the caller cannot see or that is on another level
 */
export async function sortItem(
  tx: Tx,
  structure: SiteStructure,
  item: SiteItem,
  position: SitePosition,
): Promise<void> {
  const all = await siblingsOf(tx, structure, item)
  const visible = new Set(
    [...structure.siteSpaces, ...structure.sections, ...structure.groups, ...structure.links].map(
      ({ id }) => id,
    ),
  )
  const seen = all.filter(({ id }) => visible.has(id))
  const others = seen.filter(({ id }) => id !== item.id)
  const indexOf = (side: 'before' | 'after') => {
    const neighbour = position[side]
    if (!neighbour) return undefined
    if (!visible.has(neighbour.id))
      throw unknownId(`body.position.${side}`, neighbour.id, ITEM_NAMES[neighbour.type])
    const index = others.findIndex(({ id, type }) => id === neighbour.id && type === neighbour.type)
    if (index < 0) throw invalidField(`body.position.${side}`, because('not-beside', { id: neighbour.id }))
    return index
  }
  const before = indexOf('before')
  const after = indexOf('after')
  if (before !== undefined && after !== undefined && before !== after + 1)
    throw invalidField('body.position', because('after-not-before-before'))

  const arranged = arrangeAmong(all, seen, ({ id }) => id === item.id, { before, after })
  if (!arranged) return
  const write = ({ type, id }: SiteItem, key: string) =>
    tx.updateTable(TABLES[type]).set({ position: key }).where('id', '=', id).execute()
  for (const [at, key] of arranged.moved) await write(arranged.rest[at] as Sibling, key)
  await write(item, arranged.order)
}

async function siblingsOf(tx: Tx, structure: SiteStructure, item: SiteItem): Promise<Sibling[]> {
  const { site } = structure
  if (item.type === 'site-space') {
    const one = structure.siteSpaces.find(({ id }) => id === item.id)
    const spaces = await tx
      .selectFrom('siteSpace')
      .select(['id', 'position', 'sectionId'])
      .where('siteId', '=', site.id)
      .execute()
    return spaces
      .filter(({ sectionId }) => sectionId === one?.sectionId)
      .map(({ id, position }) => ({ id, position, type: item.type }))
      .toSorted(byPosition)
  }
  const all = await levelItems(tx, site.id)
  const parent = all.find(({ id }) => id === item.id)?.parent ?? null
  return all.filter((one) => one.parent === parent).toSorted(byPosition)
}

/** Puts what is in a group into its place on its level, also what the caller cannot see. */
export async function liftChildren(tx: Tx, siteId: string, group: Row<'siteSectionGroup'>): Promise<void> {
  const all = await levelItems(tx, siteId)
  const next = all
    .filter(({ parent, position }) => parent === group.parent && position > group.position)
    .map(({ position }) => position)
    .toSorted()[0]
  const children = all.filter(({ parent }) => parent === group.id).toSorted(byPosition)
  const keys = spread(children.length, group.position, next ?? null)
  for (const [i, child] of children.entries())
    await placeOnLevel(tx, child, { parent: group.parent, position: keys[i]! })
}
