import { createHash } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import type { TransformCallback } from 'node:stream'

/** A content-addressed store of uploaded bytes. The hash is the SHA-256 in lower-case hex. */
export interface Blobs {
  /**
   * Stores bytes durably. Bytes that are stored already are stored once, and `storedAt` becomes the current time.
   * @throws BlobTooLarge above `maxBytes`; an error leaves nothing behind
   */
  put(content: BlobContent, options?: { maxBytes?: number }): Promise<StoredBlob>
  /** The bytes, or a range of them; undefined if absent. The caller must read or destroy the stream. */
  get(hash: string, range?: ByteRange): Promise<OpenBlob | undefined>
  /** The file with the bytes, to read and never to change; undefined if absent. Only a store on disk has files. */
  file?(hash: string): Promise<string | undefined>
  has(hash: string): Promise<boolean>
  /**
   * Removes bytes. With `unlessStoredAfter`, bytes that were stored later, by the store's clock, stay: the transaction
   * that uses them may not be committed yet.
   * @returns true if bytes were removed
   */
  remove(hash: string, options?: { unlessStoredAfter?: Date }): Promise<boolean>
  /**
   * Every blob in the order of the hashes, or those after a hash. `storedAt` is the last time the blob was stored, by
   * the store's clock.
   */
  list(after?: string): AsyncIterable<StoredBlob & { storedAt: Date }>
  /** Checks that the store can be used. @throws BlobStoreFault */
  check(): Promise<void>
  /** Whether all copies of the server share the store, as they share a bucket. */
  shared?: boolean
  /** A temporary address that serves the bytes without a token; absent if the store cannot make one. */
  presign?(hash: string, options: PresignOptions): Promise<string>
}

export type BlobContent = Uint8Array | AsyncIterable<Uint8Array>

export interface StoredBlob {
  hash: string
  /** Bytes. */
  size: number
}

/** A half-open range in bytes. It is cut at the end of the blob, which is also the default `end`. */
export interface ByteRange {
  start: number
  end?: number
}

export interface OpenBlob {
  stream: Readable
  /** The size of the whole blob, even if only a range was requested. */
  size: number
}

export interface PresignOptions {
  /** How long the address is valid. */
  seconds: number
  contentType?: string
  /** The value of the header, such as `attachment; filename="a.pdf"`. */
  contentDisposition?: string
}

/** More bytes were stored than allowed. */
export class BlobTooLarge extends Error {
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`More than ${maxBytes} bytes`)
    this.name = 'BlobTooLarge'
    this.maxBytes = maxBytes
  }
}

/**
 * Why bytes cannot be stored or read. Of a disk: `full`, or `unusable`. Of another service: `full`; `unreachable`, the
 * connection fails or breaks; `slow`, it takes too long; `busy`, it asks to come back; `refused`, it does not accept the
 * credentials or the bucket; `invalid`, its response is damaged or not one of such a service.
 */
export type BlobFault = 'full' | 'unusable' | 'unreachable' | 'slow' | 'busy' | 'refused' | 'invalid'

/** The store does not work. The cause is the error of the system, and is only for the log. */
export class BlobStoreFault extends Error {
  readonly fault: BlobFault
  /** The seconds after which the store accepts requests again, if it named them. */
  readonly retryAfter: number | undefined

  constructor(fault: BlobFault, cause: Error, retryAfter?: number) {
    super(cause.message, { cause })
    this.name = 'BlobStoreFault'
    this.fault = fault
    this.retryAfter = retryAfter
  }
}

/**
 * A lock for each hash. `remove` checks the age of a blob and then deletes it; a `put` between the two steps would lose
 * its bytes.
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

/** True if the text has the form of a hash. Nothing else is used in a path or a key. */
export function isHash(hash: string): boolean {
  return /^[0-9a-f]{64}$/.test(hash)
}

/** A transform stream that counts and hashes bytes. It fails with `BlobTooLarge` above `maxBytes`. */
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

/** A stream of either kind of content. Arrays are cut into pieces, so that hashing does not block the event loop. */
export function streamOf(content: BlobContent): Readable {
  if (!(content instanceof Uint8Array)) return Readable.from(content, { objectMode: false })

  return Readable.from(piecesOf(content), { objectMode: false })
}

function* piecesOf(bytes: Uint8Array) {
  for (let start = 0; start < bytes.length; start += piece) yield bytes.subarray(start, start + piece)
}

const piece = 1024 * 1024
