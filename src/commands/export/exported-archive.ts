/** The archive of a space that a server exports. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type ExportedFrom,
  MANIFEST_PATH,
  MISSING_FILES_PATH,
  readExportedFrom,
} from '../../core/repository/manifest.ts'
import { readArchive } from '../../imports/archive.ts'
import type { Call } from '../client.ts'
import { printError } from '../print.ts'
import { UsageError } from '../usage.ts'

/** Where the settings of the repository are; see `RepositoryLayout`. */
type Layout = Partial<Record<'folder' | 'root' | 'summary', string>>

/** Asks the server for the archive of a space. */
export async function exportedArchive(
  call: Call,
  space: string,
  layout: Layout,
): Promise<{ url: string; revision: string; missingFiles?: string[] }> {
  const query = new URLSearchParams(Object.entries(layout))
  const made = await call('GET', `/spaces/${encodeURIComponent(space)}/content/export?${query.toString()}`)
  return made as unknown as { url: string; revision: string; missingFiles?: string[] }
}

/** The server checks its own, lower limits when it imports the archive. */
const LIMITS = { entries: 60_000, bytes: 3 * 1024 ** 3, fileBytes: 1024 ** 3, ratio: 100_000 }

/** The files of the archive of a space, and what it says about the space. */
export async function readExported(
  call: Call,
  space: string,
  layout: Layout,
): Promise<{ files: Map<string, Uint8Array>; from: ExportedFrom }> {
  const { url, missingFiles } = await exportedArchive(call, space, layout)
  printMissing(missingFiles)
  const folder = await mkdtemp(join(tmpdir(), 'lectern-export-'))
  try {
    const file = join(folder, 'space.zip')
    await saveDownload(await call.reachable(url), file)
    const files = new Map<string, Uint8Array>(await readArchive(file, LIMITS))
    const from = readExportedFrom(files)
    if (!from)
      throw new UsageError('The server returned an archive that does not say what it was exported from')
    files.delete(MANIFEST_PATH)
    files.delete(MISSING_FILES_PATH)
    return { files, from }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Names the files that are not in an archive. An earlier server returns no list. */
export function printMissing(missing: readonly string[] = []): void {
  for (const path of missing)
    printError(`${path} is left out: the server has lost its bytes. Restore them from a backup of the server`)
}

/** Saves what a signed address serves. */
export async function saveDownload(url: string, file: string): Promise<void> {
  const response = await fetch(url)
  if (!response.ok || !response.body)
    throw new UsageError(`The file cannot be downloaded: ${response.status}`)
  await pipeline(Readable.fromWeb(response.body), createWriteStream(file))
}
