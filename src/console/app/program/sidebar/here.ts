/** The organization that the sidebar shows, and the place in it that the screen is about. */
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useApi, useList } from '../../api/api.ts'
import { store, stored } from '../../api/browser-storage.ts'

const KEY = 'lectern-organization'

/** What the address of a screen names. */
interface Here {
  /** The path below `/app`. */
  at: string
  /** The organization of the screen, or else the one that was shown last; undefined while it is not known. */
  organizationId: string | undefined
  spaceId: string | undefined
  collectionId: string | undefined
}

/** @returns what the address names, and the organizations of the user */
export function usePlaceHere() {
  const [at] = useLocation()
  const [, kind, id = ''] = /^\/([osc])\/([^/]+)/.exec(at) ?? []
  const spaceId = kind === 's' ? id : undefined
  const collectionId = kind === 'c' ? id : undefined
  const space = useApi(spaceId && `/spaces/${spaceId}`)
  const collection = useApi(collectionId && `/collections/${collectionId}`)
  const organizations = useList('/orgs')
  const named = kind === 'o' ? id : (space.data?.organization ?? collection.data?.organization)
  const [last, setLast] = useState(() => stored(KEY))
  useEffect(() => {
    if (named === undefined || named === last) return
    setLast(named)
    store(KEY, named)
  }, [named, last])
  // Another user of this browser may have chosen the last one.
  const known = organizations.items.find((one) => one.id === last) ?? organizations.items[0]
  const here: Here = { at, organizationId: named ?? known?.id, spaceId, collectionId }
  return { ...here, organizations }
}
