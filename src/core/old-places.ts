/**
 * Where pages stood before they were moved, renamed or deleted, so that their old paths still lead somewhere.
 *
 * One entry says that a page had a slug below a parent for a time. A page that moves leaves one entry, however many
 * pages are below it: an old path is walked like a present one, from page to page, and where the page has moved on it
 * goes on from there. Entries are kept in a persistent map (`map.ts`) of the revision.
 */
import { hasPath, LIMITS, type PageRecord } from './revision.ts'
import { type PageTree, trimmedPath } from './tree.ts'

/**
 * By `<parent>/<slug>/<page>/<last>`: the parent empty at the top level, the slug in lower case, the last revision that
 * has the page there. The value is the last that has it at the place before, or its own id if it began there. Ids are
 * ordered by time: that of a page is before the revision that makes it, and after the one before that.
 */
export type OldPlaces = ReadonlyMap<string, string>

/** A page before and after a change of the content. */
export interface PageChange {
  readonly before: PageRecord
  /** Null where it is deleted. */
  readonly after: PageRecord | null
}

/**
 * What a change of the content adds to the old places; null for those that go. A page that is deleted leaves an entry
 * only where others have left places below it: their old paths go through it. Of more than `most`, the oldest go.
 * @param last the id of the revision that is changed: the last that has the pages where they were
 */
export function oldPlacesAfter(
  known: OldPlaces,
  changes: readonly PageChange[],
  last: string,
  most: number = LIMITS.oldPlaces,
): Map<string, string | null> {
  const { latest } = indexOf(known)
  const next = new Map<string, string | null>()
  const leave = (page: PageRecord) =>
    next.set(`${placeOf(page)}/${page.id}/${last}`, latest.get(page.id) ?? page.id)

  const deleted = new Map<string, PageRecord>()
  for (const { before, after } of changes) {
    if (!hasPath(before)) continue
    if (after === null) deleted.set(before.id, before)
    else if (leavesPlace({ before, after })) leave(before)
  }
  const parents =
    deleted.size === 0 ? [] : [...known.keys(), ...next.keys()].map((key) => partsOf(key).parent)
  for (const parent of new Set(parents)) {
    // One that is taken out has its entry, and so have those above it.
    for (let page = deleted.get(parent); page; page = deleted.get(page.parent ?? '')) {
      deleted.delete(page.id)
      leave(page)
    }
  }
  return bounded(known, next, most)
}

/** Whether a page stands elsewhere, or nowhere, after a change. */
export function leavesPlace({ before, after }: PageChange): boolean {
  return placeOf(before) !== (after === null ? undefined : placeOf(after))
}

/** What another line of the content remembers and this one does not. */
export function oldPlacesFrom(known: OldPlaces, other: OldPlaces): Map<string, string> {
  return new Map([...other].filter(([key]) => !known.has(key)))
}

/** The old places of a copy of the content; of pages that are gone the ids stay, which then name nothing. */
export function renewOldPlaces(
  known: OldPlaces,
  idOf: (page: string) => string | undefined,
): Map<string, string> {
  const renewed = (id: string) => idOf(id) ?? id
  return new Map(
    [...known].map(([key, since]) => {
      const { parent, slug, page, last } = partsOf(key)
      return [`${renewed(parent)}/${slug}/${renewed(page)}/${last}`, since]
    }),
  )
}

/**
 * The page that an old path leads to: of those that had it and are still there, the one that had it last. With or
 * without slashes at the ends or `.md`, in any case.
 */
export function findOldPath(tree: PageTree, known: OldPlaces, path: string): PageRecord | undefined {
  if (known.size === 0) return undefined
  const wanted = trimmedPath(path)
  const bare = wanted.replace(/\.md$/, '')
  return walk(tree, known, wanted) ?? (bare === wanted ? undefined : walk(tree, known, bare))
}

/** That a page stands or stood at a place: after the revision `since`, up to `last` or still. */
interface Stay {
  readonly page: string
  readonly since: string
  readonly last?: string
}

/** How many stays are compared in time: pages that change places over and over are come to in many ways. */
const STEPS = 5000

function walk(tree: PageTree, known: OldPlaces, path: string): PageRecord | undefined {
  const slugs = path.split('/')
  if (slugs.length > LIMITS.treeDepth) return undefined
  const { stays, latest } = indexOf(known)
  const seen = new Set<string>()
  let steps = 0

  function staysAt(parent: string, slug: string): readonly Stay[] {
    const before = stays.get(`${parent}/${slug}`) ?? []
    const here = parent === '' || tree.get(parent) ? tree.childAt(parent || null, slug) : undefined
    return here ? [{ page: here.id, since: latest.get(here.id) ?? here.id }, ...before] : before
  }

  /** Pages that stood one below the other at the same time, after `since` and up to `last`. */
  function atOnce(parent: string, depth: number, since: string, last?: string): PageRecord | undefined {
    for (const stay of staysAt(parent, slugs[depth]!)) {
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

  /** Pages that stood one below the other whenever: what is known of the times may have holes. */
  function ever(parent: string, depth: number): PageRecord | undefined {
    for (const { page } of staysAt(parent, slugs[depth]!)) {
      if (seen.has(`${depth}/${page}`)) continue
      seen.add(`${depth}/${page}`)
      const found = reached(page, depth) ?? below(page, depth, (id) => ever(id, depth + 1))
      if (found) return found
    }
    return undefined
  }

  const end = slugs.length - 1
  const reached = (id: string, depth: number) => {
    const page = depth === end ? tree.get(id) : undefined
    return page && hasPath(page) ? page : undefined
  }
  const below = (id: string, depth: number, next: (id: string) => PageRecord | undefined) =>
    depth === end ? undefined : next(id)
  return atOnce('', 0, '') ?? ever('', 0)
}

interface Index {
  /** By `<parent>/<slug>`, the last one first. */
  readonly stays: ReadonlyMap<string, readonly Stay[]>
  /** By page, the last revision that has it at the place that it left last. */
  readonly latest: ReadonlyMap<string, string>
}

const indexes = new WeakMap<OldPlaces, Index>()

function indexOf(known: OldPlaces): Index {
  const made = indexes.get(known)
  if (made) return made
  const stays = new Map<string, Stay[]>()
  const latest = new Map<string, string>()
  const ended = [...known].map(([key, value]) => ({ ...partsOf(key), since: value }))
  for (const stay of ended.toSorted((a, b) => (a.last < b.last ? 1 : a.last > b.last ? -1 : 0))) {
    const place = `${stay.parent}/${stay.slug}`
    const others = stays.get(place)
    if (others) others.push(stay)
    else stays.set(place, [stay])
    if (!latest.has(stay.page)) latest.set(stay.page, stay.last)
  }
  const index = { stays, latest }
  indexes.set(known, index)
  return index
}

function bounded(
  known: OldPlaces,
  next: Map<string, string | null>,
  most: number,
): Map<string, string | null> {
  const excess = known.size + next.size - most
  if (excess <= 0) return next
  const times = [...known.keys(), ...next.keys()].map((key) => ({ key, last: partsOf(key).last }))
  const oldest = times.toSorted((a, b) => (a.last < b.last ? -1 : a.last > b.last ? 1 : 0)).slice(0, excess)
  for (const { key } of oldest) {
    if (known.has(key)) next.set(key, null)
    else next.delete(key)
  }
  return next
}

/** Where a page stands; undefined for one that has no path. */
function placeOf(page: PageRecord): string | undefined {
  return hasPath(page) ? `${page.parent ?? ''}/${page.slug.toLowerCase()}` : undefined
}

/** Neither ids nor slugs have a slash. */
function partsOf(key: string): { parent: string; slug: string; page: string; last: string } {
  const [parent = '', slug = '', page = '', last = ''] = key.split('/')
  return { parent, slug, page, last }
}
