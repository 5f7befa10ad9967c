import { type Static, Type } from 'typebox'
import { needCollection, needSpace } from '../access/on.ts'
import { loadReach } from '../access/reach.ts'
import { between, insertAt } from '../core/order.ts'
import type { DefaultLevel, Role, Tx } from '../db/schema.ts'
import { invalid } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'
import { Id, oneOf } from './common.ts'
import { chunks } from './transfer.ts'

const Pointer = Type.Unsafe<{ type: 'space'; space: string } | { type: 'collection'; collection: string }>({
  anyOf: [
    Type.Object({ type: oneOf(['space']), space: Id }),
    Type.Object({ type: oneOf(['collection']), collection: Id }),
  ],
})

/** Where among the spaces and collections of a place: directly before one, directly after one, or between two. */
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

/** The order key of something new at the end of a place. */
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
 * The order key of a thing that moves to a place; siblings get other keys where there is no room. Who are neighbours,
 * and whether it is there already, is judged among those that the caller sees: nobody is told of others.
 * @returns undefined if it is there already
 * @throws 404 for a neighbour that the caller does not see, 400 for one that is not in the place
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
  const indexOf = async (pointer: Position['before']) => {
    if (!pointer) return undefined
    const neighbour = await needNeighbour(tx, me, pointer)
    const index = others.findIndex((one) => isSame(one, neighbour))
    if (index < 0) throw invalid('"position" must name neighbours in the place it is moved to')
    return index
  }
  const before = await indexOf(position.before)
  const after = await indexOf(position.after)
  if (before !== undefined && after !== undefined && before !== after + 1)
    throw invalid('"position.after" and "position.before" must be neighbours, in this order')

  const index = before ?? (after === undefined ? others.length : after + 1)
  if (seen.findIndex((one) => isSame(one, thing)) === index) return undefined

  const rest = all.filter((one) => !isSame(one, thing))
  const orders = rest.map((one) => one.position)
  const { order, moved } = insertAt(orders, indexAmong(rest, others, { before, after }))
  for (const [at, key] of moved) {
    const { kind, id } = rest[at] as Thing
    await tx.updateTable(kind).set({ position: key }).where('id', '=', id).execute()
  }
  return order
}

/** Where among all siblings the place beside one of those seen is; without one, the end. */
function indexAmong(
  all: Thing[],
  seen: Thing[],
  { before, after }: { before: number | undefined; after: number | undefined },
): number {
  const neighbour = seen[before ?? after ?? -1]
  if (!neighbour) return all.length
  return all.findIndex((one) => isSame(one, neighbour)) + (before === undefined ? 1 : 0)
}

/** Which of these siblings the caller sees. */
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
  ].toSorted((a, b) => compare(a.position, b.position) || compare(a.id, b.id))
}

async function needNeighbour(tx: Tx, me: Caller, pointer: NonNullable<Position['before']>): Promise<Thing> {
  if (pointer.type === 'space') {
    const { space } = await needSpace(tx, me, pointer.space)
    return { kind: 'space', id: space.id }
  }
  const { collection } = await needCollection(tx, me, pointer.collection)
  return { kind: 'collection', id: collection.id }
}

const isSame = (a: Thing, b: Thing) => a.kind === b.kind && a.id === b.id
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
