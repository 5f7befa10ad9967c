/** Packs the files of a commit as an archive to import. */
import { open } from 'node:fs/promises'
import { because } from '../core/languages/reasons.ts'
import { type ExportedFrom, MANIFEST_PATH, printManifest } from '../core/repository/manifest.ts'
import type { Problem } from '../core/repository/model.ts'
import { sizeLimit } from '../core/text/byte-size.ts'
import { archived, zipWriter } from '../core/zip/zip.ts'
import { invalid, tooLarge } from '../http/errors.ts'
import { datesOf, filesAt, type LocalRepository, readBlobs } from './repository.ts'

/** An archive in this format has no more files. The server checks its own, lower limits. */
export const MOST_FILES = 60_000
const MOST_BYTES = 3 * 1024 ** 3

/** The times of the first and last change of files, by path, in seconds. */
export type Dates = ReadonlyMap<string, readonly [created: number, updated: number]>

/** A file that is being packed. */
export interface Packing extends AsyncDisposable {
  add(path: string, bytes: Uint8Array): Promise<void>
  end(dates: Dates, from?: ExportedFrom): Promise<void>
}

/** Begins an archive in a file. */
export async function packTo(file: string): Promise<Packing> {
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

/** How a commit is packed. */
export interface PackOptions {
  /** Whether files get the dates of the history. */
  isDated: boolean
  /** What it was exported from. */
  from?: ExportedFrom
  /** The size of the largest file that fits into memory, in bytes. */
  largestFile?: number
}

/** Packs the files of a commit, below a folder or all. @returns what is not packed */
export async function packCommit(
  repository: LocalRepository,
  oid: string,
  path: string,
  file: string,
  { isDated, from, largestFile = MOST_BYTES }: PackOptions,
): Promise<Problem[]> {
  const { files, others } = await filesAt(repository, oid, path)
  checkSize(
    files.length,
    files.reduce((sum, { size }) => sum + size, 0),
  )
  const large = files.find(({ size }) => size > largestFile)
  if (large)
    throw tooLarge(because('repository-file-too-large', { path: large.path, limit: sizeLimit(largestFile) }))
  await using packing = await packTo(file)
  await readBlobs(
    repository,
    files.map((one) => one.oid),
    (bytes, nth) => packing.add(files[nth]!.path, bytes),
  )
  await packing.end(isDated ? await datesOf(repository, oid, path) : new Map(), from)
  return others.map((other) => ({ path: other, ...because('link-skipped') }))
}

/** @throws 400 if there is nothing to import, or more than an archive can have */
export function checkSize(count: number, bytes: number): void {
  if (count === 0) throw invalid(because('repository-without-files'))
  if (count > MOST_FILES || bytes > MOST_BYTES)
    throw tooLarge(because('repository-files-too-large', { files: MOST_FILES, size: sizeLimit(MOST_BYTES) }))
}
