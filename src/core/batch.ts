/** A batch of changes to content, decided as a whole: what becomes of the records, or which change is refused and why. */
import { checkBatch, newFile, newPlace, newSlug, nextPlace, type Place, takenSlugs } from './batch-place.ts'
import { type PageText, retold, written } from './batch-page.ts'
import { needPage, type Progress, setPages } from './batch-progress.ts'
import type { ReadChange } from './batch-read.ts'
import { refuse } from './batch-refused.ts'
import { type Changed, removed, revertBlocks, revertPage } from './batch-revert.ts'
import { documentHash, gitObjectId } from './hash.ts'
import { resolveReference, type Targets } from './links.ts'
import { type FileRecord, hasPath, type PageRecord } from './revision.ts'
import type { PageTree } from './tree.ts'
import { uniqueSlug } from './tree-rules.ts'

/** What a batch is applied to. */
export interface BatchContent {
  tree: PageTree
  /** The text of a document by its hash: of every page that a change names, in the content and where it is reverted to. */
  source(hash: string | undefined): string
  /** The page trees that are reverted to, by revision. */
  revisions: ReadonlyMap<string, PageTree>
  /** What `revert_page` goes back to unless it says; absent where it has to say. */
  base: string | undefined
  /** Files and reusable contents by their path, as `links.ts` finds them. */
  files: Pick<Targets, 'fileByPath' | 'reusableByPath'>
}

/** What became of one page. */
export type PageOutcome = { change: 'created' | 'updated' | 'deleted'; page: string; ref?: string }

export interface BatchOutcome {
  /** Records to set, or to remove where null. */
  pages: Map<string, PageRecord | null>
  files: Map<string, FileRecord>
  /** New documents by their hash. */
  documents: Map<string, string>
  /** One for each page that is there before or after, in the order in which the changes came to them. */
  outcomes: PageOutcome[]
}

/** Applies changes in order, all or none. @throws BatchRefused */
export function applyBatch(content: BatchContent, changes: readonly ReadChange[], now: Date): BatchOutcome {
  const at = now.toISOString()
  const progress: Progress = {
    tree: content.tree,
    pages: new Map(),
    touched: new Map(),
    documents: new Map(),
    refs: new Map(),
  }
  const files = new Map<string, FileRecord>()
  changes.forEach((change, index) => {
    if (change.operation === 'insert_files')
      for (const file of change.files) files.set(file.id, { ...file, createdAt: at })
    else applyChange(content, progress, change, index, at)
  })

  checkBatch(progress)
  settle(content, progress)
  return {
    pages: progress.pages,
    files,
    documents: progress.documents,
    outcomes: outcomesOf(content, progress),
  }
}

type PageChange = Exclude<ReadChange, { operation: 'insert_files' }>

function applyChange(
  content: BatchContent,
  progress: Progress,
  change: PageChange,
  index: number,
  at: string,
): void {
  const put = (pages: Changed) => setPages(progress, pages, index)
  switch (change.operation) {
    case 'insert_page':
      return put(inserted(progress, change, index, at))
    case 'update_page':
      return put(updated(content, progress, change, index, at))
    case 'delete_page':
      return put(removed(progress.tree, needPage(progress, change.page, index).id))
    case 'revert_page':
      return put(reverted(content, progress, change, index, at))
  }
}

function inserted(
  progress: Progress,
  change: ReadChange & { operation: 'insert_page' },
  index: number,
  at: string,
): Changed {
  const { id, ref, meta, body } = change
  const text = written({ title: 'Untitled' }, body, meta)
  const place = newPlace(progress, change, index)
  const slug = newSlug(progress, place.parent, { slug: meta.slug, title: text.title }, index)
  const file = newFile(progress.tree, place.parent, slug)
  const fresh = { id, type: 'document' as const, slug, file, createdAt: at, updatedAt: at }
  if (ref !== undefined) progress.refs.set(ref, id)
  return placed(progress, { ...kept(progress, text), ...fresh }, place)
}

function updated(
  content: BatchContent,
  progress: Progress,
  change: ReadChange & { operation: 'update_page' },
  index: number,
  at: string,
): Changed {
  const page = needPage(progress, change.page, index)
  const text = retold(page, () => sourceIn(content, progress, page), change, index)
  const place = nextPlace(progress, page, change, index)
  const slug = nextSlug(progress, page, place, { given: change.meta.slug, title: text.title }, index)
  return placed(progress, { ...recordOf(progress, page, text), slug, updatedAt: at }, place)
}

/** The slug that a change gives; else the one that the page has, unless it comes to where another has it. */
function nextSlug(
  progress: Progress,
  page: PageRecord,
  { parent }: Place,
  { given, title }: { given: string | undefined; title: string },
  index: number,
): string {
  if (given !== undefined) return newSlug(progress, parent, { slug: given, title, self: page.id }, index)
  if (!hasPath(page) || parent === page.parent) return page.slug
  return uniqueSlug(page.slug, takenSlugs(progress.tree, parent, page.id))
}

function placed(progress: Progress, page: Omit<PageRecord, 'parent' | 'order'>, place: Place): Changed {
  const { parent, order, moved } = place
  // Siblings that make room are not touched: nothing of theirs changes that anyone sees.
  setPages(progress, new Map(moved.map((sibling) => [sibling.id, sibling])))
  return new Map([[page.id, { ...page, parent, order }]])
}

function reverted(
  content: BatchContent,
  progress: Progress,
  change: ReadChange & { operation: 'revert_page' },
  index: number,
  at: string,
): Changed {
  const id = progress.refs.get(change.page) ?? change.page
  const base = baseOf(content, change, index)
  if (change.blocks === undefined) return revertPage(progress.tree, base, id, index)

  const page = needPage(progress, change.page, index)
  const before = base.get(id)
  if (!before)
    refuse(index, 'block', 'the revision does not have this page; leave "block" out to take it away')
  if (page.type !== 'document') refuse(index, 'block', `a ${page.type} page has none`)
  const source = sourceIn(content, progress, page)
  const after = revertBlocks(source, content.source(before.document), change.blocks, index)
  return new Map([[id, { ...page, ...documentOf(progress, after), updatedAt: at }]])
}

function baseOf(content: BatchContent, change: { revision?: string }, index: number): PageTree {
  const id = change.revision ?? content.base
  const tree = id === undefined ? undefined : content.revisions.get(id)
  if (tree) return tree
  return refuse(
    index,
    'revision',
    id === undefined
      ? 'must name the revision to go back to: only a change request has one that it began with'
      : 'must be a revision of this space',
  )
}

function sourceIn(content: BatchContent, { documents }: Progress, { document }: PageRecord): string {
  return (document === undefined ? undefined : documents.get(document)) ?? content.source(document)
}

/** What of a page's record its text says, with the text put aside to be stored. */
function kept(progress: Progress, { source, ...fields }: PageText) {
  return { ...fields, ...documentOf(progress, source) }
}

function recordOf(progress: Progress, page: PageRecord, text: PageText): PageRecord {
  const { id, type, parent, order, slug, linkTitle, file, target, computed, createdAt, updatedAt } = page
  const stays = { id, type, parent, order, slug, linkTitle, file, target, computed, createdAt, updatedAt }
  const said = type === 'document' ? kept(progress, text) : withoutSource(text)
  return withoutUndefined({ ...stays, ...said })
}

function withoutSource({ source: _source, ...fields }: PageText) {
  return fields
}

/** Undefined takes the place of what was there before; what is undefined is left out in the end. */
function documentOf(progress: Progress, source: string) {
  if (source === '') return { document: undefined, oid: undefined }
  const document = documentHash(source)
  progress.documents.set(document, source)
  return { document, oid: gitObjectId(new TextEncoder().encode(source)) }
}

/** Covers hold what they show by id, so they are resolved where the whole batch is known; what is as it was stays so. */
function settle({ tree: before, files }: BatchContent, progress: Progress): void {
  const { tree } = progress
  const targets: Targets = {
    ...files,
    pageByFile: (file) => tree.byFile(file)?.id,
    pageByPath: (path) => tree.byPath(path)?.id,
  }
  for (const [id, page] of progress.pages) {
    if (!page) continue
    const ref = page.cover?.ref && resolveReference(page.cover.ref, page.file, targets)
    const refDark = page.cover?.refDark && resolveReference(page.cover.refDark, page.file, targets)
    const cover = page.cover && withoutUndefined({ ...page.cover, ref, refDark })
    const settled = withoutUndefined(cover ? { ...page, cover } : page)
    const was = before.get(id)
    const same = was && isSame({ ...was, updatedAt: '' }, { ...settled, updatedAt: '' })
    progress.pages.set(id, same ? was : settled)
  }
  const used = new Set([...progress.pages.values()].map((page) => page?.document))
  for (const hash of progress.documents.keys()) if (!used.has(hash)) progress.documents.delete(hash)
}

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => isSame((a as Fields)[key], (b as Fields)[key]))
}

type Fields = Record<string, unknown>

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

function withoutUndefined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
