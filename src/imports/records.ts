/** Recognizes what an import brings: files and reusable contents by their paths, lines of a table of contents by their text. */
import type { FileRecord, ReusableRecord } from '../core/content/revision.ts'
import type { ImportOutline, StoredFile } from './plan-outline.ts'

/** The time of new records, and their ids. */
interface NewRecords {
  at: string
  newId: () => string
}

/** The records of files. Those of a known path keep their ids. @param known the records of contents, the first ones first */
export function recordFiles(
  files: readonly StoredFile[],
  known: readonly ReadonlyMap<string, FileRecord>[],
  { at, newId }: NewRecords,
): Map<string, FileRecord> {
  const find = finderByPath(known)
  return new Map(
    files.map((file) => {
      const { id, createdAt } = find(file.path) ?? { id: newId(), createdAt: at }
      return [id, { ...file, id, createdAt }]
    }),
  )
}

/** The records of reusable contents. Those of a known path keep their ids. */
export function recordReusables(
  { reusables }: ImportOutline,
  known: readonly ReadonlyMap<string, ReusableRecord>[],
  { newId }: NewRecords,
): Map<string, ReusableRecord> {
  const find = finderByPath(known)
  return new Map(
    reusables.map((reusable) => {
      const id = find(reusable.path)?.id ?? newId()
      return [id, { id, ...reusable }]
    }),
  )
}

function finderByPath<R extends { path?: string }>(known: readonly ReadonlyMap<string, R>[]) {
  const byPath = new Map<string | undefined, R>()
  // The first content comes last, so that its records are the ones that are found.
  for (const records of known.toReversed())
    for (const record of records.values()) byPath.set(record.path, record)
  return (path: string) => byPath.get(path)
}

/** By what a page without a file is recognized: its line in the table of contents. */
export function lineKey(type: string, slug: string, title: string): string {
  return `${type} ${slug === '' ? title : slug}`
}
