/** Collections, which hold spaces and other collections. */
import { useList } from '../api/api.ts'
import type { Schemas } from '../api/operations/schemas.ts'

/** A collection: a folder of spaces and other collections. */
export type Collection = Schemas['Collection']

/** The collections of an organization, each before those inside it. */
export function useCollections(organizationId: string | undefined) {
  return useList(organizationId && `/orgs/${organizationId}/collections?limit=1000`)
}

/** The collections around one, from the outermost on, and itself. */
export function pathTo(id: string | undefined, all: readonly Collection[]): Collection[] {
  const one = all.find((collection) => collection.id === id)
  return one ? [...pathTo(one.parent, all), one] : []
}

/** The collections as the options of a field, with those around them. */
export function collectionOptions(all: readonly Collection[]): [id: string, title: string][] {
  return all.map(({ id }) => [
    id,
    pathTo(id, all)
      .map(({ title }) => title)
      .join(' / '),
  ])
}
