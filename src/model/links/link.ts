import { firstIndex } from '../../core/data/lists.ts'
import { type Static, Type } from 'typebox'
import { holderAt, holderKey, isPage, type LinkHolder, placesIn } from '../../core/content/link-places.ts'
import { type Holder, keyAt, relationAt, statusAt, targetAt } from '../../core/content/link-index.ts'
import type { Reader } from '../../db/schema.ts'
import { jsonLength } from '../../http/response/json-parts.ts'
import { listItems, type PageRequest } from '../../http/pagination.ts'
import { giveTurn } from '../../core/runtime/turns.ts'
import { oneOf } from '../common.ts'
import { linksOfDocuments } from '../content/stored-links.ts'
import { ContentLocation } from './content-location.ts'
import { positionsIn, recordOfSource, type RevisionLinks } from './link-index.ts'
import type { Locations } from './locations.ts'
import { EXTERNAL_FAILURES } from './external-links.ts'
import type { SeenUses } from './seen.ts'

const LINK_STATUSES = ['ok', 'broken', 'in-app'] as const

/** The filters of a list of links. */
export const LinkStatusQuery = Type.Object({ status: Type.Optional(oneOf(LINK_STATUSES)) })

/** A target with its references. */
const LinkRecord = Type.Object(
  {
    status: oneOf(LINK_STATUSES),
    reason: Type.Optional(oneOf(['target', 'anchor', ...EXTERNAL_FAILURES])),
    relation: oneOf(['reference', 'dependsOn']),
    targetReference: Type.Optional(ContentLocation),
    locationCount: Type.Integer({
      description: 'The number of places that link to the target, also of those that are left out',
    }),
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

/** The limits of a response: references in one record, and characters in total, unless its first location has more. */
const PLACES = 500
const CHARACTERS = 4_000_000

/** The options of a list of links. */
interface LinkListing {
  /** Whether a use matches the filters. */
  isShown: (use: number, status: LinkRecord['status']) => boolean
  /** The broken uses that the change request broke, in a list of its links. */
  brokenHere?: ReadonlySet<number>
}

/** A page of results of links. It has fewer items and places if the response would be too long. */
export async function listLinks(
  db: Reader,
  locations: Locations,
  seen: SeenUses,
  page: PageRequest,
  { isShown, brokenHere }: LinkListing,
): Promise<Static<typeof LinkList>> {
  const { links, uses } = seen
  const shown = uses.filter((use) => isShown(use, seen.status(use)))
  const items: LinkRecord[] = []
  const list = await listItems(shown, page, {
    key: (use) => [keyAt(links.index, use)],
    fits: async (some) => {
      const room = roomFor()
      for (const use of some) {
        const item = await showUse(db, locations, seen, use, room)
        if (items.length > 0 && room.isOver()) break
        items.push(item)
      }
      return items.length
    },
  })
  const broken = uses.filter((use) => seen.status(use) === 'broken').length
  return {
    ...list,
    items,
    stats: {
      total: uses.length,
      broken: { total: broken, ...(brokenHere ? { changeRequest: brokenHere.size } : {}) },
    },
  }
}

async function showUse(db: Reader, locations: Locations, seen: SeenUses, use: number, room: Room) {
  const { links } = seen
  const status = seen.status(use)
  const reason = status === 'broken' ? seen.reason(use) : undefined
  // The address of a target that the caller may not see could say what it is.
  const isHidden = statusAt(links.index, use) === 'elsewhere' && reason === 'target'
  const target =
    status === 'broken' ? undefined : await locations.target(seen.target(use), targetAt(links.index, use))
  if (target) await room.take(target)
  const places: ContentLocation[] = []
  const all = seen.holders(use)
  const holders = inReadingOrder(links, all).slice(0, PLACES)
  for (const holder of await readHolders(db, links, holders)) {
    const place = await locations.holder(isHidden ? withoutAddress(holder) : holder)
    await room.take(place)
    if (places.length > 0 && room.isOver()) break
    places.push(place)
  }
  return {
    status,
    ...(reason === undefined ? {} : { reason }),
    relation: relationAt(links.index, use),
    ...(target ? { targetReference: target } : {}),
    locationCount: all.length,
    locationReferences: places,
  }
}

/** Leaves out the address of a target that the caller cannot see, because it contains an id. */
function withoutAddress({ link, ...holder }: LinkHolder) {
  const { address: _address, ...others } = link
  return { ...holder, link: others }
}

/** Sorts holders by their page, those in reusable contents last. */
function inReadingOrder(links: RevisionLinks, holders: readonly Holder[]): Holder[] {
  const positions = positionsIn(links)
  const placed = holders.map((holder) => {
    const record = recordOfSource(links, holder.source)
    return { holder, position: (isPage(record) ? positions.get(record.id) : undefined) ?? Infinity }
  })
  // Equal positions keep their order, which is that of the sources and of the places in each.
  const byPosition = (a: number, b: number) => (a === b ? 0 : a - b)
  return placed.toSorted((a, b) => byPosition(a.position, b.position)).map(({ holder }) => holder)
}

/** Some holders of an index, with what their documents say. */
async function readHolders(
  db: Reader,
  links: RevisionLinks,
  holders: readonly Holder[],
): Promise<LinkHolder[]> {
  const records = holders.map(({ source }) => recordOfSource(links, source))
  const documents = await linksOfDocuments(
    db,
    links.spaceId,
    records.flatMap(({ document }) => document ?? []),
  )
  const places = new Map(
    [...new Set(records)].map((record) => {
      const found = documents.get(record.document ?? '') ?? { references: [], anchors: [] }
      return [record, placesIn(record, found)] as const
    }),
  )
  return holders.map(({ place }, i) => {
    const record = records[i]!
    return holderAt(record, places.get(record)![place]!)
  })
}

/** How many backlinks are read at once. */
const STEP = 50

/**
 * A page of results of references to a target. It has fewer items if the response would be too long.
 * @param backlinks the holders, sorted by `holderKey`
 */
export async function listBacklinks(
  db: Reader,
  locations: Locations,
  links: RevisionLinks,
  backlinks: readonly Holder[],
  page: PageRequest,
) {
  const { start, end } = windowOf(backlinks, page)
  const holders: LinkHolder[] = []
  for (let at = start; at < end; at += STEP)
    for (const holder of await readHolders(db, links, backlinks.slice(at, Math.min(at + STEP, end))))
      holders.push(holder)

  const items: ContentLocation[] = []
  const list = await listItems(holders, page, {
    key: (holder) => [holderKey(holder)],
    fits: async (some) => {
      const room = roomFor()
      for (const holder of some) {
        const place = await locations.holder(holder)
        await room.take(place)
        if (items.length > 0 && room.isOver()) break
        items.push(place)
      }
      return items.length
    },
  })
  return { ...list, count: backlinks.length, items }
}

/**
 * The part of the backlinks that has the page of results: from the first holder in the source that the cursor names. The
 * keys of the blocks in a source are not in the index.
 */
function windowOf(backlinks: readonly Holder[], { after, limit }: PageRequest) {
  const [kind, id = ''] = (after?.[0] ?? '').split(' ')
  const wanted = `${kind} ${id} `
  const first = (isReached: (key: string) => boolean) =>
    firstIndex(backlinks, ({ source }) => isReached(`${source} `))
  const start = after ? first((key) => key >= wanted) : 0
  const sourceEnd = after ? first((key) => key > wanted) : 0
  return { start, end: Math.min(backlinks.length, Math.max(start, sourceEnd) + limit + 1) }
}

/** The room that is left in a response. */
interface Room {
  /** Takes the room for a location. Other requests may go first. */
  take(location: ContentLocation): Promise<void>
  isOver(): boolean
}

function roomFor(): Room {
  const sizes = new Map<object, number>()
  let size = 0
  return {
    async take(location) {
      // Only these two differ between the locations in one page or reusable content.
      const { link, internalLocation, ...content } = location as ContentLocation & {
        link?: object
        internalLocation?: object
      }
      const subject = subjectOf(location)
      const known = sizes.get(subject) ?? jsonLength(content, CHARACTERS)
      sizes.set(subject, known)
      size += known + jsonLength([link, internalLocation], CHARACTERS)
      await giveTurn()
    },
    isOver: () => size > CHARACTERS,
  }
}

/** The object that all locations in one page or reusable content share. */
function subjectOf(location: ContentLocation): object {
  if ('page' in location) return location.page
  return 'reusableContent' in location ? location.reusableContent : location
}
