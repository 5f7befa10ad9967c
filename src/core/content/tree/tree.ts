/**
 * The page tree of a revision: the flat page records, indexed. A tree is immutable. `apply` creates the next tree, at a
 * cost in proportion to the changes. Reading a tree never loops and never loses a page: a page whose parent is missing,
 * or is below the page itself, is a root.
 */
import { append } from '../../data/lists.ts'
import { flat, layered, lookUp, needIn } from './layered.ts'
import { hasPath } from '../revision.ts'
import type { PageRecord } from '../revision.ts'
import { ancestorsOf, applied, idsBelow, indexOf, parentOf, TOP } from './index.ts'
import type { Index, Siblings } from './index.ts'

/** Pages by id, path, file and place. An id that is not in the tree has no children, no ancestors and an empty path. */
export interface PageTree {
  readonly size: number
  /** Whether every page is below the parent that its record names. */
  readonly regular: boolean
  get: (id: string) => PageRecord | undefined
  /** The pages at the top level, in order. */
  roots: () => readonly PageRecord[]
  /** The direct children of a page, in order; the roots for null. */
  children: (id: string | null) => readonly PageRecord[]
  /**
   * The id of the parent; null for a root, and for a page that became a root because its parent is missing or below it.
   */
  parent: (id: string) => string | null
  /** The ancestors of a page, the nearest first. */
  ancestors: (id: string) => readonly PageRecord[]
  /**
   * The slugs from the top level down, groups included, joined by `/`. For a link or computed page, the path of its
   * parent.
   */
  path: (id: string) => string
  /**
   * The document or group at a path. The lookup ignores case, slashes at the ends and `.md`. The empty path finds the
   * first document.
   */
  byPath: (path: string) => PageRecord | undefined
  /** The document or group with a slug, in lower case, directly below a page, or at the top level for null. */
  childAt: (parent: string | null, slug: string) => PageRecord | undefined
  /** The page made from a repository file. */
  byFile: (file: string) => PageRecord | undefined
  /** All pages in reading order: each page before the pages below it. */
  pages: () => readonly PageRecord[]
  /** The first document in reading order: the page that a site serves at its root. */
  first: () => PageRecord | undefined
  /** Whether the setting is on for the page or an ancestor. The next setting works the same way. */
  noIndex: (id: string) => boolean
  noRobotsIndex: (id: string) => boolean
  /** The tree after the given records are set, or removed where null. */
  apply: (changes: ReadonlyMap<string, PageRecord | null>) => PageTree
}

/** The tree of all page records of a revision, by id. The map must not change afterwards. */
export function indexTree(records: ReadonlyMap<string, PageRecord>): PageTree {
  return treeOf(indexOf(records))
}

function treeOf(index: Index): PageTree {
  const get = (id: string) => lookUp(index.records, id)
  const children = (id: string | null) =>
    idsBelow(index, id ?? TOP).map((child) => needIn(index.records, child))
  const inherits = (flag: 'noIndex' | 'noRobotsIndex') => {
    // Most trees have no page with the setting, and search asks for each page that it finds.
    const isUsed = once(() =>
      flat(index.records)
        .values()
        .some((page) => page[flag] === true),
    )
    return (id: string) =>
      isUsed() && (get(id)?.[flag] === true || ancestorsOf(index, id).some((page) => page[flag] === true))
  }
  const pages = once(() => [...readingOrder(index)])
  const first = once(() => readingOrder(index).find((page) => page.type === 'document'))

  return {
    size: index.size,
    regular: index.uprooted.size === 0,
    get,
    roots: once(() => children(null)),
    children,
    parent: (id) => parentOf(index, id),
    ancestors: (id) => ancestorsOf(index, id),
    path: (id) => treePath(index, id),
    byPath: (path) => (trimmedPath(path) === '' ? first() : findPath(index, path)),
    childAt(parent, slug) {
      const id = childAt(index, parent ?? TOP, slug)
      return id === undefined ? undefined : get(id)
    },
    byFile: (file) => findFile(index, file),
    pages,
    first,
    noIndex: inherits('noIndex'),
    noRobotsIndex: inherits('noRobotsIndex'),
    apply: (changes) => treeOf(applied(index, changes)),
  }
}

function treePath(index: Index, id: string): string {
  const page = lookUp(index.records, id)
  if (!page) return ''
  const line = [page, ...ancestorsOf(index, id)].filter(hasPath).toReversed()
  return line.map(({ slug }) => slug).join('/')
}

/** Normalizes a path for lookup: without slashes at the ends, in lower case. */
export function trimmedPath(path: string): string {
  let [start, end] = [0, path.length]
  while (path[start] === '/') start++
  while (end > start && path[end - 1] === '/') end--
  return path.slice(start, end).toLowerCase()
}

function findPath(index: Index, path: string): PageRecord | undefined {
  const wanted = trimmedPath(path)
  const id =
    follow(index, wanted) ?? (wanted.endsWith('.md') ? follow(index, wanted.slice(0, -3)) : undefined)
  return id === undefined ? undefined : lookUp(index.records, id)
}

function follow(index: Index, path: string): string | undefined {
  let at: string | undefined = TOP
  for (const slug of path.split('/')) {
    at = childAt(index, at, slug)
    if (at === undefined) return undefined
  }
  return at
}

function childAt(index: Index, parent: string, slug: string): string | undefined {
  const siblings: Siblings | undefined = lookUp(index.below, parent)
  if (!siblings) return undefined
  siblings.slugs ??= slugsOf(index, siblings.ids)
  return siblings.slugs.get(slug)
}

/** If two siblings share a slug, the first one has it. */
function slugsOf(index: Index, ids: readonly string[]): Map<string, string> {
  const slugs = new Map<string, string>()
  for (const id of ids) {
    const page = needIn(index.records, id)
    const slug = page.slug.toLowerCase()
    if (hasPath(page) && !slugs.has(slug)) slugs.set(slug, id)
  }
  return slugs
}

function findFile(index: Index, file: string): PageRecord | undefined {
  if (!index.files) {
    const files = new Map<string, string>()
    for (const { id, file: name } of flat(index.records).values()) {
      // If two pages share a file, the older page has it, because ids sort by time.
      if (name !== undefined && id < (files.get(name) ?? '\uffff')) files.set(name, id)
    }
    index.files = layered(files)
  }
  const id = lookUp(index.files, file)
  return id === undefined ? undefined : lookUp(index.records, id)
}

function* readingOrder(index: Index): Generator<PageRecord, undefined> {
  const waiting = idsBelow(index, TOP).toReversed()
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    yield needIn(index.records, id)
    append(waiting, idsBelow(index, id).toReversed())
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
