/** The favourites of the user: a group of the sidebar, and the star beside each place. */
import { ToggleButton } from 'react-aria-components'
import { useChange, useList } from '../../api/api.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import { Face } from '../../ui/face.tsx'
import { PlaceSign } from '../../ui/signs.tsx'
import { t } from '../../words/words.ts'
import { Group, MorePlaces, Place, PlaceName } from './parts.tsx'

/** As many as a user can have. */
const useFavourites = (organizationId: string) => useList(`/orgs/${organizationId}/favourites?limit=200`)

/** The group of the sidebar with the favourites of the user in an organization. It is left out while there are none. */
export function FavouritePlaces({ organizationId, at }: { organizationId: string; at: string }) {
  const favourites = useFavourites(organizationId)
  if (favourites.items.length === 0) return null
  return (
    <Group name={t('sidebar.favourites')}>
      <ul>
        {favourites.items.map((one) => {
          const to = favouriteAddress(one, organizationId)
          const title = one.title || t('common.untitled')
          return (
            <li key={one.id} className="side-line">
              <Place to={to} at={at} isAround sign={<FavouriteSign favourite={one} />}>
                <PlaceName>{title}</PlaceName>
              </Place>
              <FavouriteButton place={{ id: one.id, title, organizationId }} isHere />
            </li>
          )
        })}
      </ul>
      <MorePlaces list={favourites} />
    </Group>
  )
}

function FavouriteSign({ favourite: { id, kind, title, emoji } }: { favourite: Schemas['Favourite'] }) {
  if (kind === 'space') return <Face id={id} name={title} emoji={emoji ?? ''} />
  return <PlaceSign name={kind === 'site' ? 'globe' : 'folder'} />
}

function favouriteAddress({ id, kind }: Schemas['Favourite'], organizationId: string): string {
  if (kind === 'site') return `/o/${organizationId}/sites/${id}`
  return kind === 'space' ? `/s/${id}` : `/c/${id}`
}

/**
 * The star beside a place, which makes it a favourite or no longer one.
 * @param isHere whether the screen is of this place: only there the Tab key reaches the star, so that it does not double the
 *   way through a long sidebar
 */
export function FavouriteButton({
  place: { id, title, organizationId },
  isHere,
}: {
  place: { id: string; title: string; organizationId: string }
  isHere: boolean
}) {
  const path = `/orgs/${organizationId}/favourites` as const
  const isFavourite = useFavourites(organizationId).items.some((one) => one.id === id)
  const add = useChange(`PUT ${path}/${id}`, [path])
  const remove = useChange(`DELETE ${path}/${id}`, [path])
  return (
    <ToggleButton
      className="side-tool side-star"
      isSelected={isFavourite}
      isDisabled={add.isPending || remove.isPending}
      excludeFromTabOrder={!isHere}
      aria-label={t('sidebar.favourite-title', { title })}
      onChange={(isOn) => (isOn ? add : remove).mutate(undefined)}
    >
      <PlaceSign name="star" />
    </ToggleButton>
  )
}
