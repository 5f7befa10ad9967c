import { useState } from 'react'
import { Link } from 'wouter'
import { Everybody, GiveAccess, Grants } from '../../places/access.tsx'
import { Frame, LineField, Part } from '../../ui/fields.tsx'
import { NewSpace, SpaceName } from '../../places/new-space.tsx'
import { NewCollection } from '../../places/new-collection.tsx'
import { type Collection, pathTo, useCollections } from '../../places/collection-list.ts'
import { MovePart, TransferPart } from '../../places/move.tsx'
import { placedCollection, PlacedRow, placedSpace } from '../../places/placed-row.tsx'
import { go, useApi, useChange, useList } from '../../api/api.ts'
import { ConfirmButton, EditForm } from '../../ui/forms.tsx'
import { Toasts } from '../../ui/toasts.tsx'
import { Loaded, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'

type Params = { params: Record<string, string> }

/** The screen with the content of a collection. */
export function CollectionScreen({ params: { collectionId = '' } }: Params) {
  return (
    <CollectionFrame id={collectionId} title={({ title }) => title}>
      {(collection, all) => (
        <>
          {collection.description && <p className="lead">{collection.description}</p>}
          <Inside collection={collection} all={all} />
        </>
      )}
    </CollectionFrame>
  )
}

/** The screen with the users who can access a collection. */
export function CollectionShareScreen({ params: { collectionId = '' } }: Params) {
  return (
    <CollectionFrame id={collectionId} title={() => t('common.share')}>
      {({ id, organization, parent, defaultLevel, permissions }) => {
        const place = {
          path: `/collections/${id}` as const,
          organization,
          isInCollection: parent !== undefined,
          defaultLevel,
          canChange: permissions.admin,
        }
        if (!place.canChange)
          return <p className="hint">{t('collection.changing-collection-requires-role')}</p>
        return (
          <>
            <GiveAccess place={place} />
            <Grants place={place} />
            <Everybody place={place} title={t('collection.everyone-can-see-collection')} />
          </>
        )
      }}
    </CollectionFrame>
  )
}

/** The name and the place of a collection. */
export function CollectionSettingsScreen({ params: { collectionId = '' } }: Params) {
  return (
    <CollectionFrame id={collectionId} title={() => t('common.settings')}>
      {(collection) => {
        const placed = { ...collection, path: `/collections/${collection.id}` as const }
        return collection.permissions.admin ? (
          <>
            <CollectionName collection={collection} />
            <MovePart placed={placed} />
            <TransferPart placed={placed} name={collection.title} to={`/c/${collection.id}`} />
            <DeleteCollection collection={collection} />
          </>
        ) : (
          <p className="hint">{t('collection.changing-collection-requires-role')}</p>
        )
      }}
    </CollectionFrame>
  )
}

function CollectionFrame({
  id,
  title,
  children,
}: {
  id: string
  title: (collection: Collection) => string
  children: (collection: Collection, all: readonly Collection[]) => React.ReactNode
}) {
  const query = useApi(`/collections/${id}`)
  const organization = useApi(query.data && `/orgs/${query.data.organization}`)
  const { items: all } = useCollections(query.data?.organization)
  return (
    <Loaded query={query} title={t('collection.collection-cannot-shown')}>
      {(collection) => {
        const shown = title(collection)
        const around = pathTo(id, all).filter((one) => one.id !== id || shown !== collection.title)
        const links = [
          [`/c/${id}`, t('common.spaces')],
          ...(collection.permissions.admin
            ? [
                [`/c/${id}/share`, t('common.share')],
                [`/c/${id}/settings`, t('common.settings')],
              ]
            : []),
        ] as [string, string][]
        return (
          <Frame
            trail={[
              { title: organization.data?.title ?? '…', to: `/o/${collection.organization}` },
              ...around.map((one) => ({ title: one.title, to: `/c/${one.id}` })),
            ]}
            title={shown}
            label={t('common.collection')}
            links={links}
            actions={
              collection.permissions.create &&
              shown === collection.title && (
                <div className="actions">
                  <NewCollection organizationId={collection.organization} parent={id} />
                  <NewSpace organizationId={collection.organization} parent={id} />
                </div>
              )
            }
          >
            {children(collection, all)}
          </Frame>
        )
      }}
    </Loaded>
  )
}

function Inside({ collection, all }: { collection: Collection; all: readonly Collection[] }) {
  const spaces = useList(`/collections/${collection.id}/spaces?limit=200`)
  const inner = all.filter(({ parent }) => parent === collection.id)
  const innerThings = inner.map(placedCollection)
  const spaceThings = spaces.items.map(placedSpace)
  const places = { things: [...innerThings, ...spaceThings], collections: all }
  return (
    <>
      <Toasts />
      {inner.length > 0 && (
        <Part title={t('collection.collections')}>
          <ul className="rows">
            {inner.map((one, at) => (
              <li key={one.id} className="dragged-item">
                <PlacedRow thing={innerThings[at]!} siblings={innerThings} {...places}>
                  <Link href={`/c/${one.id}`}>{one.title}</Link>
                </PlacedRow>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title={t('common.spaces')}>
        <Rows list={spaces} empty={t('collection.there-no-space-collection')}>
          {(space, at) => (
            <li key={space.id} className="dragged-item">
              <PlacedRow thing={spaceThings[at]!} siblings={spaceThings} {...places}>
                <SpaceName space={space} />
              </PlacedRow>
            </li>
          )}
        </Rows>
      </Part>
    </>
  )
}

function CollectionName({ collection }: { collection: Collection }) {
  const [title, setTitle] = useState(collection.title)
  const [description, setDescription] = useState(collection.description ?? '')
  const change = useChange(`PATCH /collections/${collection.id}`)
  return (
    <Part title={t('common.general')}>
      <EditForm
        change={change}
        action={t('common.save')}
        onSubmit={() => change.mutate({ title, description: description === '' ? null : description })}
      >
        <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired />
        <LineField label={t('common.description')} value={description} onChange={setDescription} />
      </EditForm>
    </Part>
  )
}

function DeleteCollection({ collection: { id, title, organization } }: { collection: Collection }) {
  const remove = useChange(`DELETE /collections/${id}`, [`/orgs/${organization}`])
  return (
    <Part title={t('collection.delete-this-collection')}>
      <p className="hint">{t('collection.collections-deleted-too-can')}</p>
      <p>
        <ConfirmButton
          label={t('common.delete')}
          name={title}
          question={t('collection.delete-name-everything', { name: title })}
          text={t('collection.readers-members-no-longer')}
          change={remove}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => go(`/o/${organization}`) })}
        />
      </p>
    </Part>
  )
}
