import { type Static, Type } from 'typebox'
import { findCollection, findSpace } from '../../access/checks/on.ts'
import { loadReach } from '../../access/roles/reach.ts'
import { arrangeAmong, byPosition } from '../../core/content/tree/arrange.ts'
import { between } from '../../core/content/tree/order.ts'
import type { DefaultLevel, Role, Tx } from '../../db/schema.ts'
import { invalidField, unknownId } from '../../http/errors.ts'
import type { Caller } from '../../http/route.ts'
import { Id, oneOf } from '../common.ts'
import { chunks } from '../../db/chunks.ts'
import { because } from '../../core/languages/reasons.ts'

const Pointer = Type.Unsafe<{ type: 'space'; space: string } | { type: 'collection'; collection: string }>({
  anyOf: [
    Type.Object({ type: oneOf(['space']), space: Id }),
    Type.Object({ type: oneOf(['collection']), collection: Id }),
  ],
})

/** A position among the siblings of a place: directly before one, directly after one, or between two. */
export const Position = Type.Object({ before: Type.Optional(Pointer), after: Type.Optional(Pointer) })
export type Position = Static<typeof Position>

/** A collection, or with a null parent the top level of an organization. */
export interface Place {
  organizationId: string
  parent: string | null
}

/** A space or collection. */
export interface Thing {
  kind: 'space' | 'collection'
  id: string
}

/** The fractional index after the last item of a place. */
export async function endOf(tx: Tx, place: Place): Promise<string> {
  const spaces = await lastOf(tx, 'space', place)
  const collections = await lastOf(tx, 'collection', place)
  const last = [spaces, collections].filter((position) => position !== undefined).toSorted()
  return between(last.at(-1) ?? null, null)
}

async function lastOf(tx: Tx, kind: Thing['kind'], { organizationId, parent }: Place) {
  const row = await tx
    .selectFrom(kind)
    .select('position')
    .where('organizationId', '=', organizationId)
    .where('parent', parent === null ? 'is' : '=', parent)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.position
}

/**
 * The order key of a space or collection that moves to a place. If there is no room between two keys, some siblings get
 * new keys. Only siblings that the caller can see count as neighbours, so that the result reveals nothing of others.
 * @returns undefined if the space or collection is there already
 * @throws 400 for a neighbour that the caller cannot see or that is in another place
 */
export async function moveTo(
  tx: Tx,
  me: Caller & { organizationRole: Role | null },
  thing: Thing,
  place: Place,
  position: Position = {},
): Promise<string | undefined> {
  const all = await siblingsIn(tx, place)
  const isSeen = await visibleTo(tx, me, place, all)
  const seen = all.filter((one) => isSame(one, thing) || isSeen(one))
  const others = seen.filter((one) => !isSame(one, thing))
  const indexOf = async (side: 'before' | 'after') => {
    const pointer = position[side]
    if (!pointer) return undefined
    const neighbour = await needNeighbour(tx, me, pointer, `body.position.${side}`)
    const index = others.findIndex((one) => isSame(one, neighbour))
    if (index < 0)
      throw invalidField(`body.position.${side}`, because('neighbour-elsewhere', { id: neighbour.id }))
    return index
  }
  const before = await indexOf('before')
  const after = await indexOf('after')
  if (before !== undefined && after !== undefined && before !== after + 1)
    throw invalidField('body.position', because('after-not-before-before'))

  const arranged = arrangeAmong(all, seen, (one) => isSame(one, thing), { before, after })
  if (!arranged) return undefined
  for (const [at, key] of arranged.moved) {
    const { kind, id } = arranged.rest[at] as Thing
    await tx.updateTable(kind).set({ position: key }).where('id', '=', id).execute()
  }
  return arranged.order
}

/** The siblings that the caller can see. */
async function visibleTo(
  tx: Tx,
  { userId, organizationRole }: Caller & { organizationRole: Role | null },
  { organizationId, parent }: Place,
  all: Sibling[],
): Promise<(one: Thing) => boolean> {
  const reach = await loadReach(tx, { userId, organizationId, role: organizationRole })
  const spaces = all.flatMap(({ kind, id, defaultLevel }) =>
    kind === 'space' ? [{ id, parent, defaultLevel }] : [],
  )
  const seen = new Set<string>()
  for (const some of chunks(spaces)) {
    const roleOn = await reach.onSpaces(tx, some)
    for (const space of some) if (roleOn(space) !== null) seen.add(space.id)
  }
  return ({ kind, id }) => (kind === 'space' ? seen.has(id) : reach.onCollection(id) !== null)
}

type Sibling = Thing & { position: string; defaultLevel: DefaultLevel }

async function siblingsIn(tx: Tx, { organizationId, parent }: Place): Promise<Sibling[]> {
  const found = (kind: Thing['kind']) =>
    tx
      .selectFrom(kind)
      .select(['id', 'position', 'defaultLevel'])
      .where('organizationId', '=', organizationId)
      .where('parent', parent === null ? 'is' : '=', parent)
  const spaces = await found('space').where('deletedAt', 'is', null).execute()
  const collections = await found('collection').execute()
  return [
    ...spaces.map((row) => ({ ...row, kind: 'space' as const })),
    ...collections.map((row) => ({ ...row, kind: 'collection' as const })),
  ].toSorted(byPosition)
}

async function needNeighbour(
  tx: Tx,
  me: Caller,
  pointer: NonNullable<Position['before']>,
  path: string,
): Promise<Thing> {
  if (pointer.type === 'space') {
    const found = await findSpace(tx, me, pointer.space)
    if (!found || found.space.deletedAt !== null)
      throw unknownId(`${path}.space`, pointer.space, 'a space that you can see')
    return { kind: 'space', id: pointer.space }
  }
  const found = await findCollection(tx, me, pointer.collection)
  if (!found) throw unknownId(`${path}.collection`, pointer.collection, 'a collection that you can see')
  return { kind: 'collection', id: pointer.collection }
}

const isSame = (a: Thing, b: Thing) => a.kind === b.kind && a.id === b.id
