import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BlobStoreFault, hashTurns, isHash, measuring, streamOf } from './blobs.ts'
import type { BlobContent, Blobs, ByteRange, StoredBlob } from './blobs.ts'

/**
 * Blobs in a folder: `ab/abcd…`. `put` writes to `tmp/`, syncs the file, renames it, and syncs the folder. A blob that
 * `put` has returned survives a power cut, and no name ever holds half a blob. Opening removes the files that dead
 * processes left in `tmp/`.
 */
export async function openDiskBlobs(folder: string): Promise<Blobs> {
  const temporary = join(folder, 'tmp')
  await mkdir(temporary, { recursive: true })
  await removeLeftovers(temporary)
  const shards = await durableShards(folder)

  const inTurn = hashTurns()
  const blobPath = (hash: string) => join(folder, shardOf(hash), hash)

  return {
    async put(content, { maxBytes } = {}) {
      const written = join(temporary, temporaryName())
      try {
        const blob = await write(written, content, maxBytes)
        await shards.ready(shardOf(blob.hash))
        await inTurn(blob.hash, () => settle(written, blobPath(blob.hash)))

        return blob
      } catch (error) {
        // The file may be unremovable for the same reason, which must not hide the first error.
        await rm(written, { force: true }).catch(() => undefined)
        throw explained(error)
      }
    },

    async get(hash, range) {
      const size = await sizeOf(blobPath(hash), hash).catch(refuse)
      if (size === undefined) return undefined

      return { stream: readRange(blobPath(hash), size, range), size }
    },

    async file(hash) {
      const size = await sizeOf(blobPath(hash), hash).catch(refuse)
      return size === undefined ? undefined : blobPath(hash)
    },

    async has(hash) {
      return (await sizeOf(blobPath(hash), hash)) !== undefined
    },

    async remove(hash, { unlessStoredAfter } = {}) {
      if (!isHash(hash)) return false
      return inTurn(hash, () => removeFile(blobPath(hash), unlessStoredAfter)).catch(refuse)
    },

    async check() {
      const written = join(temporary, temporaryName())
      try {
        await writeFile(written, CHECKED, { flag: 'wx' })
      } catch (error) {
        throw explained(error)
      } finally {
        await rm(written, { force: true }).catch(() => undefined)
      }
    },

    async *list(after = '') {
      for (const shard of await shardsIn(folder)) {
        if (shard < shardOf(after)) continue
        for (const hash of (await readdir(join(folder, shard))).toSorted()) {
          const stats =
            isHash(hash) && hash > after ? await stat(blobPath(hash)).catch(ignoreAbsent) : undefined
          if (stats) yield { hash, size: stats.size, storedAt: stats.mtime }
        }
      }
    },
  }
}

async function write(path: string, content: BlobContent, maxBytes?: number): Promise<StoredBlob> {
  const { stream, measured } = measuring(maxBytes)
  // `flush` syncs the file before closing it.
  await pipeline(streamOf(content), stream, createWriteStream(path, { flags: 'wx', flush: true }))

  return measured()
}

/** Blobs are spread over 256 folders, because some systems are slow with many files in one. */
function shardOf(hash: string): string {
  return hash.slice(0, 2)
}

async function shardsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name)).toSorted()
}

/**
 * The folders of blobs, made when they are first needed. Making one syncs the folder above it, once in each process:
 * another process may have made it a moment ago, and may not have synced it yet.
 */
async function durableShards(folder: string): Promise<{ ready(shard: string): Promise<void> }> {
  const made = new Map((await shardsIn(folder)).map((shard) => [shard, Promise.resolve()]))
  await syncFolder(folder)
  const make = async (shard: string) => {
    await mkdir(join(folder, shard)).catch(ignoreExisting)
    await syncFolder(folder)
  }
  return {
    ready(shard) {
      const known = made.get(shard)
      if (known) return known
      const making = make(shard)
      made.set(shard, making)
      // The next blob tries again.
      making.catch(() => made.delete(shard))
      return making
    },
  }
}

/** Always replaces the file, which repairs a damaged blob and updates its time of storage. */
async function settle(written: string, path: string) {
  await rename(written, path)
  await syncFolder(dirname(path))
}

async function removeFile(path: string, unlessStoredAfter: Date | undefined): Promise<boolean> {
  try {
    if (unlessStoredAfter && (await stat(path)).mtime > unlessStoredAfter) return false
    await unlink(path)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

async function syncFolder(folder: string) {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function readRange(path: string, size: number, { start, end = size }: ByteRange = { start: 0 }): Readable {
  const stop = Math.min(end, size)
  if (start >= stop) return Readable.from([], { objectMode: false })

  return createReadStream(path, { start, end: stop - 1 })
}

async function sizeOf(path: string, hash: string): Promise<number | undefined> {
  if (!isHash(hash)) return undefined

  return (await stat(path).catch(ignoreAbsent))?.size
}

const CHECKED = Buffer.alloc(64 * 1024)
/** The codes of the system for a disk without space, and for a folder that cannot be written or was replaced. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const UNUSABLE = new Set([
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'ENOTDIR',
  'EISDIR',
  'ENOENT',
  'EMFILE',
  'ENFILE',
])

/** Other errors stay as they are: one of the content, such as `BlobTooLarge`, or of the client that sends it. */
function explained(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error
  if (FULL.has(String(error.code))) return new BlobStoreFault('full', error)
  return UNUSABLE.has(String(error.code)) ? new BlobStoreFault('unusable', error) : error
}

function refuse(error: unknown): never {
  throw explained(error)
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function ignoreAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error
}

function ignoreExisting(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}

/** Distinguishes this process from an earlier one with the same id: in a container, ids repeat. */
const processToken = randomBytes(6).toString('hex')
const abandonedAfter = 24 * 60 * 60 * 1000

function temporaryName(): string {
  return [hostname(), process.pid, processToken, randomBytes(6).toString('hex')].join('~')
}

/** Other processes may be writing here, so only files of dead processes and very old files are removed. */
async function removeLeftovers(temporary: string) {
  // Reads the file system's clock, because the folder can be on another machine. Fails early if it is not writable.
  const probe = join(temporary, temporaryName())
  await writeFile(probe, '')
  const now = (await stat(probe)).mtimeMs
  await unlink(probe)

  for (const name of await readdir(temporary)) {
    const path = join(temporary, name)
    const age = now - ((await stat(path).catch(ignoreAbsent))?.mtimeMs ?? now)
    if (age > abandonedAfter || isOfDeadProcess(name)) await rm(path, { force: true, recursive: true })
  }
}

function isOfDeadProcess(name: string): boolean {
  const [host, pid, started] = name.split('~')
  if (host !== hostname()) return false
  if (Number(pid) === process.pid) return started !== processToken

  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
