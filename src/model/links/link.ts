import { type Static, Type } from 'typebox'
import { type LinkHolder, holderKey, type LinkUse } from '../../core/content/link-index.ts'
import { listItems, type PageRequest } from '../../http/pagination.ts'
import { oneOf } from '../common.ts'
import { ContentLocation } from './content-location.ts'
import type { Locations } from './locations.ts'

const LINK_STATUSES = ['ok', 'broken', 'in-app'] as const

/** The filters of a list of links. */
export const LinkStatusQuery = Type.Object({ status: Type.Optional(oneOf(LINK_STATUSES)) })

/** A target with its references. */
export const LinkRecord = Type.Object(
  {
    status: oneOf(LINK_STATUSES),
    relation: oneOf(['reference', 'dependsOn']),
    targetReference: Type.Optional(ContentLocation),
    locationReferences: Type.Array(ContentLocation),
  },
  { title: 'LinkRecord' },
)
export type LinkRecord = Static<typeof LinkRecord>

export const LinkList = Type.Object({
  next: Type.Optional(Type.Object({ page: Type.String() })),
  count: Type.Integer({ description: 'The number of records in the whole list' }),
  stats: Type.Object({
    total: Type.Integer({ description: 'The number of records of any status' }),
    broken: Type.Object({
      total: Type.Integer(),
      changeRequest: Type.Optional(
        Type.Integer({ description: 'The number of broken records that the change request broke' }),
      ),
    }),
  }),
  items: Type.Array(LinkRecord),
})

/** The limits of a response: references in one record, and characters in total. A page embeds all its descendants. */
const PLACES = 500
const CHARACTERS = 4_000_000
/** The resources that contain a page in a location. */
const AROUND = 3_000

/** A reference as the caller sees it. */
export interface SeenUse {
  use: LinkUse
  status: LinkRecord['status']
  /** Whether the change request of the content broke it. */
  here?: boolean
}

/** The references as the caller sees them. */
export async function seenUses(locations: Locations, uses: readonly LinkUse[]): Promise<SeenUse[]> {
  const seen: SeenUse[] = []
  for (const use of uses) {
    if (use.status !== 'elsewhere') seen.push({ use, status: use.status })
    else seen.push({ use, status: (await locations.isBroken(use)) ? 'broken' : 'ok' })
  }
  return seen
}

/** The locations of broken references. */
export function brokenPlaces(seen: readonly SeenUse[]): Set<string> {
  return new Set(
    seen.flatMap(({ use, status }) =>
      status === 'broken' ? use.holders.map(({ kind, id }) => `${use.key} ${kind} ${id}`) : [],
    ),
  )
}

/**
 * A page of results of links. It has fewer items if the response would be too long.
 * @param shown the items of `all` that match the filters
 */
export async function listLinks(
  locations: Locations,
  all: readonly SeenUse[],
  shown: readonly SeenUse[],
  page: PageRequest,
  inChangeRequest = false,
): Promise<Static<typeof LinkList>> {
  let items: LinkRecord[] = []
  const list = await listItems(shown, page, {
    key: ({ use }) => [use.key],
    fits: async (uses) => {
      items = await within(uses, ({ use, status }) => showUse(locations, use, status))
      return items.length
    },
  })
  const broken = all.filter(({ status }) => status === 'broken')
  const changeRequest = broken.filter(({ here }) => here === true).length
  return {
    ...list,
    items,
    stats: {
      total: all.length,
      broken: { total: broken.length, ...(inChangeRequest ? { changeRequest } : {}) },
    },
  }
}

async function showUse(locations: Locations, use: LinkUse, status: LinkRecord['status']) {
  const target = status === 'broken' ? undefined : await locations.target(use)
  const places: ContentLocation[] = []
  const isHidden = use.status === 'elsewhere' && status === 'broken'
  for (const holder of use.holders.slice(0, PLACES))
    places.push(await locations.holder(isHidden ? withoutAddress(holder) : holder))
  return {
    status,
    relation: use.relation,
    ...(target ? { targetReference: target } : {}),
    locationReferences: places,
  }
}

/** Leaves out the address of a target that the caller cannot see, because it contains an id. */
function withoutAddress({ link, ...holder }: LinkHolder): LinkHolder {
  if (!link) return holder
  const { address: _address, ...others } = link
  return { ...holder, link: others }
}

/** A page of results of references to a target. It has fewer items if the response would be too long. */
export async function listBacklinks(locations: Locations, holders: readonly LinkHolder[], page: PageRequest) {
  let items: ContentLocation[] = []
  const list = await listItems(holders, page, {
    key: (holder) => [holderKey(holder)],
    fits: async (some) => {
      items = await within(some, (holder) => locations.holder(holder))
      return items.length
    },
  })
  return { ...list, items }
}

/** Converts as many items as fit in a response, at least one. */
async function within<T, S extends ContentLocation | LinkRecord>(
  things: readonly T[],
  show: (thing: T) => Promise<S>,
): Promise<S[]> {
  const items: S[] = []
  const sizes = new Map<object, number>()
  let size = 0
  for (const thing of things) {
    const item = await show(thing)
    for (const place of 'locationReferences' in item ? item.locationReferences : [item]) {
      if (!('page' in place)) size += AROUND
      else {
        const known = sizes.get(place.page) ?? JSON.stringify(place.page).length
        sizes.set(place.page, known)
        size += known + AROUND
      }
    }
    if (items.length > 0 && size > CHARACTERS) break
    items.push(item)
  }
  return items
}
