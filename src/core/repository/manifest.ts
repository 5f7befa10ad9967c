/** The manifest that an archive of a folder, a repository or a space has in addition to its files. */
import { isRecord } from '../data/is-record.ts'

/** The path of the manifest in the archive. It is no part of the content. */
export const MANIFEST_PATH = '.lectern/source.json'

/** The path in an archive at which a text names the files that are left out. It is no part of the content. */
export const MISSING_FILES_PATH = '.lectern/missing-files.txt'

/** When a file was created and last changed (ISO 8601 in UTC). */
export interface FileDates {
  createdAt: string
  updatedAt: string
}

const MOST_BYTES = 20_000_000
/** Git began in 2005, but its dates may be those of an older system. */
const EARLIEST = Date.UTC(1980, 0)

/** The data about a space in an archive that was exported from it. */
export interface ExportedFrom {
  /** The revision. */
  revision: string
  /** The ids of the pages, files and reusable contents that have no path in the space, by their paths in the archive. */
  ids: Readonly<Record<string, string>>
  /** The paths that the source of the last sync had. Those that the archive has not were deleted in the space. */
  known: readonly string[]
}

/** The manifest of an archive: the dates of files, in seconds since 1970, and the space that it was exported from. */
export function printManifest(
  dates: ReadonlyMap<string, readonly [created: number, updated: number]>,
  from?: ExportedFrom,
): string {
  return JSON.stringify({ version: 1, dates: Object.fromEntries(dates), ...(from ? { from } : {}) })
}

/** Reads the manifest of an archive for the data about the space that the archive was exported from. */
export function readExportedFrom(files: ReadonlyMap<string, Uint8Array>): ExportedFrom | undefined {
  const from = manifestIn(files)?.from
  if (!isRecord(from) || typeof from.revision !== 'string' || !isRecord(from.ids)) return undefined
  const known: unknown[] = Array.isArray(from.known) ? from.known : []
  const ids = Object.entries(from.ids).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return {
    revision: from.revision,
    ids: Object.fromEntries(ids.map(([path, id]) => [path.normalize('NFC'), id])),
    known: known.filter((path) => typeof path === 'string'),
  }
}

/**
 * Reads the dates of files from the manifest of an archive. Dates that are invalid, later than now or before 1980 are left
 * out, and so is a whole manifest that cannot be read: the content does not depend on it.
 */
export function readManifest(
  files: ReadonlyMap<string, Uint8Array>,
  now = Date.now(),
): ReadonlyMap<string, FileDates> {
  const dates = new Map<string, FileDates>()
  const manifest = manifestIn(files)
  if (!isRecord(manifest?.dates)) return dates

  for (const [path, pair] of Object.entries(manifest.dates)) {
    if (!Array.isArray(pair)) continue
    const [created, updated] = pair.map((seconds) => (typeof seconds === 'number' ? seconds * 1000 : NaN))
    if (created === undefined || updated === undefined) continue
    if (!(created >= EARLIEST && created <= updated && updated <= now)) continue
    dates.set(path.normalize('NFC'), {
      createdAt: new Date(created).toISOString(),
      updatedAt: new Date(updated).toISOString(),
    })
  }
  return dates
}

function manifestIn(files: ReadonlyMap<string, Uint8Array>): Record<string, unknown> | undefined {
  const bytes = files.get(MANIFEST_PATH)
  const manifest = bytes && bytes.length <= MOST_BYTES ? parsed(bytes) : undefined
  return isRecord(manifest) && manifest.version === 1 ? manifest : undefined
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'))
  } catch {
    return undefined
  }
}
