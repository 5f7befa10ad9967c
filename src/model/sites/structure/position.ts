import { type Static, type TSchema, Type } from 'typebox'
import { Id, oneOf } from '../../common.ts'
import type { SiteItem, SitePosition } from './sorting.ts'

const SpacePointer = Type.Object({ type: oneOf(['site-space']), siteSpace: Id })
const SectionPointer = Type.Object({ type: oneOf(['site-section']), siteSection: Id })
const LEVEL = ['site-section', 'site-section-group', 'site-external-link'] as const
const ItemPointer = Type.Object({ type: oneOf([...LEVEL]), id: Id })
const AnyPointer = Type.Object({ type: oneOf(['site-space', ...LEVEL]), id: Id })

const among = <P extends TSchema>(pointer: P) =>
  Type.Object(
    { before: Type.Optional(pointer), after: Type.Optional(pointer) },
    { description: 'Directly before one item, directly after one, or between two neighbours' },
  )

/** A position among the spaces of a section or a site. */
export const SpacePosition = among(SpacePointer)
/** A position among sections, groups and links, named by one of them. */
export const SectionPosition = among(
  Type.Unsafe<Static<typeof SectionPointer> | Static<typeof ItemPointer>>({
    anyOf: [SectionPointer, ItemPointer],
  }),
)
export const GroupPosition = among(ItemPointer)
/** A position among the siblings of any item. Each of the forms above is accepted. */
export const AnyPosition = among(
  Type.Unsafe<Static<typeof SpacePointer> | Static<typeof SectionPointer> | Static<typeof AnyPointer>>({
    anyOf: [AnyPointer, SpacePointer, SectionPointer],
  }),
)

type Pointer = { type: SiteItem['type'] } & ({ id: string } | { siteSpace: string } | { siteSection: string })

/** The neighbours that a body names. */
export function positionOf({ before, after }: { before?: Pointer; after?: Pointer }): SitePosition {
  return { before: before && itemOf(before), after: after && itemOf(after) }
}

function itemOf(pointer: Pointer): SiteItem {
  if ('siteSpace' in pointer) return { type: pointer.type, id: pointer.siteSpace }
  if ('siteSection' in pointer) return { type: pointer.type, id: pointer.siteSection }
  return { type: pointer.type, id: pointer.id }
}
