/**
 * The former places of pages that were moved, renamed or deleted, so that their old paths redirect.
 *
 * An entry records that a page had a slug below a parent for a time. A moved page leaves one entry, however many pages
 * are below it. The lookup of an old path goes from page to page, like the lookup of a current path, and continues
 * below a page wherever that page is now. A persistent map (`prolly-tree/`) of the revision stores the entries.
 */
import { needItem } from '../data/lists.ts'
import { eachInTurns, sortInTurns } from '../runtime/turns.ts'
import { LIMITS } from './limits.ts'
import { hasPath, type PageRecord } from './revision.ts'
import { type PageTree, trimmedPath } from './tree/tree.ts'

/**
 * Keys are `<parent>/<slug>/<page>/<last>`. The parent is empty at the top level, the slug is in lower case, and `last`
 * is the last revision with the page at this place. The value is the last revision with the page at its previous place,
 * or the id of the page if this was its first place. Ids sort by time: the id of a page sorts before the revision that
 * creates it, and after the revision before that.
 */
export type OldPlaces = ReadonlyMap<string, string>

/** A page before and after a change of the content. */
export interface PageChange {
  readonly before: PageRecord
  /** Null if the change deletes the page. */
  readonly after: PageRecord | null
}

/**
 * Returns the old places that a change of the content adds; null removes an entry. A deleted page leaves an entry only
 * if other pages have old places below it, because their old paths go through it. Beyond `most` entries, the oldest are
 * removed. Of many entries, call `indexOldPlaces` before.
 * @param last the id of the revision being changed, which is the last one with the pages at their old places
 */
export function oldPlacesAfter(
  known: OldPlaces,
  changes: readonly PageChange[],
  last: string,
  most: number = LIMITS.oldPlaces,
): Map<string, string | null> {
  const { latest, parents } = oldPlaceIndex(known)
  const next = new Map<string, string | null>()
  const leave = (page: PageRecord) =>
    next.set(`${slugPlace(page)}/${page.id}/${last}`, latest.get(page.id) ?? page.id)

  const deleted = new Map<string, PageRecord>()
  for (const { before, after } of changes) {
    if (!hasPath(before)) continue
    if (after === null) deleted.set(before.id, before)
    else if (leavesPlace({ before, after })) leave(before)
  }
  const left = deleted.size === 0 ? [] : [...next.keys()].map((key) => keyParts(key).parent)
  for (const parent of deleted.size === 0 ? [] : new Set([...parents, ...left])) {
    // A page removed from `deleted` has its entry already, and so have its deleted ancestors.
    for (let page = deleted.get(parent); page; page = deleted.get(page.parent ?? '')) {
      deleted.delete(page.id)
      leave(page)
    }
  }
  return bounded(known, next, most)
}

/** Whether a change moves, renames or deletes a page. */
export function leavesPlace({ before, after }: PageChange): boolean {
  return slugPlace(before) !== (after === null ? undefined : slugPlace(after))
}

/** The entries of another history of the content that this one lacks. */
export function oldPlacesFrom(known: OldPlaces, other: OldPlaces): Map<string, string> {
  return new Map([...other].filter(([key]) => !known.has(key)))
}

/** The old places of a copy of the content. Ids of missing pages stay as they are; in the copy they match nothing. */
export function cloneOldPlaces(
  known: OldPlaces,
  idOf: (page: string) => string | undefined,
): Map<string, string> {
  const renewed = (id: string) => idOf(id) ?? id
  return new Map(
    [...known].map(([key, since]) => {
      const { parent, slug, page, last } = keyParts(key)
      return [`${renewed(parent)}/${slug}/${renewed(page)}/${last}`, since]
    }),
  )
}

/**
 * Finds the page for an old path: of the existing pages that had the path, the one that had it last. The lookup ignores
 * case, slashes at the ends and `.md`.
 * @param note receives what the lookup depends on, apart from whether there are old places at all
 */
export function findOldPath(
  tree: PageTree,
  known: OldPlaces,
  path: string,
  note: NoteVisit = () => {},
): PageRecord | undefined {
  if (known.size === 0) return undefined
  const wanted = trimmedPath(path)
  const bare = wanted.replace(/\.md$/, '')
  return walk(tree, known, wanted, note) ?? (bare === wanted ? undefined : walk(tree, known, bare, note))
}

/** Receives what a lookup depends on: the places (`<parent>/<slug>`) it goes through, and the pages it finds there. */
export type NoteVisit = (kind: 'place' | 'page', name: string) => void

/** A page's stay at a place: after the revision `since`, and until `last` or now. */
interface Stay {
  readonly page: string
  readonly since: string
  readonly last?: string
}

/** The most stays to compare by time. Pages that keep swapping places can be reached in very many ways. */
const STEPS = 5000

function walk(tree: PageTree, known: OldPlaces, path: string, note: NoteVisit): PageRecord | undefined {
  const slugs = path.split('/')
  if (slugs.length > LIMITS.treeDepth) return undefined
  const { stays, latest } = oldPlaceIndex(known)
  const seen = new Set<string>()
  let steps = 0

  function staysAt(parent: string, slug: string): readonly Stay[] {
    note('place', `${parent}/${slug}`)
    const before = stays.get(`${parent}/${slug}`) ?? []
    const here = parent === '' || tree.get(parent) ? tree.childAt(parent || null, slug) : undefined
    return here ? [{ page: here.id, since: latest.get(here.id) ?? here.id }, ...before] : before
  }

  /** Finds a page whose path existed at one time, after `since` and up to `last`. */
  function atOnce(parent: string, depth: number, since: string, last?: string): PageRecord | undefined {
    for (const stay of staysAt(parent, needItem(slugs, depth))) {
      if (++steps > STEPS) return undefined
      const begin = stay.since > since ? stay.since : since
      const end = last === undefined || (stay.last !== undefined && stay.last < last) ? stay.last : last
      if (end !== undefined && begin >= end) continue
      const found =
        reached(stay.page, depth) ?? below(stay.page, depth, (id) => atOnce(id, depth + 1, begin, end))
      if (found) return found
    }
    return undefined
  }

  /** Finds a page by places from any times, because the recorded times may have gaps. */
  function ever(parent: string, depth: number): PageRecord | undefined {
    for (const { page } of staysAt(parent, needItem(slugs, depth))) {
      if (seen.has(`${depth}/${page}`)) continue
      seen.add(`${depth}/${page}`)
      const found = reached(page, depth) ?? below(page, depth, (id) => ever(id, depth + 1))
      if (found) return found
    }
    return undefined
  }

  const end = slugs.length - 1
  const reached = (id: string, depth: number) => {
    if (depth === end) note('page', id)
    const page = depth === end ? tree.get(id) : undefined
    return page && hasPath(page) ? page : undefined
  }
  const below = (id: string, depth: number, next: (id: string) => PageRecord | undefined) =>
    depth === end ? undefined : next(id)
  return atOnce('', 0, '') ?? ever('', 0)
}

interface Index {
  /** The stays by `<parent>/<slug>`, the last one first. */
  readonly stays: Map<string, readonly Stay[]>
  /** By page: the last revision with the page at its latest old place. */
  readonly latest: Map<string, string>
  /** The pages below which there are old places. */
  readonly parents: Set<string>
  /** The keys of the entries, the oldest first, if there are so many that the oldest may have to be removed. */
  oldest?: readonly string[]
}

const indexes = new WeakMap<OldPlaces, Index>()

/** Prepares many old places for lookups, in slices. Without it, the first lookup prepares them all at once. */
export async function indexOldPlaces(known: OldPlaces): Promise<void> {
  if (indexes.has(known)) return
  const { add, sort, index } = newIndex()
  await eachInTurns(known, add)
  await eachInTurns(index.stays, sort)
  if (known.size > LIMITS.oldPlaces / 2) index.oldest = await sortInTurns([...known.keys()], byAge)
  indexes.set(known, index)
}

function oldPlaceIndex(known: OldPlaces): Index {
  const made = indexes.get(known)
  if (made) return made
  const { add, sort, index } = newIndex()
  for (const entry of known) add(entry)
  for (const entry of index.stays) sort(entry)
  indexes.set(known, index)
  return index
}

function newIndex() {
  const stays = new Map<string, Stay[]>()
  const latest = new Map<string, string>()
  const parents = new Set<string>()

  function add([key, since]: readonly [string, string]): void {
    const { parent, slug, page, last } = keyParts(key)
    const place = `${parent}/${slug}`
    parents.add(parent)
    const others = stays.get(place)
    if (others) others.push({ page, since, last })
    else stays.set(place, [{ page, since, last }])
    if (last > (latest.get(page) ?? '')) latest.set(page, last)
  }

  function sort([place, list]: readonly [string, readonly Stay[]]): void {
    if (list.length > 1) stays.set(place, list.toSorted(byEnd))
  }

  const index: Index = { stays, latest, parents }
  return { add, sort, index }
}

const byEnd = ({ last: a = '' }: Stay, { last: b = '' }: Stay) => (a < b ? 1 : a > b ? -1 : 0)

function bounded(
  known: OldPlaces,
  next: Map<string, string | null>,
  most: number,
): Map<string, string | null> {
  const excess = known.size + next.size - most
  if (excess <= 0) return next
  const oldest = oldPlaceIndex(known).oldest ?? [...known.keys()].toSorted(byAge)
  // Both parts are in order, or nearly so, which makes this sort a linear one.
  const first = [...oldest.slice(0, excess), ...next.keys()].toSorted(byAge).slice(0, excess)
  for (const key of first) {
    if (known.has(key)) next.set(key, null)
    else next.delete(key)
  }
  return next
}

/** Compares keys by their last revision. */
function byAge(a: string, b: string): number {
  const [one, other] = [a.slice(a.lastIndexOf('/')), b.slice(b.lastIndexOf('/'))]
  return one < other ? -1 : one > other ? 1 : 0
}

/** The place of a page; undefined for a page without a path. */
function slugPlace(page: PageRecord): string | undefined {
  return hasPath(page) ? `${page.parent ?? ''}/${page.slug.toLowerCase()}` : undefined
}

/** Neither ids nor slugs have a slash. */
function keyParts(key: string): { parent: string; slug: string; page: string; last: string } {
  const [parent = '', slug = '', page = '', last = ''] = key.split('/')
  return { parent, slug, page, last }
}
