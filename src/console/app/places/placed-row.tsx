/** Rows of spaces and collections: people drag them beside each other and into collections, or move them by buttons. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { api, type ApiFault } from '../api/api.ts'
import { tellDone } from '../ui/toasts.tsx'
import { DialogButton, Named, Refusal } from '../ui/parts.tsx'
import type { Space } from '../api/types.ts'
import { t } from '../words/words.ts'
import { DraggedRow, type DropPlace, StepButtons } from '../ui/dragged-row.tsx'
import { type Collection, pathTo } from './collection-list.ts'
import { MoveForm } from './move.tsx'
import type { SpacePath } from '../api/paths.ts'
import type { BodyOf } from '../api/typed.ts'

/** A space or a collection in a list. */
export interface PlacedThing {
  kind: 'space' | 'collection'
  id: string
  name: string
  parent: string | undefined
  organization: string
  mayMove: boolean
  /** Whether it is a collection in which the person may put something. */
  mayHold: boolean
}

/** A space as one of the things that have a place. */
export const placedSpace = ({ id, title, parent, organization, permissions }: Space): PlacedThing => ({
  kind: 'space',
  id,
  name: title || t('common.untitled'),
  parent,
  organization,
  mayMove: permissions.admin,
  mayHold: false,
})

/** A collection as one of the things that have a place. */
export const placedCollection = ({
  id,
  title,
  parent,
  organization,
  permissions,
}: Collection): PlacedThing => ({
  kind: 'collection',
  id,
  name: title,
  parent,
  organization,
  mayMove: permissions.admin,
  mayHold: permissions.create,
})

type MoveBody = BodyOf<`POST ${SpacePath}/move`>

interface Move {
  one: PlacedThing
  to: MoveBody
  /** Whether it goes to another place, so that the way back is offered. */
  isAway?: boolean
  /** The ids of the things that it was before. It goes in front of the first that is still there. */
  before?: readonly string[]
}

/** Moves a space or a collection, and offers the way back if it was moved to another place. */
function useMove(collections: readonly Collection[]) {
  const client = useQueryClient()
  const move = useMutation<string[], ApiFault, Move>({
    mutationFn: async ({ one, to, isAway = false, before = [] }) => {
      const order = isAway ? await orderAround(one, collections) : []
      const siblings = before.length > 0 ? await orderAround(one, collections) : []
      const next = before.find((id) => siblings.includes(id))
      const body = next === undefined ? to : { ...to, position: { before: pointerTo({ ...one, id: next }) } }
      const { kind, id } = one
      await (kind === 'space'
        ? api(`POST /spaces/${id}/move`, body)
        : api(`POST /collections/${id}/move`, body))
      return order.slice(order.indexOf(id) + 1)
    },
    onSuccess: async (before, { one, isAway }) => {
      if (isAway)
        tellDone(t('common.title-was-moved', { title: one.name }), () =>
          move.mutate({ one, to: { parent: one.parent ?? null }, before }),
        )
      await client.invalidateQueries()
    },
  })
  return move
}

/** The ids of the things of a kind in the place of one, in their order. Spaces of the top level have no order that is shown. */
async function orderAround(
  { kind, parent, organization }: PlacedThing,
  collections: readonly Collection[],
): Promise<string[]> {
  if (kind === 'collection') {
    const path = `/orgs/${organization}/collections?limit=1000` as const
    const { items } = await api(`GET ${path}`)
    return items.filter((one) => one.parent === parent).map(({ id }) => id)
  }
  // Somebody may see a space, but not its collection.
  if (!collections.some(({ id }) => id === parent)) return []
  const { items } = await api(`GET /collections/${parent}/spaces?limit=1000`)
  return items.map(({ id }) => id)
}

/** A row of a space or a collection. */
export function PlacedRow({
  thing,
  siblings,
  things,
  collections,
  areSpacesOrdered = true,
  children,
}: {
  thing: PlacedThing
  /** The thing and others of its kind in its place, in their order. */
  siblings: readonly PlacedThing[]
  /** All spaces and collections on the screen. */
  things: readonly PlacedThing[]
  collections: readonly Collection[]
  /** Whether the screen shows the spaces in the order of their places. That of collections is always shown. */
  areSpacesOrdered?: boolean
  children: ReactNode
}) {
  const move = useMove(collections)
  const { kind, id, name, organization, mayMove, mayHold } = thing
  const isShownInOrder = (one: PlacedThing) => one.kind === 'collection' || areSpacesOrdered
  const isOrdered = isShownInOrder(thing)
  const at = siblings.findIndex((one) => one.id === id)
  const find = (other: string) => things.find((one) => one.id === other)
  const takes = (other: string, share: number): DropPlace | undefined => {
    const one = find(other)
    // A collection does not go into itself.
    if (!one || pathTo(id, collections).some((around) => around.id === other)) return undefined
    const isInside = one.parent === id
    if (one.kind !== kind) return mayHold && !isInside ? 'in' : undefined
    if (mayHold && share > 0.25 && share < 0.75) return isInside ? undefined : 'in'
    if (!isOrdered) return one.parent === thing.parent ? undefined : 'after'
    return share < 0.5 ? 'before' : 'after'
  }
  const put = (other: string, place: DropPlace) => {
    const one = find(other)
    if (!one || move.isPending) return
    const parent = (place === 'in' ? id : thing.parent) ?? null
    const isNear = parent === (one.parent ?? null)
    const position = place === 'in' ? {} : { position: { [place]: pointerTo(thing) } }
    if (isNear) move.mutate({ one, to: position })
    else move.mutate({ one, to: { parent, ...position }, isAway: true })
  }
  // A key that comes while a move is sent means the order after that move.
  const waiting = useRef<(-1 | 1)[]>([])
  useEffect(() => {
    if (move.isPending) return
    const by = waiting.current.shift()
    if (by !== undefined) step(by)
  })
  const step = (by: -1 | 1) => {
    if (move.isPending) {
      waiting.current.push(by)
      return
    }
    const beside = siblings[at + by]
    if (!mayMove || !isOrdered || !beside) return
    move.mutate({ one: thing, to: { position: { [by < 0 ? 'before' : 'after']: pointerTo(beside) } } })
  }
  return (
    <DraggedRow
      list={`places-${organization}`}
      id={id}
      name={name}
      isStill={!mayMove}
      takes={takes}
      onDrop={put}
      onStep={step}
    >
      <span>
        {mayMove && <span className="row-grip" aria-hidden="true" />}
        {children}
      </span>
      {mayMove && (
        <span className="row-actions">
          {isOrdered && siblings.length > 1 && (
            <StepButtons name={name} isFirst={at === 0} isLast={at === siblings.length - 1} onStep={step} />
          )}
          <DialogButton
            label={<Named name={name}>{t('place.move')}</Named>}
            title={t('place.move-title', { title: name })}
            kind="small quiet"
          >
            {(close) => (
              <MoveForm
                placed={{
                  path: kind === 'space' ? `/spaces/${id}` : `/collections/${id}`,
                  id,
                  organization,
                  ...(thing.parent === undefined ? {} : { parent: thing.parent }),
                }}
                close={close}
              />
            )}
          </DialogButton>
        </span>
      )}
      <Refusal error={move.error} />
    </DraggedRow>
  )
}

const pointerTo = ({ kind, id }: Pick<PlacedThing, 'kind' | 'id'>) =>
  kind === 'space' ? { type: kind, space: id } : { type: kind, collection: id }
