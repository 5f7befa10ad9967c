/** Packs the files of a folder or a repository as an archive to import. */
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { archived, zipWriter } from '../../core/zip/zip.ts'
import { type ExportedFrom, MANIFEST_PATH, printManifest } from '../../core/repository/manifest.ts'
import { because } from '../../core/languages/reasons.ts'
import type { Problem } from '../../core/repository/model.ts'
import { git } from './git.ts'
import { datesOf, filesAt, readBlobs } from './repository.ts'
import { UsageError } from '../usage.ts'

/** An archive in this format has no more files. The server checks its own, lower limits. */
const MOST_FILES = 60_000
const MOST_BYTES = 3 * 1024 ** 3

/** The times of the first and last change of files, by path, in seconds. */
type Dates = ReadonlyMap<string, readonly [created: number, updated: number]>

/** A file that is being packed. */
interface Packing extends AsyncDisposable {
  add(path: string, bytes: Uint8Array): Promise<void>
  end(dates: Dates, from?: ExportedFrom): Promise<void>
}

async function packTo(file: string): Promise<Packing> {
  const handle = await open(file, 'w')
  const zip = zipWriter(new Date(0).toISOString())
  const write = async (parts: Uint8Array[]) => {
    for (const part of parts) await handle.write(part)
  }
  return {
    add: (path, bytes) => write(zip.add(path, archived(bytes))),
    async end(dates, from) {
      await write(zip.add(MANIFEST_PATH, archived(printManifest(dates, from))))
      await write(zip.end())
    },
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

/** Packs the files of a commit, below a folder or all. @param from what it was exported from @returns what is not packed */
export async function packCommit(
  repository: string,
  oid: string,
  path: string,
  file: string,
  isDated: boolean,
  from?: ExportedFrom,
): Promise<Problem[]> {
  const { files, others } = await filesAt(repository, oid, path)
  checkSize(
    files.length,
    files.reduce((sum, { size }) => sum + size, 0),
  )
  await using packing = await packTo(file)
  await readBlobs(
    repository,
    files.map((one) => one.oid),
    (bytes, nth) => packing.add(files[nth]!.path, bytes),
  )
  await packing.end(isDated ? await datesOf(repository, oid, path) : new Map(), from)
  return others.map((other) => ({ path: other, ...because('link-skipped') }))
}

/** Packs the files of a folder, with their dates if it is in a git repository. @returns what is not packed */
export async function packFolder(folder: string, file: string, isDated: boolean): Promise<Problem[]> {
  const { paths, others, bytes } = await filesIn(folder)
  checkSize(paths.length, bytes)
  await using packing = await packTo(file)
  for (const path of paths) await packing.add(path, await readFile(join(folder, path)))
  await packing.end(isDated ? await datesInFolder(folder) : new Map())
  return others.map((other) => ({ path: other, ...because('special-file-skipped') }))
}

/** Folders whose files are never documentation. */
const LEFT_OUT = new Set(['.git', 'node_modules', '__MACOSX'])

async function filesIn(folder: string) {
  const found = { paths: [] as string[], others: [] as string[], bytes: 0 }
  const waiting = [folder]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = await readdir(at, { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const full = join(at, entry.name)
      const path = relative(folder, full).split(sep).join('/')
      if (LEFT_OUT.has(entry.name)) continue
      if (entry.isDirectory()) waiting.push(full)
      else if (!entry.isFile()) found.others.push(path)
      else if (found.paths.push(path) <= MOST_FILES) found.bytes += (await stat(full)).size
    }
  }
  found.paths.sort()
  return found
}

/** Files that changed since the last commit have the date of that commit: it is the last that is known. */
async function datesInFolder(folder: string): Promise<Dates> {
  try {
    const top = (await git(['rev-parse', '--show-toplevel'], { in: folder })).trim()
    const path = relative(await realpath(top), await realpath(folder))
      .split(sep)
      .join('/')
    return await datesOf(top, 'HEAD', path)
  } catch (error) {
    if (error instanceof UsageError) return new Map()
    throw error
  }
}

function checkSize(count: number, bytes: number): void {
  if (count === 0) throw new UsageError('There are no files to import; name another folder with --path')
  if (count > MOST_FILES || bytes > MOST_BYTES)
    throw new UsageError(
      `There are more than ${MOST_FILES} files or 3 GB to import; name a folder of them with --path`,
    )
}
