/** The content of a space as a source has it: its pages are those of the space, recognized by their files. */
import type { ContentChanges, Side, Snapshot } from '../core/content/merge/model.ts'
import type { EntryChange } from '../core/content/prolly-tree/read.ts'
import { hasPath, type PageRecord } from '../core/content/revision.ts'
import { keepOrders } from '../core/content/tree/keep-orders.ts'
import { checkTree } from '../core/content/tree/rules.ts'
import { jsonEqual } from '../core/data/json.ts'
import { LONGEST_SLUG, uniquifier } from '../core/text/slug.ts'
import { giveTurn, isTurnOver } from '../core/runtime/turns.ts'
import { invalid } from '../http/errors.ts'
import type { ImportOutline, OutlinedPage, StoredFile } from './plan-outline.ts'
import { lineKey, recordFiles, recordReusables } from './records.ts'
import { resolvePages } from './write.ts'
import { because } from '../core/languages/reasons.ts'
import { faultParameters } from '../core/languages/reasoned.ts'

/** A source that was read, whose documents and files are stored. */
export interface ReadSource {
  outline: ImportOutline
  files: readonly StoredFile[]
}

/** The time of new records, and their ids. */
export interface Making {
  now: Date
  newId: () => string
}

/**
 * The changes that turn the content of the last sync into that of the source. Whatever the source does not have is removed. A
 * page keeps its id if its file is the same, also if only one of `others` has it: the content of the space, to which a user
 * has added it as well, or what a sync proposed before.
 * @throws 400 if the source exceeds a limit of a space
 */
export async function sourceChanges(
  base: Snapshot,
  others: readonly Snapshot[],
  { outline, files: stored }: ReadSource,
  { now, newId }: Making,
): Promise<ContentChanges> {
  const at = now.toISOString()
  const contents = [base, ...others]
  const files = recordFiles(
    stored,
    contents.map((one) => one.files),
    { at, newId },
  )
  const reusables = recordReusables(
    outline,
    contents.map((one) => one.reusables),
    { at, newId },
  )
  const placed = await placePages(outline, contents, at, newId)
  const tree = base.pages.apply(changesTo(recordsOf(base), placed))
  const [fault] = checkTree(tree)
  if (fault) throw invalid(because('import-refused', faultParameters(fault)))
  await giveTurn()

  const pages = new Map<string, PageRecord>()
  for (const [id, page] of resolvePages(placed, { pages: tree, files, reusables })) {
    // A page that did not change keeps its time.
    const known = contents.map((one) => one.pages.get(id)).find((one) => one && isSameButForTime(one, page))
    pages.set(id, known ?? page)
    if (isTurnOver()) await giveTurn()
  }
  return {
    pages: changesTo(recordsOf(base), pages),
    files: changesTo(base.files, files),
    reusables: changesTo(base.reusables, reusables),
    variables: outline.variables,
    redirects: outline.redirects,
  }
}

function isSameButForTime(a: PageRecord, b: PageRecord): boolean {
  return jsonEqual({ ...a, updatedAt: '' }, { ...b, updatedAt: '' })
}

/** A content after changes, as a side of a merge. */
export function sideAfter(base: Snapshot, changes: ContentChanges): Side {
  return {
    pages: base.pages.apply(changes.pages),
    files: mapAfter(base.files, changes.files),
    reusables: mapAfter(base.reusables, changes.reusables),
    variables: changes.variables ?? base.variables,
    redirects: changes.redirects ?? base.redirects,
    changes: {
      pages: entriesOf(changes.pages, (id) => base.pages.get(id)),
      files: entriesOf(changes.files, (id) => base.files.get(id)),
      reusables: entriesOf(changes.reusables, (id) => base.reusables.get(id)),
    },
  }
}

/**
 * A content whose records have the paths to which a commit has moved their files.
 * @param renamed the former paths by the new ones
 */
export function withRenamed(content: Snapshot, renamed: ReadonlyMap<string, string>): Snapshot {
  const pathsTo = new Map([...renamed].map(([to, from]) => [from, to]))
  const moved = <R extends { path?: string }>(records: ReadonlyMap<string, R>) =>
    new Map(
      [...records].map(([id, record]) => {
        const path = record.path === undefined ? undefined : pathsTo.get(record.path)
        return [id, path === undefined ? record : { ...record, path }]
      }),
    )
  const pages = new Map<string, PageRecord>()
  for (const page of content.pages.pages()) {
    const file = page.file === undefined ? undefined : pathsTo.get(page.file)
    if (file !== undefined) pages.set(page.id, { ...page, file })
  }
  return {
    ...content,
    pages: content.pages.apply(pages),
    files: moved(content.files),
    reusables: moved(content.reusables),
  }
}

const recordsOf = ({ pages }: Snapshot) => new Map(pages.pages().map((page) => [page.id, page]))

/** The records that differ; null for those that are gone. */
function changesTo<R extends object>(
  before: ReadonlyMap<string, R>,
  after: ReadonlyMap<string, R>,
): Map<string, R | null> {
  const changes = new Map<string, R | null>()
  for (const id of before.keys()) if (!after.has(id)) changes.set(id, null)
  for (const [id, record] of after) if (!jsonEqual(record, before.get(id))) changes.set(id, record)
  return changes
}

function mapAfter<R>(before: ReadonlyMap<string, R>, changes: ReadonlyMap<string, R | null>): Map<string, R> {
  const after = new Map(before)
  for (const [id, record] of changes) {
    if (record === null) after.delete(id)
    else after.set(id, record)
  }
  return after
}

function entriesOf<R>(
  changes: ReadonlyMap<string, R | null>,
  before: (id: string) => R | undefined,
): EntryChange<R>[] {
  return [...changes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, after]) => {
      const known = before(key)
      return { key, ...(known ? { before: known } : {}), ...(after ? { after } : {}) }
    })
}

async function placePages(
  outline: ImportOutline,
  contents: readonly Snapshot[],
  at: string,
  newId: () => string,
): Promise<Map<string, PageRecord>> {
  const records = new Map<string, PageRecord>()
  const find = pageFinder(contents)

  const place = async (planned: readonly OutlinedPage[], parent: string | null) => {
    const known = planned.map((page) => find(page, parent))
    const orders = keepOrders(known.map((page) => (page?.parent === parent ? page.order : undefined)))
    const slugs = slugsOf(planned, known, parent)

    for (const [i, { fields, dates, children }] of planned.entries()) {
      const before = known[i]
      const id = before?.id ?? newId()
      records.set(id, {
        ...fields,
        id,
        parent,
        order: orders[i]!,
        slug: slugs[i]!,
        createdAt: before?.createdAt ?? dates?.createdAt ?? at,
        updatedAt: dates?.updatedAt ?? at,
      })
      if (isTurnOver()) await giveTurn()
      await place(children, id)
    }
  }
  await place(outline.pages, null)
  return records
}

/** The slugs of siblings. A page that stays below its parent has the first claim to its own. */
function slugsOf(
  planned: readonly OutlinedPage[],
  known: readonly (PageRecord | undefined)[],
  parent: string | null,
): string[] {
  const stays = (page: PageRecord | undefined) => page?.parent === parent && hasPath(page)
  const taken = known.filter((page) => stays(page)).map((page) => page!.slug.toLowerCase())
  const freeSlug = uniquifier(taken, { caseless: true, longest: LONGEST_SLUG })
  return planned.map(({ slug }, i) => {
    if (slug === '') return ''
    return stays(known[i]) ? known[i]!.slug : freeSlug(known[i]?.slug || slug)
  })
}

/** Finds the page of a file or, for other pages, of the same line of the table of contents. Each is found once. */
function pageFinder(contents: readonly Snapshot[]) {
  const found = new Set<string>()
  const lines = contents.map(() => new Map<string | null, Map<string, PageRecord[]>>())

  const linesBelow = (nth: number, parent: string | null) => {
    const all = lines[nth]!
    const known = all.get(parent)
    if (known) return known
    const { pages } = contents[nth]!
    const siblings = parent === null || pages.get(parent) ? pages.children(parent) : []
    const others = siblings.filter(({ file }) => file === undefined)
    const made = Map.groupBy(others, ({ type, slug, title }) => lineKey(type, slug, title))
    all.set(parent, made)
    return made
  }

  return ({ slug, fields }: OutlinedPage, parent: string | null): PageRecord | undefined => {
    const { file, type, title } = fields
    for (const [nth, { pages }] of contents.entries()) {
      const candidates =
        file === undefined
          ? (linesBelow(nth, parent).get(lineKey(type, slug, title)) ?? [])
          : [pages.byFile(file)]
      const page = candidates.find((one) => one && !found.has(one.id))
      if (!page) continue
      found.add(page.id)
      return page
    }
    return undefined
  }
}
