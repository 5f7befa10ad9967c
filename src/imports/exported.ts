/** The changes that a space takes over from its own export: the paths of its records, and relative addresses. */
import type { ContentChanges, Snapshot } from '../core/content/merge/model.ts'
import { isPathTaken } from '../core/content/repository-paths.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../core/content/revision.ts'

/**
 * A content whose records without a path have those that they got in an export.
 * @param ids the ids of records by path; those of other records are ignored
 */
export function withExportedPaths(content: Snapshot, ids: Readonly<Record<string, string>> = {}): Snapshot {
  const pages = new Map<string, PageRecord>()
  const files = new Map(content.files)
  const reusables = new Map(content.reusables)
  for (const [path, id] of Object.entries(ids)) {
    const [page, file, reusable] = [content.pages.get(id), files.get(id), reusables.get(id)]
    if (page?.type === 'document' && page.file === undefined) pages.set(id, { ...page, file: path })
    else if (file && file.path === undefined) files.set(id, { ...file, path })
    else if (reusable && reusable.path === undefined) reusables.set(id, { ...reusable, path })
  }
  return { ...content, pages: content.pages.apply(pages), files, reusables }
}

/**
 * The changes that give the records of a space the paths of its export, and the bodies that were printed there: they have
 * relative addresses instead of ids, and the front matter of fields. A body that somebody has changed since stays.
 * @param exported the revision that was exported
 * @param source how the source differs from it
 */
export function exportedChanges(
  current: Snapshot,
  exported: Snapshot,
  source: ContentChanges,
): Pick<ContentChanges, 'pages' | 'files' | 'reusables'> {
  const given = new Set<string>()
  const free = (path: string | undefined): path is string => {
    if (path === undefined || given.has(path) || isPathTaken(current, path)) return false
    given.add(path)
    return true
  }
  const pages = new Map<string, PageRecord>()
  for (const [id, after] of source.pages) {
    const [own, before] = [current.pages.get(id), exported.pages.get(id)]
    if (!own || !before || !after || own.type !== 'document') continue
    const placed = own.file === undefined && free(after.file) ? { ...own, file: after.file } : own
    // An address that is relative to a path means nothing without it.
    const isPlaced = placed.file === after.file
    const next = isPlaced && own.document === before.document ? withBody(placed, after) : placed
    if (next !== own) pages.set(id, next)
  }
  const files = new Map<string, FileRecord>()
  for (const [id, after] of source.files) {
    const own = current.files.get(id)
    if (own && own.path === undefined && after && free(after.path))
      files.set(id, { ...own, path: after.path })
  }
  const reusables = new Map<string, ReusableRecord>()
  for (const [id, after] of source.reusables) {
    const [own, before] = [current.reusables.get(id), exported.reusables.get(id)]
    if (!own || !before || !after) continue
    const placed = own.path === undefined && free(after.path) ? { ...own, path: after.path } : own
    const isPlaced = placed.path === after.path
    const next = isPlaced && own.document === before.document ? withBody(placed, after) : placed
    if (next !== own) reusables.set(id, next)
  }
  return { pages, files, reusables }
}

function withBody<R extends { document?: string; oid?: string }>(own: R, { document, oid }: R): R {
  if (own.document === document || document === undefined) return own
  return { ...own, document, ...(oid === undefined ? {} : { oid }) }
}
