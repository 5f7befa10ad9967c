/** The place of a space or a collection: moving it into another collection, or to another organization. */
import { useState } from 'react'
import { go, useChange, useList } from '../api/api.ts'
import { Refusal } from '../ui/parts.tsx'
import { ConfirmButton, EditForm } from '../ui/forms.tsx'
import { t } from '../words/words.ts'
import { ChoiceField, Part } from '../ui/fields.tsx'
import { collectionOptions, pathTo, useCollections } from './collection-list.ts'
import type { CollectionPath, SpacePath } from '../api/paths.ts'

/** A space or a collection that has a place. */
interface Placed {
  path: SpacePath | CollectionPath
  id: string
  parent?: string
  organization: string
}

/** Moves a space or a collection into another collection. */
export function MovePart({ placed }: { placed: Placed }) {
  return (
    <Part title={t('common.place')}>
      <MoveForm placed={placed} />
    </Part>
  )
}

/** The collection in which a space or a collection is. @param close closes the dialog of the form */
export function MoveForm({
  placed: { path, id, parent = '', organization },
  close,
}: {
  placed: Placed
  close?: () => void
}) {
  const [to, setTo] = useState(parent)
  const collections = useCollections(organization)
  const move = useChange(`POST ${path}/move`)
  // A collection cannot be moved into itself.
  const free = collections.items.filter(
    (one) =>
      (one.permissions.create || one.id === parent) &&
      pathTo(one.id, collections.items).every((above) => above.id !== id),
  )
  const send = () => {
    if (to === parent) close?.()
    else move.mutate({ parent: to === '' ? null : to }, { onSuccess: () => close?.() })
  }
  return (
    <>
      <EditForm change={move} action={t('common.move')} onSubmit={send} {...(close ? { close } : {})}>
        <ChoiceField
          label={t('common.collection')}
          value={to}
          onChange={setTo}
          options={[
            ['', t('place.none-at-top-level')],
            ...collectionOptions(collections.items).filter(([one]) => free.some((some) => some.id === one)),
          ]}
          hint={t('place.collection-also-decides-can')}
        />
      </EditForm>
      <Refusal query={collections} />
    </>
  )
}

/** Gives a space or a collection to another organization of the same administrator. */
export function TransferPart({
  placed: { path, organization },
  name,
  to,
}: {
  placed: Placed
  name: string
  /** Below `/app`, where the space or collection is. */
  to: string
}) {
  const [chosen, setChosen] = useState('')
  const organizations = useList('/orgs?limit=1000')
  const transfer = useChange(`POST ${path}/transfer`)
  const isAdmin = (id: string) => organizations.items.find((one) => one.id === id)?.permissions.admin
  const others = organizations.items.filter(({ id }) => id !== organization && isAdmin(id))
  if (others.length === 0 || !isAdmin(organization)) return null
  return (
    <Part title={t('place.transfer-another-organization')}>
      <ChoiceField
        label={t('common.organization')}
        value={chosen}
        onChange={setChosen}
        options={[['', t('common.choose')], ...others.map((one) => [one.id, one.title] as const)]}
      />
      {chosen !== '' && (
        <ConfirmButton
          label={t('place.transfer')}
          question={t('place.transfer-name', { name })}
          text={t('place.access-given-here-invite')}
          change={transfer}
          onConfirm={(close) =>
            transfer.mutate(
              { organization: chosen },
              {
                onSuccess: () => {
                  close()
                  go(to)
                },
              },
            )
          }
        />
      )}
    </Part>
  )
}
