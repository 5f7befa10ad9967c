/** The archive of a space as a documentation repository, stored with the bytes of files. */
import { crc32 } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import type { Blobs, StoredBlob } from '../blobs/blobs.ts'
import { lru } from '../core/data/lru.ts'
import { documentHash } from '../core/content/hash.ts'
import { archived, zipWriter } from '../core/zip/zip.ts'
import type { FileRecord } from '../core/content/revision.ts'
import { MANIFEST_PATH, MISSING_FILES_PATH, printManifest } from '../core/repository/manifest.ts'
import type { PrintableContent, RepositoryLayout } from '../core/repository/print/model.ts'
import { placeContent } from '../core/repository/print/place.ts'
import { printRepository } from '../core/repository/print/print.ts'
import type { Reader, Row } from '../db/schema.ts'
import { conflict } from '../http/errors.ts'
import { filesOf, pagesOf, reusablesOf, sourcesOf } from '../model/content/content.ts'
import { type SourceContent, sourceOfSpace } from '../model/proposals/space-source.ts'
import { snapshotOf } from '../model/proposals/snapshots.ts'
import { because } from '../core/languages/reasons.ts'

/** Larger files are not in memory as a whole. */
const IN_MEMORY = 1024 * 1024
/** Larger ones are not compressed, because that would keep the event loop for more than a few milliseconds. */
const COMPRESSED = 128 * 1024

const entryOf = (bytes: Uint8Array) => archived(bytes, bytes.length <= COMPRESSED)

/** The context that is needed to make an archive. */
interface Archiving {
  db: Reader
  blobs: Blobs
  signal: AbortSignal
  /** Gets each file whose bytes the store has lost. */
  reportMissing(hash: string, name: string): void
}

/** A stored archive, and the paths of the files that are not in it because the store has lost their bytes. */
export interface StoredArchive extends StoredBlob {
  missing: string[]
}

/** The archives that this process has made, with the time by `performance.now()`. */
const made = lru<{ archive: StoredArchive; at: number }>(1024 * 1024, 'archives')
/** An archive is made again after so long, days before a sweep removes its bytes. */
const KEPT_MS = 12 * 3_600_000

/**
 * The archive of a revision: stored already, or stored now. Equal revisions and sources make equal archives. A file whose
 * bytes the store has lost is left out, so that the others can be saved.
 * @throws 409 if the revision has no pages
 */
export async function storeRepository(
  archiving: Archiving,
  revision: Row<'revision'>,
  layout: RepositoryLayout,
): Promise<StoredArchive> {
  const source = (await sourceOfSpace(archiving.db, revision.spaceId))?.row.content
  const key = JSON.stringify([revision.id, layout, source === undefined ? '' : documentHash(source)])
  const before = made.get(key)
  const isKept = before && performance.now() - before.at < KEPT_MS
  if (isKept && (await archiving.blobs.has(before.archive.hash))) return before.archive

  const archive = await makeArchive(archiving, revision, layout, source)
  // Lost bytes can come back.
  if (archive.missing.length === 0) made.set(key, { archive, at: performance.now() }, 500)
  return archive
}

/** Makes the archive of a revision, one file after the other. */
async function makeArchive(
  { db, blobs, signal, reportMissing }: Archiving,
  revision: Row<'revision'>,
  layout: RepositoryLayout,
  source: string | undefined,
): Promise<StoredArchive> {
  const content: PrintableContent = await snapshotOf(db, revision)
  if (content.pages.size === 0) throw conflict(because('space-without-pages'))
  const placed = placeContent(content, layout)
  const known = source === undefined ? [] : await knownPaths(db, revision.spaceId, source)
  const load = (documents: string[]) => sourcesOf(db, revision.spaceId, documents)

  const missing: string[] = []

  async function* parts(): AsyncGenerator<Uint8Array> {
    // No time is in the archive, so that the bytes depend on the content alone.
    const zip = zipWriter(new Date(0).toISOString())
    for await (const printed of printRepository(placed, load)) {
      signal.throwIfAborted()
      if ('text' in printed) yield* zip.add(printed.path, entryOf(Buffer.from(printed.text)))
      else {
        const isThere = yield* fileParts(blobs, printed.file, (file) =>
          'data' in file ? zip.add(printed.path, file) : [zip.begin(printed.path, file)],
        )
        if (isThere) continue
        missing.push(printed.path)
        reportMissing(printed.file.hash, printed.file.name)
      }
    }
    const manifest = printManifest(new Map(), {
      revision: revision.id,
      ids: Object.fromEntries(placed.fresh),
      // A path that is known and not in the archive would be a deleted file.
      known: known.filter((path) => !missing.includes(path)),
    })
    yield* zip.add(MANIFEST_PATH, entryOf(Buffer.from(manifest)))
    if (missing.length > 0)
      yield* zip.add(MISSING_FILES_PATH, entryOf(Buffer.from(missing.map((path) => `${path}\n`).join(''))))
    yield* zip.end()
  }
  return { ...(await blobs.put(parts())), missing }
}

/**
 * The entry of a file. A large one is read twice, because its checksum comes first.
 * @returns false if its bytes are missing
 */
async function* fileParts(
  blobs: Blobs,
  { name, hash, size }: FileRecord,
  begin: (file: ReturnType<typeof archived> | { size: number; checksum: number }) => Uint8Array[],
): AsyncGenerator<Uint8Array, boolean> {
  const first = await blobs.get(hash)
  if (!first) return false
  if (size <= IN_MEMORY) {
    yield* begin(entryOf(await buffer(first.stream)))
    return true
  }
  let checksum = 0
  for await (const piece of first.stream) checksum = crc32(piece as Buffer, checksum)
  const again = await blobs.get(hash)
  if (!again) throw new Error(`The bytes of the file ${name} were removed while they were read`)
  yield* begin({ size, checksum })
  yield* again.stream
  return true
}

/** The paths that the source of a space had at the last sync. */
async function knownPaths(db: Reader, spaceId: string, source: string): Promise<string[]> {
  const content = { ...(JSON.parse(source) as SourceContent), spaceId }
  const pages = (await pagesOf(db, content)).pages()
  const records = [...(await filesOf(db, content)).values(), ...(await reusablesOf(db, content)).values()]
  const paths = [...pages.map(({ file }) => file), ...records.map(({ path }) => path)]
  return [...new Set(paths.filter((path) => path !== undefined))].toSorted()
}
