import { createHash } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import type { TransformCallback } from 'node:stream'

/** Uploaded bytes, addressed by what they are: the hash is the SHA-256 in lower-case hex. */
export interface Blobs {
  /**
   * Stores bytes; when it returns they are durable. The same bytes again are stored once and count as stored now.
   * Throws `BlobTooLarge` when they are more than `maxBytes`, and leaves nothing behind when it throws.
   */
  put(content: BlobContent, options?: { maxBytes?: number }): Promise<StoredBlob>
  /** The bytes, or those of a range; undefined when they are not there. The stream must be read or destroyed. */
  get(hash: string, range?: ByteRange): Promise<OpenBlob | undefined>
  has(hash: string): Promise<boolean>
  /**
   * True when something was removed. With `unlessStoredAfter`, bytes that were put later than that, by the store's
   * clock, stay: whoever put them may not have told the database yet.
   */
  remove(hash: string, options?: { unlessStoredAfter?: Date }): Promise<boolean>
  /**
   * Every blob in the order of the hashes, or those that come after one; `storedAt` is the last time it was put, by the
   * store's clock.
   */
  list(after?: string): AsyncIterable<StoredBlob & { storedAt: Date }>
  /** An address that gives out the bytes without a token for some time; absent where the store has none. */
  presign?(hash: string, options: PresignOptions): Promise<string>
}

export type BlobContent = Uint8Array | AsyncIterable<Uint8Array>

export interface StoredBlob {
  hash: string
  /** Bytes. */
  size: number
}

/** Half-open, in bytes; what lies past the end is cut off. An absent `end` is the end of the blob. */
export interface ByteRange {
  start: number
  end?: number
}

export interface OpenBlob {
  stream: Readable
  /** Bytes of the whole blob, also when a range was asked for. */
  size: number
}

export interface PresignOptions {
  /** How long the address works. */
  seconds: number
  contentType?: string
  /** The whole header, such as `attachment; filename="a.pdf"`. */
  contentDisposition?: string
}

/** More bytes were put than allowed. */
export class BlobTooLarge extends Error {
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`More than ${maxBytes} bytes`)
    this.name = 'BlobTooLarge'
    this.maxBytes = maxBytes
  }
}

/**
 * Lets those in one after another who name the same hash. Removing looks how old bytes are and then removes them: a
 * `put` that came between the two would have stored nothing.
 */
export function hashTurns() {
  const last = new Map<string, Promise<unknown>>()

  return async function inTurn<T>(hash: string, work: () => Promise<T>): Promise<T> {
    const before = last.get(hash)
    const turn = before ? before.then(work, work) : work()
    last.set(hash, turn)
    try {
      return await turn
    } finally {
      if (last.get(hash) === turn) last.delete(hash)
    }
  }
}

/** True for what a hash can be; anything else never reaches a path or a key. */
export function isHash(hash: string): boolean {
  return /^[0-9a-f]{64}$/.test(hash)
}

/** Passes bytes on while it counts and hashes them; fails with `BlobTooLarge` before it passes on too many. */
export function measuring(maxBytes = Number.POSITIVE_INFINITY) {
  const hash = createHash('sha256')
  let size = 0

  const stream = new Transform({
    transform(chunk: Buffer, _encoding: string, done: TransformCallback) {
      size += chunk.length
      if (size > maxBytes) return done(new BlobTooLarge(maxBytes))
      hash.update(chunk)
      return done(null, chunk)
    },
  })

  return { stream, measured: (): StoredBlob => ({ hash: hash.digest('hex'), size }) }
}

/** A stream of bytes from either kind of content; large arrays come in pieces so that hashing yields in between. */
export function streamOf(content: BlobContent): Readable {
  if (!(content instanceof Uint8Array)) return Readable.from(content, { objectMode: false })

  return Readable.from(piecesOf(content), { objectMode: false })
}

function* piecesOf(bytes: Uint8Array) {
  for (let start = 0; start < bytes.length; start += piece) yield bytes.subarray(start, start + piece)
}

const piece = 1024 * 1024
