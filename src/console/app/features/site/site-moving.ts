/** Moving the spaces, sections and groups of a site. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { tellDone } from '../../ui/toasts.tsx'
import { t } from '../../words/words.ts'
import { nameOfItem, type ShownItem } from './site-item.tsx'
import type { SitePath } from '../../api/paths.ts'

/** An item of a site, with what is around it. */
export interface ItemPlace {
  item: ShownItem
  siblings: readonly ShownItem[]
  /** The id of the group that it is in. */
  group: string | undefined
}

/** Finds an item in the structure of a site. @param group the group that the items are in */
export function itemPlaceOf(items: readonly ShownItem[], id: string, group?: string): ItemPlace | undefined {
  for (const item of items) {
    if (item.id === id) return { item, siblings: items, group }
    const inside =
      item.object === 'site-section'
        ? itemPlaceOf(item.siteSpaces, id)
        : item.object === 'site-section-group'
          ? itemPlaceOf(item.children, id, item.id)
          : undefined
    if (inside) return inside
  }
  return undefined
}

interface ItemMove {
  moved: ItemPlace
  /** The group that it is in afterwards. Only a section or a link goes to another. */
  group: string | undefined
  before?: ShownItem | undefined
  after?: ShownItem | undefined
}

const pointerTo = ({ object, id }: ShownItem) => ({ type: object, id })

/** Moves an item of a site, and offers the way back if it went into another group or out of one. */
export function useItemMove(path: SitePath) {
  const client = useQueryClient()
  const move = useMutation<void, Error, ItemMove>({
    mutationFn: async ({ moved: { item, group: from }, group, before, after }) => {
      if (group !== from && item.object === 'site-external-link')
        await api(`PATCH ${path}/external-links/${item.id}`, { parent: group ?? null })
      else if (group !== from && group !== undefined)
        await api(`POST ${path}/section-groups/${group}/sections`, { sectionId: item.id })
      else if (group !== from) await api(`DELETE ${path}/section-groups/${from}/sections/${item.id}`)
      const position = before ? { before: pointerTo(before) } : after && { after: pointerTo(after) }
      if (position) await api(`PATCH ${path}/structure/sort`, { item: pointerTo(item), position })
    },
    onSuccess: (_done, { moved, group }) => {
      const { item, siblings, group: from } = moved
      if (group === from) return
      const next = siblings[siblings.indexOf(item) + 1]
      tellDone(t('common.title-was-moved', { title: nameOfItem(item) }), () =>
        move.mutate({ moved: { item, siblings: [], group }, group: from, before: next }),
      )
    },
    onSettled: () => client.invalidateQueries(),
  })
  return move
}
