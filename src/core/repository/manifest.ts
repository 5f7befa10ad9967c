/** What the command line adds to an archive that it makes of a folder or a git repository. */
import { isRecord } from '../is-record.ts'

/** The path of the manifest in the archive. It is no part of the content. */
export const MANIFEST_PATH = '.lectern/source.json'

/** When a file was created and last changed (ISO 8601 in UTC). */
export interface FileDates {
  createdAt: string
  updatedAt: string
}

const MOST_BYTES = 20_000_000
/** Git began in 2005, but its dates may be those of an older system. */
const EARLIEST = Date.UTC(1980, 0)

/** The manifest of an archive: the dates of files, in seconds since 1970. */
export function printManifest(
  dates: ReadonlyMap<string, readonly [created: number, updated: number]>,
): string {
  return JSON.stringify({ version: 1, dates: Object.fromEntries(dates) })
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
  const bytes = files.get(MANIFEST_PATH)
  const manifest = bytes && bytes.length <= MOST_BYTES ? parsed(bytes) : undefined
  if (!isRecord(manifest) || manifest.version !== 1 || !isRecord(manifest.dates)) return dates

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

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'))
  } catch {
    return undefined
  }
}
