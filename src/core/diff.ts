/**
 * How two contents differ, as objects: what was made, removed, edited and moved (CONTENT.md, "Merging"). Together the
 * differences say everything: with them the one content becomes the other. They are made from what differs between the
 * maps of the two, so that pages that are the same cost nothing.
 */
import type { Change } from './map.ts'
import { DEFAULT_LAYOUT } from './revision.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from './revision.ts'
import { movedAmong } from './sibling-moves.ts'
import { bySiblingOrder } from './tree-index.ts'
import type { PageTree } from './tree.ts'

/** What of a content its maps do not hold, and the tree of its pages. */
export interface Content {
  readonly pages: PageTree
  readonly variables: Variables
  /** Old path to where it leads now. */
  readonly redirects: Readonly<Record<string, string>>
}

/** What differs between the maps of two contents (`diff` of `map.ts`). */
export interface MapChanges {
  readonly pages: readonly Change<PageRecord>[]
  readonly files: readonly Change<FileRecord>[]
  readonly reusables: readonly Change<ReusableRecord>[]
}

type PageField = Exclude<keyof PageRecord, 'id' | 'parent' | 'order'>

/** Every field of a page but its place, and whether readers see it; the others are bookkeeping. */
const PAGE_FIELDS = {
  type: true,
  title: true,
  linkTitle: true,
  description: true,
  slug: true,
  document: true,
  cover: true,
  emoji: true,
  icon: true,
  layout: true,
  variables: true,
  target: true,
  tags: true,
  hidden: true,
  noIndex: true,
  noRobotsIndex: true,
  condition: true,
  computed: true,
  oid: false,
  file: false,
  createdAt: false,
  updatedAt: false,
} as const satisfies Record<PageField, boolean>

const FILE_FIELDS = {
  name: true,
  hash: true,
  size: true,
  contentType: true,
  dimensions: true,
  path: false,
  oid: false,
  createdAt: false,
} as const satisfies Record<Exclude<keyof FileRecord, 'id'>, boolean>

const REUSABLE_FIELDS = {
  title: true,
  document: true,
  computed: true,
  path: false,
  oid: false,
} as const satisfies Record<Exclude<keyof ReusableRecord, 'id'>, boolean>

type Seen<F> = { [K in keyof F]: F[K] extends true ? K : never }[keyof F]
export type PageAttribute = Seen<typeof PAGE_FIELDS>
export type FileAttribute = Seen<typeof FILE_FIELDS>
export type ReusableAttribute = Seen<typeof REUSABLE_FIELDS>

/** A record before and after, and which of the fields that readers see differ: none, if it is bookkeeping alone. */
interface Edit<R, A> {
  readonly before: R
  readonly after: R
  readonly attributes: readonly A[]
}

/**
 * One difference (api-facts 4.5). A page that was moved and edited has two: the place is of the move, every other field
 * of the edit.
 */
export type Difference =
  | { readonly type: 'page_created' | 'page_deleted'; readonly page: PageRecord }
  | {
      readonly type: 'page_moved'
      readonly before: PageRecord
      readonly after: PageRecord
      /** Among its siblings, or to another parent; otherwise only the key that sorts it is another. */
      readonly elsewhere: boolean
    }
  | ({ readonly type: 'page_edited' } & Edit<PageRecord, PageAttribute>)
  | { readonly type: 'file_created' | 'file_deleted'; readonly file: FileRecord }
  | ({ readonly type: 'file_edited' } & Edit<FileRecord, FileAttribute>)
  | {
      readonly type: 'reusable_content_created' | 'reusable_content_deleted'
      readonly reusable: ReusableRecord
    }
  | ({ readonly type: 'reusable_content_edited' } & Edit<ReusableRecord, ReusableAttribute>)
  | { readonly type: 'variables_edited'; readonly before: Variables; readonly after: Variables }
  | {
      readonly type: 'redirects_edited'
      readonly before: Content['redirects']
      readonly after: Content['redirects']
    }

/** Whether a reader of the content can tell, and not only the system. */
export function isSeen(difference: Difference): boolean {
  if (difference.type === 'page_moved') return difference.elsewhere
  return 'attributes' in difference ? difference.attributes.length > 0 : true
}

/**
 * Everything that differs. Pages come first, in the reading order of the content after, a move before an edit; then
 * those that are gone, in the reading order before; then files and reusable contents in the order of their ids,
 * variables and redirects.
 */
export function diffContents(before: Content, after: Content, changes: MapChanges): Difference[] {
  return [
    ...pageDifferences(before.pages, after.pages, changes.pages),
    ...changes.files.flatMap((change) => fileDifference(change)),
    ...changes.reusables.flatMap((change) => reusableDifference(change)),
    ...(isSame(sorted(before.variables), sorted(after.variables))
      ? []
      : [{ type: 'variables_edited', before: before.variables, after: after.variables } as const]),
    ...(isSame(sorted(before.redirects), sorted(after.redirects))
      ? []
      : [{ type: 'redirects_edited', before: before.redirects, after: after.redirects } as const]),
  ]
}

function pageDifferences(
  before: PageTree,
  after: PageTree,
  changes: readonly Change<PageRecord>[],
): Difference[] {
  const earlier = new Map(changes.flatMap(({ before: page }) => (page ? [[page.id, page] as const] : [])))
  const present = changes.flatMap(({ after: page }) => page ?? [])
  const gone = changes.flatMap((change) => (change.after ? [] : (change.before ?? [])))
  const isElsewhere = elsewhereIn(before, after)

  const ofPage = (page: PageRecord): Difference[] => {
    const old = earlier.get(page.id)
    if (!old) return [{ type: 'page_created', page }]
    const { parent, order } = old
    const differences: Difference[] = []
    if (parent !== page.parent || order !== page.order) {
      differences.push({ type: 'page_moved', before: old, after: page, elsewhere: isElsewhere(old, page) })
    }
    if (!isSame(old, { ...page, parent, order })) {
      const attributes = differing(PAGE_FIELDS, old, page)
      differences.push({ type: 'page_edited', before: old, after: page, attributes })
    }
    return differences
  }
  return [
    ...inReadingOrder(after, present).flatMap(ofPage),
    ...inReadingOrder(before, gone).map((page) => ({ type: 'page_deleted', page }) as const),
  ]
}

function fileDifference({ before, after }: Change<FileRecord>): Difference[] {
  if (before && after) {
    return [{ type: 'file_edited', before, after, attributes: differing(FILE_FIELDS, before, after) }]
  }
  if (after) return [{ type: 'file_created', file: after }]
  return before ? [{ type: 'file_deleted', file: before }] : []
}

function reusableDifference({ before, after }: Change<ReusableRecord>): Difference[] {
  if (before && after) {
    const attributes = differing(REUSABLE_FIELDS, before, after)
    return [{ type: 'reusable_content_edited', before, after, attributes }]
  }
  if (after) return [{ type: 'reusable_content_created', reusable: after }]
  return before ? [{ type: 'reusable_content_deleted', reusable: before }] : []
}

/** Whether a page whose place was written anew stands elsewhere; siblings are compared once for each parent. */
function elsewhereIn(before: PageTree, after: PageTree) {
  const moved = new Map<string | null, ReadonlySet<string>>()

  return (old: PageRecord, page: PageRecord): boolean => {
    const parent = after.parent(page.id)
    if (before.parent(page.id) !== parent) return true
    const known = moved.get(parent)
    if (known) return known.has(page.id)
    const stays = (id: string) => before.get(id)?.order === after.get(id)?.order
    const here = movedAmong(idsBelow(before, parent), idsBelow(after, parent), stays)
    moved.set(parent, here)
    return here.has(old.id)
  }
}

const idsBelow = (tree: PageTree, parent: string | null) => tree.children(parent).map(({ id }) => id)

/** Told from the pages above each, so that the rest of the tree is not walked. */
function inReadingOrder(tree: PageTree, pages: readonly PageRecord[]): PageRecord[] {
  const lines = pages.map((page) => [...tree.ancestors(page.id).toReversed(), page])
  return lines.toSorted(byLine).map((line) => line.at(-1)!)
}

function byLine(a: readonly PageRecord[], b: readonly PageRecord[]): number {
  const fork = a.findIndex((page, i) => page.id !== b[i]?.id)
  const [left, right] = [a[fork], b[fork]]
  return left && right ? bySiblingOrder(left, right) : a.length - b.length
}

function differing<F extends Record<string, boolean>, R extends { readonly [K in keyof F]?: unknown }>(
  fields: F,
  before: R,
  after: R,
): Seen<F>[] {
  const names = Object.keys(fields).filter((name) => fields[name]) as (Seen<F> & string)[]
  return names.filter((name) => !isSame(shown(name, before[name]), shown(name, after[name])))
}

/** A value as far as it can be told from others: what is not hidden is shown, and an absent layout is the usual one. */
function shown(name: string, value: unknown): unknown {
  if (value === false) return undefined
  return name === 'layout' ? { ...DEFAULT_LAYOUT, ...(value as object | undefined) } : value
}

/** Stored values are canonical, so equal values are equal texts. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function sorted(fields: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
