import type { Blobs } from '../blobs/blobs.ts'
import { documentHash, gitObjectId } from '../core/content/hash.ts'
import { resolveReference } from '../core/content/links.ts'
import { displacedRecords, pathTargets } from '../core/content/paths.ts'
import { LONGEST_SLUG, uniquifier } from '../core/slug.ts'
import type { DocumentLinks } from '../core/document/links-in.ts'
import type { ContentRef } from '../core/document/model.ts'
import { spread } from '../core/content/tree/order.ts'
import { contentTypeFor } from '../core/repository/content-type.ts'
import type { ImportPlan, PlannedPage } from '../core/repository/model.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../core/content/revision.ts'
import type { PageTree } from '../core/content/tree/tree.ts'
import { checkTree, takenSlugs } from '../core/content/tree/rules.ts'
import type { Row, Tx } from '../db/schema.ts'
import { invalid } from '../http/errors.ts'
import { filesOf, pagesOf, reusablesOf } from '../model/content/content.ts'
import { type Changes, commitRevision, storeDocuments } from '../model/content/commit.ts'
import { seen, type StoredBytes, useBlobs } from '../model/content/stored-file.ts'
import type { PageReadout } from './read-archive.ts'

type Plan = ImportPlan<PageReadout>

/** A planned file whose bytes are stored. */
export interface StoredFile extends Omit<StoredBytes, 'shown'> {
  path: string
  name: string
  contentType: string
  oid: string
}

const AT_ONCE = 8

/** Stores the bytes of the planned files. If the import fails, a sweep removes those that nothing refers to. */
export async function storeFiles(blobs: Blobs, plan: Plan): Promise<StoredFile[]> {
  const stored: StoredFile[] = []
  const files = plan.files.entries()

  // Most of the time is spent waiting for the disk or the bucket, so several files are stored concurrently.
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

interface WriteContext {
  userId: string
  now: Date
  newId: () => string
  /** The change request to write to. If absent, the import writes to the primary content. */
  changeRequest?: Row<'changeRequest'>
}

/**
 * Writes an import as the revision after `parent`. Pages that an earlier import created from the same file are updated
 * and keep their id and position. New pages are added. Nothing is deleted.
 */
export async function writeImport(
  tx: Tx,
  parent: Row<'revision'>,
  { plan, files }: { plan: Plan; files: StoredFile[] },
  { userId, now, newId, changeRequest }: WriteContext,
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

  const before = { pages: tree, files: await filesOf(tx, parent), reusables: await reusablesOf(tx, parent) }
  const newFiles = recordFiles(files, before.files, at, newId)
  const reusables = recordReusables(plan, before.reusables, keep, newId)
  const pages = recordPages(plan, tree, keep, at, newId)
  const [fault] = checkTree(tree.apply(pages))
  if (fault) throw invalid(`The import is refused: ${fault.message}`)

  const displaced = displacedRecords(before, { pages, files: newFiles, reusables })
  const records = {
    pages: new Map([...pages, ...displaced.pages]),
    files: new Map([...newFiles, ...displaced.files]),
    reusables,
  }
  const changes: Changes = {
    ...records,
    pages: resolvePages(records.pages, {
      pages: tree.apply(records.pages),
      files: new Map([...before.files, ...records.files]),
      reusables: new Map([...before.reusables, ...reusables]),
    }),
    variables: { ...(JSON.parse(parent.variables) as object), ...plan.variables },
    redirects: { ...(JSON.parse(parent.redirects) as Record<string, string>), ...redirectsOf(plan) },
  }
  await storeDocuments(tx, spaceId, sources, links)
  await useBlobs(tx, spaceId, files)
  const reason = { id: newId(), type: 'edits', message: 'Import', userId, now, changeRequest } as const
  return commitRevision(tx, parent, changes, reason)
}

type Keep = (source: string, reading: PageReadout) => { document: string; oid: string }

function recordPages(
  plan: Plan,
  tree: PageTree,
  keep: Keep,
  at: string,
  newId: () => string,
): Map<string, PageRecord> {
  const records = new Map<string, PageRecord>()

  const place = (planned: PlannedPage<PageReadout>[], parent: string | null) => {
    const siblings = parent === null || tree.get(parent) ? tree.children(parent) : []
    const known = planned.map((page) => findKnown(page, tree, siblings))
    const fresh = known.filter((record) => !record).length
    const orders = spread(fresh, siblings.at(-1)?.order ?? null).values()
    const freeSlug = uniquifier(takenSlugs(tree, parent), { caseless: true, longest: LONGEST_SLUG })

    planned.forEach((page, i) => {
      const before = known[i]
      const stay = before ?? {
        id: newId(),
        parent,
        order: orders.next().value ?? '',
        slug: 'slug' in page ? freeSlug(page.slug) : '',
        createdAt: at,
      }
      records.set(stay.id, {
        ...describe(page, keep),
        id: stay.id,
        parent: stay.parent,
        order: stay.order,
        slug: stay.slug,
        ...(before?.file === undefined ? {} : { file: before.file }),
        createdAt: stay.createdAt,
        updatedAt: at,
      })
      if ('children' in page) place(page.children, stay.id)
    })
  }
  place(plan.pages, null)
  return records
}

/** Finds the page that an earlier import created from the same file or the same line of the table of contents. */
function findKnown(page: PlannedPage<PageReadout>, tree: PageTree, siblings: readonly PageRecord[]) {
  if (page.kind === 'document' && page.file !== undefined) return tree.byFile(page.file)
  return siblings.find(({ type, title, slug }) =>
    type === page.kind && 'slug' in page ? slug === page.slug : title === page.title,
  )
}

type Description = Omit<PageRecord, 'id' | 'parent' | 'order' | 'slug' | 'createdAt' | 'updatedAt'>

function describe(page: PlannedPage<PageReadout>, keep: Keep): Description {
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
): Map<string, FileRecord> {
  const known = new Map([...before.values()].map((file) => [file.path, file]))
  return new Map(
    files.map((file) => {
      const { id, createdAt } = known.get(file.path) ?? { id: newId(), createdAt: at }
      return [id, { ...file, id, createdAt }]
    }),
  )
}

function recordReusables(
  plan: Plan,
  before: ReadonlyMap<string, ReusableRecord>,
  keep: Keep,
  newId: () => string,
): Map<string, ReusableRecord> {
  const known = new Map([...before.values()].map((reusable) => [reusable.path, reusable]))
  return new Map(
    plan.reusableContents.map(({ path, title, source, reading }) => {
      const id = known.get(path)?.id ?? newId()
      return [id, { id, title, path, ...(source === '' ? {} : keep(source, reading)) }]
    }),
  )
}

/** Covers and link pages store the ids of their targets. Bodies keep their source and are resolved when read. */
function resolvePages(
  pages: Map<string, PageRecord>,
  after: Parameters<typeof pathTargets>[0],
): Map<string, PageRecord> {
  const targets = pathTargets(after)
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

/** Maps each old path to its target: a file of the repository, or a URL. */
function redirectsOf(plan: Plan): Record<string, string> {
  return Object.fromEntries(
    plan.redirects.map(({ from, target }) => [from, 'url' in target ? target.url : target.file]),
  )
}
