/** Applies a batch of changes to a content as a whole: it returns the records to write, or refuses one change. */
import { checkBatch, newFile, newPlace, newSlug, nextPlace, type PagePlace } from './place.ts'
import { takenSlugs, uniqueSlug } from '../tree/rules.ts'
import { newPageWithoutBody, type PageText, updatedPage, splitPageSource } from './page.ts'
import { refuseUnknownCovers } from './covers.ts'
import { applyItemChange, type ItemChange } from './items.ts'
import { applyNamedChange, isNamedChange, type NamedChange } from './named-values.ts'
import { findPage, noteReading, type Progress, setPages, storeSource } from './progress.ts'
import type { ReadChange } from './read.ts'
import { refuseBatch } from './refused.ts'
import {
  type BlockRevert,
  type RevertedBlocks,
  type RevertedPages,
  removed,
  revertBlocks,
  revertPage,
} from './revert.ts'
import { jsonEqual } from '../../data/json.ts'
import { resolveReference } from '../links.ts'
import { pathTargets, withFreePaths } from '../repository-paths.ts'
import {
  type FileRecord,
  hasPath,
  type PageRecord,
  type ReusableRecord,
  type Variables,
} from '../revision.ts'
import type { PageTree } from '../tree/tree.ts'
import type { ReadingProblem } from '../../document/shown/unshown.ts'
import { because } from '../../languages/reasons.ts'

/** The content that a batch changes. */
export interface BatchContent {
  tree: PageTree
  /**
   * The text of a document by its hash. It covers all pages that a change names, in the content and in the revisions to
   * revert to.
   */
  source(hash: string | undefined): string
  /** The page trees to revert to, by revision. */
  revisions: ReadonlyMap<string, PageTree>
  /** The default revision of `revert_page`; if it is absent, each change must name one. */
  base: string | undefined
  files: ReadonlyMap<string, FileRecord>
  reusables: ReadonlyMap<string, ReusableRecord>
  /** The variables and redirects of the space; absent if it has none. */
  variables?: Variables
  redirects?: Readonly<Record<string, string>>
  /** Reverts blocks of a page, where the caller has done so before. */
  revertBlocks?: (revert: BlockRevert) => RevertedBlocks
}

/** The result for one page. */
export type PageOutcome = { change: 'created' | 'updated' | 'deleted'; page: string; ref?: string }

/** The result for a file or a reusable content. */
export interface ItemOutcome {
  change: 'created' | 'updated' | 'deleted'
  kind: 'file' | 'reusable-content'
  id: string
  ref?: string
}

/** Something that a page or a reusable content does not show. The batch stored it all the same. */
export type ReadingFault = ({ page: string } | { reusableContent: string }) & {
  title: string
} & ReadingProblem

export interface BatchOutcome {
  /** Records to set, or to remove where null. */
  pages: Map<string, PageRecord | null>
  files: Map<string, FileRecord | null>
  reusables: Map<string, ReusableRecord | null>
  /** Absent if the batch leaves them as they are. */
  variables?: Variables
  redirects?: Readonly<Record<string, string>>
  /** New documents by their hash. */
  documents: Map<string, string>
  /** One for each page that exists before or after the batch, in the order in which the changes reached it. */
  outcomes: PageOutcome[]
  items: ItemOutcome[]
  problems: ReadingFault[]
}

/** Applies changes in order, all or none. @throws BatchRefused */
export function applyBatch(content: BatchContent, changes: readonly ReadChange[], now: Date): BatchOutcome {
  const at = now.toISOString()
  const progress: Progress = {
    tree: content.tree,
    pages: new Map(),
    touched: new Map(),
    files: new Map(),
    reusables: new Map(),
    variables: content.variables ?? {},
    redirects: content.redirects ?? {},
    documents: new Map(),
    refs: new Map(),
    problems: new Map(),
  }
  changes.forEach((change, index) => {
    if (isItemChange(change))
      applyItemChange({ ...content, pages: progress.tree }, progress, change, index, at)
    else if (isNamedChange(change)) applyNamedChange(progress, change, index)
    else applyChange(content, progress, change, index, at)
  })

  checkBatch(progress)
  settle(content, progress, changes)
  const files = differing(progress.files, content.files)
  const reusables = differing(progress.reusables, content.reusables)
  const names = new Map(
    changes.flatMap((change) =>
      'ref' in change && change.ref !== undefined ? [[change.id, change.ref]] : [],
    ),
  )
  return {
    pages: progress.pages,
    files,
    reusables,
    ...(jsonEqual(progress.variables, content.variables ?? {}) ? {} : { variables: progress.variables }),
    ...(jsonEqual(progress.redirects, content.redirects ?? {}) ? {} : { redirects: progress.redirects }),
    documents: progress.documents,
    outcomes: outcomesOf(content, progress),
    items: [
      ...itemsOf('file', files, content.files, names),
      ...itemsOf('reusable-content', reusables, content.reusables, names),
    ],
    problems: problemsOf(progress),
  }
}

function isItemChange(change: ReadChange): change is ItemChange {
  return /_(?:files?|reusable_content)$/.test(change.operation)
}

/** The changes without those that leave a record as it was. */
function differing<R>(
  changed: ReadonlyMap<string, R | null>,
  before: ReadonlyMap<string, R>,
): Map<string, R | null> {
  return new Map([...changed].filter(([id, record]) => !jsonEqual(record, before.get(id) ?? null)))
}

function itemsOf(
  kind: ItemOutcome['kind'],
  changed: ReadonlyMap<string, object | null>,
  before: ReadonlyMap<string, object>,
  names: ReadonlyMap<string, string>,
): ItemOutcome[] {
  return [...changed].map(([id, record]) => {
    const change = record ? (before.has(id) ? 'updated' : 'created') : 'deleted'
    const ref = change === 'created' ? names.get(id) : undefined
    return { change, kind, id, ...(ref === undefined ? {} : { ref }) }
  })
}

type PageChange = Exclude<ReadChange, ItemChange | NamedChange>

function applyChange(
  content: BatchContent,
  progress: Progress,
  change: PageChange,
  index: number,
  at: string,
): void {
  const put = (pages: RevertedPages) => setPages(progress, pages, index)
  switch (change.operation) {
    case 'insert_page':
      return put(inserted(content, progress, change, index, at))
    case 'insert_group':
    case 'insert_link':
      return put(insertedWithoutBody(progress, change, index, at))
    case 'update_page':
      return put(updated(content, progress, change, index, at))
    case 'delete_page':
      return put(removed(progress.tree, findPage(progress, change.page, index).id))
    case 'revert_page':
      return put(withOwnPaths(content, progress, reverted(content, progress, change, index, at)))
  }
}

/** Gives the pages free repository paths: while a page was deleted, another page or file may have taken its path. */
function withOwnPaths(content: BatchContent, { tree }: Progress, pages: RevertedPages): RevertedPages {
  return withFreePaths({ ...content, pages: tree }, { pages }).pages
}

function inserted(
  content: BatchContent,
  progress: Progress,
  change: ReadChange & { operation: 'insert_page' },
  index: number,
  at: string,
): RevertedPages {
  const { id, ref, meta, body } = change
  const text = splitPageSource({ title: 'Untitled' }, body, meta)
  const place = newPlace(progress, change, index)
  const slug = newSlug(progress, place.parent, { slug: meta.slug, title: text.title }, index)
  const file = newFile({ ...content, pages: progress.tree }, place.parent, slug)
  noteReading(progress, id, body)
  const fresh = { id, type: 'document' as const, slug, file, createdAt: at, updatedAt: at }
  if (ref !== undefined) progress.refs.set(ref, id)
  return placed(progress, { ...kept(progress, text), ...fresh }, place)
}

/** A new group, which is always at the top level, or a new link page. */
function insertedWithoutBody(
  progress: Progress,
  change: ReadChange & { operation: 'insert_group' | 'insert_link' },
  index: number,
  at: string,
): RevertedPages {
  const { id, ref, meta } = change
  const type = change.operation === 'insert_group' ? 'group' : 'link'
  const fields = withoutSource(newPageWithoutBody(type, meta, index))
  const place = newPlace(progress, change, index)
  const naming = { slug: meta.slug, title: fields.title }
  const slug = type === 'group' ? newSlug(progress, place.parent, naming, index) : ''
  if (ref !== undefined) progress.refs.set(ref, id)
  return placed(progress, { ...fields, id, type, slug, createdAt: at, updatedAt: at }, place)
}

function updated(
  content: BatchContent,
  progress: Progress,
  change: ReadChange & { operation: 'update_page' },
  index: number,
  at: string,
): RevertedPages {
  const page = findPage(progress, change.page, index)
  const text = updatedPage(page, () => sourceIn(content, progress, page), change, index)
  if (change.body) noteReading(progress, page.id, change.body)
  const place = nextPlace(progress, page, change, index)
  const slug = nextSlug(progress, page, place, { given: change.meta.slug, title: text.title }, index)
  return placed(progress, { ...pageRecord(progress, page, text), slug, updatedAt: at }, place)
}

/** The slug that a change sets. Otherwise the page keeps its slug, unless a sibling at the new place has it. */
function nextSlug(
  progress: Progress,
  page: PageRecord,
  { parent }: PagePlace,
  { given, title }: { given: string | undefined; title: string },
  index: number,
): string {
  if (given !== undefined) return newSlug(progress, parent, { slug: given, title, self: page.id }, index)
  if (!hasPath(page) || parent === page.parent) return page.slug
  return uniqueSlug(page.slug, takenSlugs(progress.tree, parent, page.id))
}

function placed(
  progress: Progress,
  page: Omit<PageRecord, 'parent' | 'order'>,
  place: PagePlace,
): RevertedPages {
  const { parent, order, moved } = place
  // Siblings that make room get a new order key, which readers never see, so they do not count as touched.
  setPages(progress, new Map(moved.map((sibling) => [sibling.id, sibling])))
  return new Map([[page.id, { ...page, parent, order }]])
}

function reverted(
  content: BatchContent,
  progress: Progress,
  change: ReadChange & { operation: 'revert_page' },
  index: number,
  at: string,
): RevertedPages {
  const id = progress.refs.get(change.page) ?? change.page
  const base = baseOf(content, change, index)
  progress.problems.delete(id)
  if (change.blocks === undefined) return revertPage(progress.tree, base, id, index)

  const page = findPage(progress, change.page, index)
  const before = base.get(id)
  if (!before) refuseBatch(index, 'block', because('block-page-not-in-revision'))
  if (page.type !== 'document') refuseBatch(index, 'block', because('page-type-without', { type: page.type }))
  const source = sourceIn(content, progress, page)
  const revert = content.revertBlocks ?? revertBlocks
  const versions = { title: page.title, source, before: content.source(before.document) }
  const result = revert({ ...versions, keys: change.blocks })
  if ('missing' in result) {
    const key = change.blocks[result.missing]
    refuseBatch(index, `block.${result.missing}`, because('revert-block-unknown', { key: String(key) }))
  }
  if (result.problem !== undefined) refuseBatch(index, 'document', result.problem)
  const body = documentFields(progress, result.text)
  return new Map([[id, { ...page, ...body, updatedAt: at }]])
}

function baseOf(content: BatchContent, change: { revision?: string }, index: number): PageTree {
  const id = change.revision ?? content.base
  const tree = id === undefined ? undefined : content.revisions.get(id)
  if (tree) return tree
  return refuseBatch(
    index,
    'revision',
    id === undefined ? because('revision-not-named') : because('revision-unknown', { id }),
  )
}

function sourceIn(content: BatchContent, { documents }: Progress, { document }: PageRecord): string {
  return (document === undefined ? undefined : documents.get(document)) ?? content.source(document)
}

/** The fields of a page's record that its text holds, with the source added to the documents to store. */
function kept(progress: Progress, { source, ...fields }: PageText) {
  return { ...fields, ...documentFields(progress, source) }
}

function pageRecord(progress: Progress, page: PageRecord, text: PageText): PageRecord {
  const { id, type, parent, order, slug, file, computed, createdAt, updatedAt } = page
  const stays = { id, type, parent, order, slug, file, computed, createdAt, updatedAt }
  const fields = type === 'document' ? kept(progress, text) : withoutSource(text)
  return withoutUndefined({ ...stays, ...fields })
}

function withoutSource({ source: _source, ...fields }: PageText) {
  return fields
}

/** Undefined replaces the previous value; undefined fields are removed at the end. */
function documentFields(progress: Progress, source: string) {
  return { document: undefined, oid: undefined, ...storeSource(progress, source) }
}

/** Resolves the references of covers and link pages to ids, once all pages of the batch are known. Unchanged pages keep their record. */
function settle(content: BatchContent, progress: Progress, changes: readonly ReadChange[]): void {
  const before = content.tree
  const files = afterwards(content.files, progress.files)
  refuseUnknownCovers(changes, { before, after: progress.tree, refs: progress.refs, files })
  const reusables = afterwards(content.reusables, progress.reusables)
  const targets = pathTargets({ pages: progress.tree, files, reusables })
  for (const [id, page] of progress.pages) {
    if (!page) continue
    const ref = page.cover?.ref && resolveReference(page.cover.ref, page.file, targets)
    const refDark = page.cover?.refDark && resolveReference(page.cover.refDark, page.file, targets)
    const cover = page.cover && withoutUndefined({ ...page.cover, ref, refDark })
    const target = page.target && resolveReference(page.target, page.file, targets)
    const settled = withoutUndefined({ ...page, ...(cover && { cover }), ...(target && { target }) })
    const was = before.get(id)
    const same = was && jsonEqual({ ...was, updatedAt: '' }, { ...settled, updatedAt: '' })
    progress.pages.set(id, same ? was : settled)
  }
  const written = [...progress.pages.values(), ...progress.reusables.values()]
  const used = new Set(written.map((one) => one?.document))
  for (const hash of progress.documents.keys()) if (!used.has(hash)) progress.documents.delete(hash)
}

function afterwards<R>(
  before: ReadonlyMap<string, R>,
  changed: ReadonlyMap<string, R | null>,
): ReadonlyMap<string, R> {
  if (changed.size === 0) return before
  const after = new Map(before)
  for (const [id, record] of changed) {
    if (record) after.set(id, record)
    else after.delete(id)
  }
  return after
}

function outcomesOf(content: BatchContent, { touched, pages, refs }: Progress): PageOutcome[] {
  const names = new Map([...refs].map(([ref, id]) => [id, ref]))
  return [...touched.keys()].flatMap((id): PageOutcome[] => {
    const [was, is] = [content.tree.get(id), pages.get(id)]
    if (is && was) return [{ change: 'updated', page: id }]
    if (was) return [{ change: 'deleted', page: id }]
    if (!is) return []
    const ref = names.get(id)
    return [{ change: 'created', page: id, ...(ref === undefined ? {} : { ref }) }]
  })
}

function problemsOf({ pages, reusables, problems }: Progress): ReadingFault[] {
  return [...problems].flatMap(([id, found]): ReadingFault[] => {
    const item = pages.get(id) ?? reusables.get(id)
    if (!item) return []
    const place = pages.has(id) ? { page: id } : { reusableContent: id }
    return found.map((problem) => ({ ...place, title: item.title, ...problem }))
  })
}

function withoutUndefined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
