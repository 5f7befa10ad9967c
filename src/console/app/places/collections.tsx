/** Collections, which hold spaces and other collections. */
import { useState } from 'react'
import { go, useChange, useList } from '../api/api.ts'
import { CreateButton } from '../ui/forms.tsx'
import { t } from '../words/words.ts'
import { LineField } from '../ui/fields.tsx'
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

/** A button that creates a collection. @param parent the collection around it */
export function NewCollection({ organizationId, parent }: { organizationId: string; parent?: string }) {
  const [title, setTitle] = useState('')
  const create = useChange(`POST /orgs/${organizationId}/collections`)
  return (
    <CreateButton
      label={t('place.new-collection')}
      create={create}
      body={{ title, ...(parent === undefined ? {} : { parent }) }}
      onCreated={({ id }) => go(`/c/${id}`)}
    >
      <LineField
        label={t('common.title')}
        value={title}
        onChange={setTitle}
        isRequired
        autoFocus
        hint={t('place.collection-holds-spaces-belong')}
      />
    </CreateButton>
  )
}
