/**
 * The differences between two contents: objects that were created, deleted, edited or moved. Applying them to the first
 * content gives the second. They are derived from the differences between the maps, so unchanged pages cost nothing.
 */
import { needLast } from '../data/lists.ts'
import { jsonEqual } from '../data/json.ts'
import type { EntryChange } from './prolly-tree/read.ts'
import { SEEN_PAGE_FIELDS, type SeenPageField } from './page-fields.ts'
import { DEFAULT_LAYOUT } from './revision.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from './revision.ts'
import { movedAmong } from './sibling-moves.ts'
import { bySiblingOrder } from './tree/index.ts'
import type { PageTree } from './tree/tree.ts'

/** The parts of a content outside its maps, and its page tree. */
export interface Content {
  readonly pages: PageTree
  readonly variables: Variables
  /** Old path to the current target. */
  readonly redirects: Readonly<Record<string, string>>
}

/** The differences between the maps of two contents (`diff` of `prolly-tree/`). */
export interface MapChanges {
  readonly pages: readonly EntryChange<PageRecord>[]
  readonly files: readonly EntryChange<FileRecord>[]
  readonly reusables: readonly EntryChange<ReusableRecord>[]
}

/** Whether readers see a field; the other fields are bookkeeping. */
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
export type PageAttribute = SeenPageField
export type FileAttribute = Seen<typeof FILE_FIELDS>
export type ReusableAttribute = Seen<typeof REUSABLE_FIELDS>

/** A record before and after, and the visible fields that differ. The list is empty if only bookkeeping changed. */
interface Edit<R, A> {
  readonly before: R
  readonly after: R
  readonly attributes: readonly A[]
}

/** One difference. A moved and edited page has two: the move has its place, and the edit has all other fields. */
export type Difference =
  | { readonly type: 'page_created' | 'page_deleted'; readonly page: PageRecord }
  | {
      readonly type: 'page_moved'
      readonly before: PageRecord
      readonly after: PageRecord
      /**
       * True if the page has a new position among its siblings or a new parent. False if only its order key changed.
       */
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

/** Whether readers of the content can see the difference. */
export function isSeen(difference: Difference): boolean {
  if (difference.type === 'page_moved') return difference.elsewhere
  return 'attributes' in difference ? difference.attributes.length > 0 : true
}

/**
 * All differences. Pages come first, in the reading order of the new content, a move before an edit. Deleted pages
 * follow, in the reading order of the old content. Then come files and reusable contents by id, variables and
 * redirects.
 */
export function diffContents(before: Content, after: Content, changes: MapChanges): Difference[] {
  return [
    ...pageDifferences(before.pages, after.pages, changes.pages),
    ...changes.files.flatMap((change) => fileDifference(change)),
    ...changes.reusables.flatMap((change) => reusableDifference(change)),
    ...(jsonEqual(before.variables, after.variables)
      ? []
      : [{ type: 'variables_edited', before: before.variables, after: after.variables } as const]),
    ...(jsonEqual(before.redirects, after.redirects)
      ? []
      : [{ type: 'redirects_edited', before: before.redirects, after: after.redirects } as const]),
  ]
}

function pageDifferences(
  before: PageTree,
  after: PageTree,
  changes: readonly EntryChange<PageRecord>[],
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
    if (!jsonEqual(old, { ...page, parent, order })) {
      const attributes = differing(SEEN_PAGE_FIELDS, old, page)
      differences.push({ type: 'page_edited', before: old, after: page, attributes })
    }
    return differences
  }
  return [
    ...inReadingOrder(after, present).flatMap(ofPage),
    ...inReadingOrder(before, gone).map((page) => ({ type: 'page_deleted', page }) as const),
  ]
}

function fileDifference({ before, after }: EntryChange<FileRecord>): Difference[] {
  if (before && after) {
    return [{ type: 'file_edited', before, after, attributes: differing(seenIn(FILE_FIELDS), before, after) }]
  }
  if (after) return [{ type: 'file_created', file: after }]
  return before ? [{ type: 'file_deleted', file: before }] : []
}

function reusableDifference({ before, after }: EntryChange<ReusableRecord>): Difference[] {
  if (before && after) {
    const attributes = differing(seenIn(REUSABLE_FIELDS), before, after)
    return [{ type: 'reusable_content_edited', before, after, attributes }]
  }
  if (after) return [{ type: 'reusable_content_created', reusable: after }]
  return before ? [{ type: 'reusable_content_deleted', reusable: before }] : []
}

/**
 * Returns a test for pages with a new order key or parent: whether the page really moved. It compares the siblings of
 * each parent once.
 */
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

/** Sorts pages by their ancestors alone, without walking the rest of the tree. */
function inReadingOrder(tree: PageTree, pages: readonly PageRecord[]): PageRecord[] {
  const lines = pages.map((page) => [...tree.ancestors(page.id).toReversed(), page])
  return lines.toSorted(byLine).map(needLast)
}

function byLine(a: readonly PageRecord[], b: readonly PageRecord[]): number {
  const fork = a.findIndex((page, i) => page.id !== b[i]?.id)
  const [left, right] = [a[fork], b[fork]]
  return left && right ? bySiblingOrder(left, right) : a.length - b.length
}

function seenIn<F extends Record<string, boolean>>(fields: F): readonly (Seen<F> & string)[] {
  return Object.keys(fields).filter((name) => fields[name]) as (Seen<F> & string)[]
}

function differing<K extends string>(
  names: readonly K[],
  before: { readonly [P in K]?: unknown },
  after: { readonly [P in K]?: unknown },
): K[] {
  return names.filter((name) => !jsonEqual(shown(name, before[name]), shown(name, after[name])))
}

/** A value as readers see it: false equals absent, and an absent layout equals the default layout. */
function shown(name: string, value: unknown): unknown {
  if (value === false) return undefined
  return name === 'layout' ? { ...DEFAULT_LAYOUT, ...(value as object | undefined) } : value
}
