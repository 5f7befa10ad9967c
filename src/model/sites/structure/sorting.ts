import { arrangeAmong, byPosition, type Ordered } from '../../../core/content/tree/arrange.ts'
import { spread } from '../../../core/content/tree/order.ts'
import type { Row, Tx } from '../../../db/schema.ts'
import { invalidField, unknownId } from '../../../http/errors.ts'
import { readSections, type SiteStructure } from './structure.ts'
import { because } from '../../../core/languages/reasons.ts'

const TABLES = {
  'site-section': 'siteSection',
  'site-section-group': 'siteSectionGroup',
  'site-space': 'siteSpace',
} as const

/** A section, a group or a space of a site. */
export interface SiteItem {
  type: keyof typeof TABLES
  id: string
}

/** The neighbours that an item shall have; without any, it moves to the end. */
export interface SitePosition {
  before?: SiteItem | undefined
  after?: SiteItem | undefined
}

const NAMES = {
  'site-section': 'a section of this site',
  'site-section-group': 'a section group of this site',
  'site-space': 'a site space of this site',
}

type Sibling = Ordered & SiteItem

/**
 * Moves an item among its siblings: the spaces of a section, or the sections and groups of a level.
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
    [...structure.siteSpaces, ...structure.sections, ...structure.groups].map(({ id }) => id),
  )
  const seen = all.filter(({ id }) => visible.has(id))
  const others = seen.filter(({ id }) => id !== item.id)
  const indexOf = (side: 'before' | 'after') => {
    const neighbour = position[side]
    if (!neighbour) return undefined
    if (!visible.has(neighbour.id))
      throw unknownId(`body.position.${side}`, neighbour.id, NAMES[neighbour.type])
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
  const { sections, groups } = await readSections(tx, site.id)
  const parent =
    sections.find(({ id }) => id === item.id)?.groupId ??
    groups.find(({ id }) => id === item.id)?.parent ??
    null
  const of = (type: SiteItem['type']) => (row: Row<'siteSection'> | Row<'siteSectionGroup'>) => ({
    id: row.id,
    position: row.position,
    type,
  })
  return [
    ...sections.filter(({ groupId }) => groupId === parent).map(of('site-section')),
    ...groups.filter((group) => group.parent === parent).map(of('site-section-group')),
  ].toSorted(byPosition)
}

/** Puts the sections and groups in a group into its place on its level, also those that the caller cannot see. */
export async function liftChildren(tx: Tx, siteId: string, group: Row<'siteSectionGroup'>): Promise<void> {
  const { sections, groups } = await readSections(tx, siteId)
  const level = [
    ...sections.filter(({ groupId }) => groupId === group.parent),
    ...groups.filter(({ parent }) => parent === group.parent),
  ]
  const next = level
    .map(({ position }) => position)
    .filter((position) => position > group.position)
    .toSorted()[0]
  const children = [
    ...sections
      .filter(({ groupId }) => groupId === group.id)
      .map(({ id, position }) => ({ type: 'site-section' as const, id, position })),
    ...groups
      .filter(({ parent }) => parent === group.id)
      .map(({ id, position }) => ({ type: 'site-section-group' as const, id, position })),
  ].toSorted(byPosition)

  const keys = spread(children.length, group.position, next ?? null)
  for (const [i, { type, id }] of children.entries()) {
    const position = keys[i]!
    if (type === 'site-section')
      await tx
        .updateTable('siteSection')
        .set({ groupId: group.parent, position })
        .where('id', '=', id)
        .execute()
    else
      await tx
        .updateTable('siteSectionGroup')
        .set({ parent: group.parent, position })
        .where('id', '=', id)
        .execute()
  }
}
