import type { Blobs } from '../blobs/blobs.ts'
import { documentHash, gitObjectId } from '../core/hash.ts'
import { resolveReference, type Targets } from '../core/links.ts'
import type { DocumentLinks } from '../core/document/links-in.ts'
import type { ContentRef } from '../core/document/model.ts'
import { spread } from '../core/order.ts'
import { contentTypeFor } from '../core/repository/content-type.ts'
import type { ImportPlan, PlannedPage } from '../core/repository/model.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../core/revision.ts'
import type { PageTree } from '../core/tree.ts'
import { checkTree, GENERATED, uniqueSlug } from '../core/tree-rules.ts'
import type { Row, Tx } from '../db/schema.ts'
import { invalid } from '../http/errors.ts'
import { filesOf, pagesOf, reusablesOf } from '../model/content.ts'
import { type Changes, commitRevision, storeDocuments } from '../model/revision.ts'
import { seen, type StoredBytes, useBlobs } from '../model/stored-file.ts'
import type { Reading } from './worker.ts'

type Plan = ImportPlan<Reading>

/** A planned file whose bytes are stored. */
export interface StoredFile extends Omit<StoredBytes, 'shown'> {
  path: string
  name: string
  contentType: string
  oid: string
}

const AT_ONCE = 8

/** Stores the bytes of the planned files. What a refused import stored is not used by anything. */
export async function storeFiles(blobs: Blobs, plan: Plan): Promise<StoredFile[]> {
  const stored: StoredFile[] = []
  const files = plan.files.entries()

  // Most of the time goes by waiting for the disk or the bucket, so several are on their way.
  async function storeNext(): Promise<void> {
    for (const [place, { path, name, contentType: declared, bytes }] of files) {
      const { hash, size } = await blobs.put(bytes)
      const { shown, ...measures } = seen(bytes)
      const contentType = contentTypeFor(name, { declared, shown })
      stored[place] = { path, name, contentType, size, hash, oid: gitObjectId(bytes), ...measures }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, storeNext))
  return stored
}

interface Circumstances {
  userId: string
  now: Date
  newId: () => string
  /** The change request that it is written into; absent: the primary content. */
  changeRequest?: Row<'changeRequest'>
}

/**
 * Writes an import as the revision that follows `parent`. What was imported before from the same file is updated and
 * keeps its id and its place; what is new is added; nothing is taken away.
 */
export async function writeImport(
  tx: Tx,
  parent: Row<'revision'>,
  { plan, files }: { plan: Plan; files: StoredFile[] },
  { userId, now, newId, changeRequest }: Circumstances,
): Promise<Row<'revision'>> {
  const { spaceId } = parent
  const at = now.toISOString()
  const tree = await pagesOf(tx, parent)
  const sources = new Map<string, string>()
  const links = new Map<string, DocumentLinks>()
  const keep: Keep = (source, reading) => {
    const hash = documentHash(source)
    sources.set(hash, source)
    links.set(hash, reading.links)
    return { document: hash, oid: gitObjectId(Buffer.from(source)) }
  }

  const newFiles = recordFiles(files, await filesOf(tx, parent), at, newId)
  const newReusables = recordReusables(plan, await reusablesOf(tx, parent), keep, newId)
  const pages = recordPages(plan, tree, keep, at, newId)
  const [fault] = checkTree(tree.apply(pages))
  if (fault) throw invalid(`The import is refused: ${fault.message}`)

  const changes: Changes = {
    pages: resolvePages(pages, tree, newFiles, newReusables),
    files: new Map(newFiles.map((file) => [file.id, file])),
    reusables: new Map(newReusables.map((reusable) => [reusable.id, reusable])),
    variables: { ...(JSON.parse(parent.variables) as object), ...plan.variables },
    redirects: { ...(JSON.parse(parent.redirects) as Record<string, string>), ...redirectsOf(plan) },
  }
  await storeDocuments(tx, spaceId, sources, links)
  await useBlobs(tx, spaceId, files)
  const reason = { id: newId(), type: 'edits', message: 'Import', userId, now, changeRequest } as const
  return commitRevision(tx, parent, changes, reason)
}

type Keep = (source: string, reading: Reading) => { document: string; oid: string }

function recordPages(
  plan: Plan,
  tree: PageTree,
  keep: Keep,
  at: string,
  newId: () => string,
): Map<string, PageRecord> {
  const records = new Map<string, PageRecord>()

  const place = (planned: PlannedPage<Reading>[], parent: string | null) => {
    const siblings = parent === null || tree.get(parent) ? tree.children(parent) : []
    const known = planned.map((page) => findKnown(page, tree, siblings))
    const fresh = known.filter((record) => !record).length
    const orders = spread(fresh, siblings.at(-1)?.order ?? null).values()
    const taken = new Set([...siblings.map(({ slug }) => slug), ...(parent === null ? GENERATED : [])])

    planned.forEach((page, i) => {
      const before = known[i]
      const stay = before ?? {
        id: newId(),
        parent,
        order: orders.next().value ?? '',
        slug: 'slug' in page ? uniqueSlug(page.slug, taken) : '',
        createdAt: at,
      }
      taken.add(stay.slug)
      records.set(stay.id, {
        ...describe(page, keep),
        id: stay.id,
        parent: stay.parent,
        order: stay.order,
        slug: stay.slug,
        createdAt: stay.createdAt,
        updatedAt: at,
      })
      if ('children' in page) place(page.children, stay.id)
    })
  }
  place(plan.pages, null)
  return records
}

/** The page that an earlier import made from the same file, or the same line of the table of contents. */
function findKnown(page: PlannedPage<Reading>, tree: PageTree, siblings: readonly PageRecord[]) {
  if (page.kind === 'document' && page.file !== undefined) return tree.byFile(page.file)
  return siblings.find(({ type, title, slug }) =>
    type === page.kind && 'slug' in page ? slug === page.slug : title === page.title,
  )
}

type Description = Omit<PageRecord, 'id' | 'parent' | 'order' | 'slug' | 'createdAt' | 'updatedAt'>

function describe(page: PlannedPage<Reading>, keep: Keep): Description {
  const { title } = page
  if (page.kind === 'group') return { type: 'group', title }
  if (page.kind === 'link')
    return { type: 'link', title, target: { kind: 'url', url: addressOf(page.target) } }
  if (page.kind === 'computed') {
    return { type: 'computed', title, computed: page.computed as PageRecord['computed'] & object }
  }
  const { title: _title, ...meta } = page.reading.meta
  const { linkTitle, file, source } = page
  return {
    type: 'document',
    title,
    ...meta,
    ...(linkTitle === undefined ? {} : { linkTitle }),
    ...(file === undefined ? {} : { file }),
    ...(source === '' ? {} : keep(source, page.reading)),
  }
}

const addressOf = (target: { url: string } | { file: string; anchor?: string }) =>
  'url' in target ? target.url : `/${target.file}${target.anchor ? `#${target.anchor}` : ''}`

function recordFiles(
  files: StoredFile[],
  before: ReadonlyMap<string, FileRecord>,
  at: string,
  newId: () => string,
): FileRecord[] {
  const known = new Map([...before.values()].map((file) => [file.path, file]))
  return files.map((file) => {
    const { id, createdAt } = known.get(file.path) ?? { id: newId(), createdAt: at }
    return { ...file, id, createdAt }
  })
}

function recordReusables(
  plan: Plan,
  before: ReadonlyMap<string, ReusableRecord>,
  keep: Keep,
  newId: () => string,
): ReusableRecord[] {
  const known = new Map([...before.values()].map((reusable) => [reusable.path, reusable]))
  return plan.reusableContents.map(({ path, title, source, reading }) => ({
    id: known.get(path)?.id ?? newId(),
    title,
    path,
    ...(source === '' ? {} : keep(source, reading)),
  }))
}

/** Covers and link pages hold what they point at by id; the bodies keep their source and are resolved when read. */
function resolvePages(
  pages: Map<string, PageRecord>,
  tree: PageTree,
  files: FileRecord[],
  reusables: ReusableRecord[],
): Map<string, PageRecord> {
  const after = tree.apply(pages)
  const fileIds = new Map(files.map(({ path, id }) => [path, id]))
  const reusableIds = new Map(reusables.map(({ path, id }) => [path, id]))
  const targets: Targets = {
    pageByFile: (path) => after.byFile(path)?.id,
    pageByPath: (path) => after.byPath(path)?.id,
    fileByPath: (path) => fileIds.get(path),
    reusableByPath: (path) => reusableIds.get(path),
  }
  const resolved = (ref: ContentRef | undefined, from?: string) => ref && resolveReference(ref, from, targets)

  return new Map(
    [...pages].map(([id, page]) => {
      const { cover, target, file } = page
      if (target) return [id, { ...page, target: resolved(target) ?? target }]
      if (!cover) return [id, page]
      const refs = { ref: resolved(cover.ref, file), refDark: resolved(cover.refDark, file) }
      return [id, { ...page, cover: { ...cover, ...refs } }]
    }),
  )
}

/** Old path to where it leads now: a file of the repository, or an address. */
function redirectsOf(plan: Plan): Record<string, string> {
  return Object.fromEntries(
    plan.redirects.map(({ from, target }) => [from, 'url' in target ? target.url : target.file]),
  )
}
