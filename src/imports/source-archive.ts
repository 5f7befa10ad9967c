/** The archives that spaces were made equal to: a sync with the same one need not read it again. */
import { createHash } from 'node:crypto'
import { archiveLimits } from '../core/repository/archive-limits.ts'
import { VERSION } from '../core/runtime/version.ts'
import type { SourceArchive } from '../model/proposals/space-source.ts'
import type { FetchedArchive } from './fetch.ts'
import type { SourceReport } from './prepare-import.ts'

/** How an archive is read. */
interface Reading {
  source: string
  root?: string
}

/** The longest report that is remembered with an archive, in characters. The archive of a longer one is read again. */
const LONGEST_REPORT = 1_000_000

/** An archive that was read, as it is remembered; undefined if it is read again anyway. */
export function rememberedArchive(
  archive: FetchedArchive,
  body: Reading,
  report: SourceReport,
): SourceArchive | undefined {
  const key = archiveKey(archive, body)
  const json = JSON.stringify(report)
  return key === undefined || json.length > LONGEST_REPORT ? undefined : { key, report: json }
}

/** Identifies an archive and all that the result of reading it depends on; undefined if its bytes have no hash. */
export function archiveKey(
  { hash, name, isRepository = false }: FetchedArchive,
  { source, root }: Reading,
): string | undefined {
  if (hash === undefined) return undefined
  // Another version of the program may convert the same files in another way, and other limits may refuse them.
  const parts = [VERSION, hash, name, isRepository, source, root ?? null, archiveLimits()]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
