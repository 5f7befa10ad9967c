/** The navigation between the pages of a published space. It is computed once for a revision and its visitors. */
import { hasPath, type PageRecord } from '../../../../core/content/revision.ts'
import { listedEntries } from '../../../../core/content/tree/entries.ts'
import type { PageTree } from '../../../../core/content/tree/tree.ts'
import { lru } from '../../../../core/data/lru.ts'
import { sharing } from '../../../../core/data/sharing.ts'
import { eachInTurns } from '../../../../core/runtime/turns.ts'

/** The order and the places of the pages that visitors may see. */
export interface Navigation {
  /** The number of entries of the page tree. */
  readonly size: number
  /** The documents for previous and next links, site maps and indexes: all that are not hidden, in reading order. */
  readonly listed: readonly PageRecord[]
  /** The first document that visitors may see, hidden ones included: the page at the root of the space. */
  readonly root: PageRecord | undefined
  /** The entries of the page tree directly below a page, or at the top level for null. */
  below(parent: string | null): readonly PageRecord[]
  /** The place of an entry among the entries of its level. */
  placeInLevel(id: string): number
  /** The place in `listed` of the first document at or after a page in reading order. */
  placeInOrder(id: string): number
  /** The first document in a group that the site lists: the page that the address of the group leads to. */
  firstIn(group: PageRecord): PageRecord | undefined
  /** The path of a page below the root of its space, percent-encoded. */
  path(id: string): string
}

/** The data from which a navigation is made. */
interface NavigationParts {
  tree: PageTree
  /** Whether a visitor may see a page. A page below one that the visitor may not see is not seen either. */
  shown(page: PageRecord): boolean
  /** Whether a link page leads anywhere. @param firstIn that of the navigation */
  leads(page: PageRecord, firstIn: Navigation['firstIn']): boolean
}

/** The navigation of a space without pages. */
export const NO_NAVIGATION: Navigation = {
  size: 0,
  listed: [],
  root: undefined,
  below: () => [],
  placeInLevel: () => 0,
  placeInOrder: () => 0,
  firstIn: () => undefined,
  path: () => '',
}

const TOP = ''
/** The estimated size of a page's path, its places, and its slots in the lists. */
const BYTES_PER_PAGE = 350

const navigations = lru<Navigation>(32 * 1024 * 1024, 'navigations')
const making = sharing<Navigation>()

/** The navigation from the cache. @param key names everything that the parts depend on */
export async function navigationOf(key: string, parts: NavigationParts): Promise<Navigation> {
  return navigations.get(key) ?? making(key, () => remembered(key, parts))
}

async function remembered(key: string, parts: NavigationParts): Promise<Navigation> {
  const made = await makeNavigation(parts)
  navigations.set(key, made, parts.tree.size * BYTES_PER_PAGE)
  return made
}

async function makeNavigation({ tree, shown, leads }: NavigationParts): Promise<Navigation> {
  const pages = tree.pages()
  const paths = new Map<string, string>()
  const places = new Map<string, number>()
  const unlisted = new Set<string>()
  const listed: PageRecord[] = []
  let root: PageRecord | undefined
  // Parents come before the pages below them.
  await eachInTurns(pages, (page) => {
    const parent = tree.parent(page.id)
    const above = parent === null ? '' : paths.get(parent)!
    const own = hasPath(page) ? encodeURIComponent(page.slug) : ''
    paths.set(page.id, above && own ? `${above}/${own}` : above || own)
    places.set(page.id, listed.length)
    if (page.hidden || (parent !== null && unlisted.has(parent))) unlisted.add(page.id)
    if (page.type !== 'document' || !shown(page)) return
    root ??= page
    if (!unlisted.has(page.id)) listed.push(page)
  })

  const firstIn = (group: PageRecord) => {
    const first = listed[places.get(group.id) ?? listed.length]
    return first && tree.ancestors(first.id).some(({ id }) => id === group.id) ? first : undefined
  }
  const isFound = (page: PageRecord) =>
    !unlisted.has(page.id) &&
    shown(page) &&
    (page.type === 'document' || page.type === 'group' || (page.type === 'link' && leads(page, firstIn)))
  const entries = await listedEntries(tree, isFound)

  const levels = new Map<string, PageRecord[]>()
  const placesInLevels = new Map<string, number>()
  await eachInTurns(pages, (page) => {
    if (!entries.has(page.id)) return
    const parent = tree.parent(page.id) ?? TOP
    const level = levels.get(parent) ?? []
    placesInLevels.set(page.id, level.length)
    if (level.push(page) === 1) levels.set(parent, level)
  })

  return {
    size: entries.size,
    listed,
    root,
    below: (parent) => levels.get(parent ?? TOP) ?? [],
    placeInLevel: (id) => placesInLevels.get(id) ?? 0,
    placeInOrder: (id) => places.get(id) ?? listed.length,
    firstIn,
    path: (id) => paths.get(id) ?? '',
  }
}
