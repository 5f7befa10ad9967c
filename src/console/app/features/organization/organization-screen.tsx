import { Link } from 'wouter'
import { ImportButton } from '../../import-export/import-dialog.tsx'
import { NewSpace, SpaceName } from '../../places/new-space.tsx'
import { NewCollection } from '../../places/new-collection.tsx'
import { type Collection, useCollections } from '../../places/collection-list.ts'
import { placedCollection, PlacedRow, placedSpace, type PlacedThing } from '../../places/placed-row.tsx'
import { useApi, useList } from '../../api/api.ts'
import { Toasts } from '../../ui/toasts.tsx'
import { EmptyHint, Loaded, More, Trail } from '../../ui/parts.tsx'
import type { Space } from '../../api/types.ts'
import { t } from '../../words/words.ts'

/** The spaces of an organization. */
export function OrganizationScreen({ params: { organizationId = '' } }: { params: Record<string, string> }) {
  const organization = useApi(`/orgs/${organizationId}`)
  const spaces = useList(`/orgs/${organizationId}/spaces?limit=200`)
  const collections = useCollections(organizationId)
  return (
    <Loaded query={organization} title={t('common.organization-cannot-shown')}>
      {({ title, urls, permissions }) => (
        <div className="screen">
          <Toasts />
          <Trail items={[{ title }]} />
          <div className="heading">
            <h1 className="with-logo">
              {urls?.logo !== undefined && <img src={urls.logo} alt="" />} {title}
            </h1>
          </div>
          <section aria-labelledby="spaces">
            <div className="heading">
              <h2 id="spaces">{t('common.spaces')}</h2>
              {permissions.createContent && (
                <div className="actions">
                  <ImportButton organizationId={organizationId} />
                  <NewCollection organizationId={organizationId} />
                  <NewSpace organizationId={organizationId} />
                </div>
              )}
            </div>
            <EmptyHint list={spaces}>{t('organization.there-no-space-yet')}</EmptyHint>
            <Contents
              collections={collections.items}
              spaces={spaces.items}
              things={[...spaces.items.map(placedSpace), ...collections.items.map(placedCollection)]}
            />
            <More list={spaces} />
          </section>
        </div>
      )}
    </Loaded>
  )
}

/** Collections with what is in them, and the spaces beside them. @param parent the collection; without it, the top level */
function Contents({
  collections,
  spaces,
  things,
  parent,
}: {
  collections: readonly Collection[]
  spaces: readonly Space[]
  /** All of them. */
  things: readonly PlacedThing[]
  parent?: string
}) {
  // Somebody may see what is in a collection, but not the collection.
  const isSeen = (id: string | undefined) => collections.some((one) => one.id === id)
  const isHere = (id: string | undefined) => (parent === undefined ? !isSeen(id) : id === parent)
  const inner = collections.filter((one) => isHere(one.parent))
  const here = spaces.filter((one) => isHere(one.parent))
  if (inner.length + here.length === 0) return null
  const innerThings = inner.map(placedCollection)
  const hereThings = here.map(placedSpace)
  return (
    <ul className="rows">
      {here.map((space, at) => (
        <li key={space.id} className="dragged-item">
          <PlacedRow
            thing={hereThings[at]!}
            siblings={hereThings}
            things={things}
            collections={collections}
            areSpacesOrdered={false}
          >
            <SpaceName space={space} />
          </PlacedRow>
        </li>
      ))}
      {inner.map((collection, at) => (
        <li key={collection.id} className="dragged-item">
          <PlacedRow
            thing={innerThings[at]!}
            siblings={innerThings}
            things={things}
            collections={collections}
          >
            <Link href={`/c/${collection.id}`} className="collection-name">
              {collection.title}
            </Link>
          </PlacedRow>
          <div className="below">
            <Contents collections={collections} spaces={spaces} things={things} parent={collection.id} />
          </div>
        </li>
      ))}
    </ul>
  )
}
