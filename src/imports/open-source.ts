import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { because } from '../core/languages/reasons.ts'
import { ImportRefused } from '../core/repository/refused.ts'
import type { SourceFiles } from '../core/sources/converted.ts'
import type { ImportSource } from '../core/sources/convert.ts'
import type { ArchiveLimits } from '../core/repository/archive-limits.ts'
import { readArchive } from './archive.ts'

/** The extension of a single file, for sources that may be one. */
const SINGLE: Partial<Record<ImportSource, { extension: string; known: RegExp }>> = {
  markdown: { extension: '.md', known: /\.(?:md|markdown)$/i },
  html: { extension: '.html', known: /\.x?html?$/i },
  'google-docs': { extension: '.html', known: /\.x?html?$/i },
}

/**
 * Opens the file of an import: an archive, a single page, or the folder of a website that was crawled.
 * @throws ImportRefused if an archive is refused
 */
export async function openSource(
  { source, name, path }: { source: ImportSource; name: string; path: string },
  limits: ArchiveLimits,
): Promise<SourceFiles> {
  if (source === 'website') return readCrawl(path)
  if (await beginsWith(path, '%PDF-')) throw new ImportRefused(because('import-of-pdf'))
  const single = SINGLE[source]
  if (!single || (await beginsWith(path, 'PK\u0003\u0004'))) {
    const files = await readArchive(path, limits)
    return source === 'notion' || source === 'zip' ? withParts(files, limits) : files
  }
  const named = single.known.test(name) ? name : `${name}${single.extension}`
  return new Map([[named, await readFile(path)]])
}

async function readCrawl(folder: string): Promise<SourceFiles> {
  const files = new Map<string, Uint8Array>()
  for (const name of await readdir(folder)) files.set(name, await readFile(join(folder, name)))
  return files
}

/** Large exports are archives of archives. The limits are those of one archive. */
async function withParts(files: SourceFiles, most: ArchiveLimits): Promise<SourceFiles> {
  if (![...files.keys()].every((path) => path.endsWith('.zip'))) return files
  const all = new Map<string, Uint8Array>()
  let left = most.bytes
  for (const part of files.values()) {
    const limits = { ...most, bytes: left, entries: most.entries - all.size }
    for (const [path, bytes] of await readArchive(part, limits)) {
      all.set(path, bytes)
      left -= bytes.length
    }
  }
  return all
}

/** True for a file that begins as files of a format do. */
async function beginsWith(path: string, signature: string): Promise<boolean> {
  await using file = await open(path)
  const start = Buffer.alloc(signature.length)
  await file.read(start, 0, signature.length, 0)
  return start.toString('latin1') === signature
}
