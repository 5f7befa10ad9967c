import { type Static, Type } from 'typebox'
import { type Holder, holderKey, type LinkUse } from '../core/link-index.ts'
import { listPage, type Page, textAfter } from '../http/page.ts'
import { oneOf } from './common.ts'
import { ContentLocation, type Locations } from './content-location.ts'

const LINK_STATUSES = ['ok', 'broken', 'in-app'] as const

/** Which links of a list are asked for. */
export const LinkStatusQuery = Type.Object({ status: Type.Optional(oneOf(LINK_STATUSES)) })

/** A target and where it is referred to (management-api, "Link record"). */
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
  count: Type.Integer({ description: 'Records in the whole list' }),
  stats: Type.Object({
    total: Type.Integer({ description: 'Records of any status' }),
    broken: Type.Object({
      total: Type.Integer(),
      changeRequest: Type.Optional(Type.Integer({ description: 'Of these, broken by the change request' })),
    }),
  }),
  items: Type.Array(LinkRecord),
})

/** Where an answer ends: places of one record, and characters of the whole. A page embeds all that is below it. */
const PLACES = 500
const CHARACTERS = 4_000_000
/** What surrounds a page in a place. */
const AROUND = 3_000

/** A use with what is known of it in the eyes of the caller. */
export interface SeenUse {
  use: LinkUse
  status: LinkRecord['status']
  /** Broken by the change request whose content it is. */
  here?: boolean
}

/** The uses as the caller sees them. */
export async function seenUses(locations: Locations, uses: readonly LinkUse[]): Promise<SeenUse[]> {
  const seen: SeenUse[] = []
  for (const use of uses) {
    if (use.status !== 'elsewhere') seen.push({ use, status: use.status })
    else seen.push({ use, status: (await locations.isBroken(use)) ? 'broken' : 'ok' })
  }
  return seen
}

/** The places where something is broken. */
export function brokenPlaces(seen: readonly SeenUse[]): Set<string> {
  return new Set(
    seen.flatMap(({ use, status }) =>
      status === 'broken' ? use.holders.map(({ kind, id }) => `${use.key} ${kind} ${id}`) : [],
    ),
  )
}

/**
 * A page of a list of links; it ends early where it would be too long to send.
 * @param shown those of `all` that are asked for
 */
export async function listLinks(
  locations: Locations,
  all: readonly SeenUse[],
  shown: readonly SeenUse[],
  page: Page,
  inChangeRequest = false,
): Promise<Static<typeof LinkList>> {
  const after = textAfter(page) ?? ''
  const rest = shown.filter(({ use }) => use.key > after).slice(0, page.limit + 1)
  const { items, fits } = await within(rest, page.limit, ({ use, status }) => showUse(locations, use, status))
  const list = listPage(rest, shown.length, { ...page, limit: fits }, ({ use }) => [use.key])
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
  for (const holder of use.holders.slice(0, PLACES)) places.push(await locations.holder(holder))
  return {
    status,
    relation: use.relation,
    ...(target ? { targetReference: target } : {}),
    locationReferences: places,
  }
}

/** A page of the places that refer to something; it ends early where it would be too long to send. */
export async function listBacklinks(locations: Locations, holders: readonly Holder[], page: Page) {
  const after = textAfter(page) ?? ''
  const rest = holders.filter((holder) => holderKey(holder) > after).slice(0, page.limit + 1)
  const { items, fits } = await within(rest, page.limit, (holder) => locations.holder(holder))
  const list = listPage(rest, holders.length, { ...page, limit: fits }, (holder) => [holderKey(holder)])
  return { ...list, items }
}

/** Shows as many things as an answer may have, at least one. */
async function within<T, S extends ContentLocation | LinkRecord>(
  things: readonly T[],
  limit: number,
  show: (thing: T) => Promise<S>,
): Promise<{ items: S[]; fits: number }> {
  const items: S[] = []
  const sizes = new Map<object, number>()
  let size = 0
  for (const thing of things.slice(0, limit)) {
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
  return { items, fits: items.length }
}
