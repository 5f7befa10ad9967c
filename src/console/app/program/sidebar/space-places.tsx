/** The collections and spaces of an organization, as a tree. */
import { useState } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Link } from 'wouter'
import { useList } from '../../api/api.ts'
import { store, stored } from '../../api/browser-storage.ts'
import type { Organization, Space } from '../../api/types.ts'
import { type Collection, useCollections } from '../../places/collection-list.ts'
import { spaceScreens } from '../../places/space-screens.ts'
import { Face } from '../../ui/face.tsx'
import { PlaceSign } from '../../ui/signs.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { creating } from './creating.ts'
import { FavouriteButton } from './favourites.tsx'
import { Group, MorePlaces, Place, PlaceName } from './parts.tsx'

const CLOSED_KEY = 'lectern-closed-collections'

/** The ids of the collections that are closed, which this browser keeps. */
function useClosed() {
  const [closed, setClosed] = useState(() => new Set((stored(CLOSED_KEY) ?? '').split(' ').filter(Boolean)))
  const toggle = (id: string) => {
    const next = new Set(closed)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
    store(CLOSED_KEY, next.size === 0 ? undefined : [...next].join(' '))
  }
  return { closed, toggle }
}

interface Contents {
  at: string
  spaces: readonly Space[]
  collections: readonly Collection[]
  closed: ReadonlySet<string>
  toggle: (id: string) => void
}

/** The group of the sidebar with all collections and spaces. */
export function SpacePlaces({
  organization: { id, permissions },
  at,
}: {
  organization: Organization
  at: string
}) {
  const spaces = useList(`/orgs/${id}/spaces?limit=200`)
  const collections = useCollections(id)
  const { closed, toggle } = useClosed()
  const isLoading = spaces.isLoading || collections.isLoading
  const contents = { at, spaces: spaces.items, collections: collections.items, closed, toggle }
  const isEmpty = spaces.isSuccess && spaces.items.length + collections.items.length === 0
  return (
    <Group
      name={<Link href={`/o/${id}`}>{t('common.spaces')}</Link>}
      action={permissions.createContent && <CreateMenu organizationId={id} />}
    >
      {isLoading ? (
        <Skeleton lines={4} />
      ) : (
        <>
          <Level {...contents} />
          {isEmpty && <p className="side-none">{t('sidebar.no-space-yet')}</p>}
          <MorePlaces list={spaces} />
        </>
      )}
    </Group>
  )
}

/** What is directly in a collection. @param parent the collection; without it, the top level */
function Level({ parent, ...contents }: Contents & { parent?: string }) {
  const { at, spaces, collections, closed, toggle } = contents
  // Somebody may see what is in a collection, but not the collection.
  const isSeen = (id: string | undefined) => collections.some((one) => one.id === id)
  const isHere = (id: string | undefined) => (parent === undefined ? !isSeen(id) : id === parent)
  const inner = collections.filter((one) => isHere(one.parent))
  const here = spaces.filter((one) => isHere(one.parent))
  if (inner.length + here.length === 0)
    return parent === undefined ? null : <p className="side-none">{t('sidebar.empty-collection')}</p>
  return (
    <ul>
      {inner.map(({ id, title, organization, permissions }) => {
        const isOpen = !closed.has(id)
        return (
          <li key={id}>
            <div className="side-line">
              <Button
                className="side-twist"
                aria-expanded={isOpen}
                aria-label={t('sidebar.contents-title', { title })}
                onPress={() => toggle(id)}
              >
                <PlaceSign name="chevron" />
              </Button>
              <Place to={`/c/${id}`} at={at} isAround sign={<span className="side-gap" />}>
                <PlaceName>{title}</PlaceName>
              </Place>
              <FavouriteButton
                place={{ id, title, organizationId: organization }}
                isHere={at === `/c/${id}`}
              />
              {permissions.create && <CreateMenu organizationId={organization} parent={{ id, title }} />}
            </div>
            {isOpen && <Level {...contents} parent={id} />}
          </li>
        )
      })}
      {here.map((space) => (
        <SpacePlace key={space.id} space={space} at={at} />
      ))}
    </ul>
  )
}

/** A space; below the one that the screen is about, its screens. */
function SpacePlace({ space, at }: { space: Space; at: string }) {
  const { id, title, emoji } = space
  const name = title || t('common.untitled')
  const to = `/s/${id}`
  const isHere = at === to || at.startsWith(`${to}/`)
  const isPage = isHere && !at.startsWith(`${to}/~/`)
  const screens = [['changes', t('common.change-requests')] as const, ...spaceScreens(space)]
  return (
    <li>
      <div className="side-line">
        <Place to={to} at={isPage ? to : at} isAround sign={<Face id={id} name={name} emoji={emoji} />}>
          <PlaceName>{name}</PlaceName>
        </Place>
        <FavouriteButton place={{ id, title: name, organizationId: space.organization }} isHere={isHere} />
      </div>
      {isHere && (
        <ul aria-label={t('sidebar.contents-title', { title: name })}>
          {screens.map(([path, screen]) => (
            <li key={path}>
              <Place to={`${to}/~/${path}`} at={at} isAround>
                <PlaceName>{screen}</PlaceName>
              </Place>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** The plus beside a collection, or beside all of them. */
function CreateMenu({
  organizationId,
  parent,
}: {
  organizationId: string
  parent?: { id: string; title: string }
}) {
  const create = (kind: 'space' | 'collection') =>
    creating.set({ kind, organizationId, ...(parent && { parent: parent.id }) })
  return (
    <MenuTrigger>
      <Button
        className="side-tool"
        aria-label={parent ? t('sidebar.create-in-title', { title: parent.title }) : t('sidebar.create')}
      >
        <PlaceSign name="plus" />
      </Button>
      <Popover placement="bottom start">
        <Menu className="menu">
          <MenuItem className="menu-item" onAction={() => create('space')}>
            {t('place.new-space')}
          </MenuItem>
          <MenuItem className="menu-item" onAction={() => create('collection')}>
            {t('place.new-collection')}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
