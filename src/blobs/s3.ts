import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsClient } from 'aws4fetch'
import { BlobStoreFault, BlobTooLarge, hashTurns, isHash, measuring, streamOf } from './blobs.ts'
import type { BlobContent, Blobs, ByteRange, OpenBlob, StoredBlob } from './blobs.ts'
import { invalidResponse, type S3Response, type S3Times, s3Transport, readText } from './s3-transport.ts'

/** The address and the credentials of an S3 bucket. */
export interface S3Options extends Partial<S3Times> {
  /** The address of the service, such as `https://s3.eu-central-1.amazonaws.com`; the path names the bucket. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

const TIMEOUT_MS = 20_000
const PAUSE_MS = 100
/** The pieces in which bytes are sent. Each has the whole time limit. */
const PIECE = 64 * 1024

/**
 * Blobs in a bucket of an S3 service; the key is the hash. The service verifies the hash and refuses damaged bytes. A
 * stream is written to a temporary file first, because its key is not known before its end, and because a request that
 * failed is sent again.
 */
export function s3Blobs(options: S3Options): Blobs {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = options
  const { timeoutMs = TIMEOUT_MS, pauseMs = PAUSE_MS } = options
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  const { send, beforeRetry } = s3Transport(client, { timeoutMs, pauseMs })
  const bucketUrl = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
  const keyUrl = (hash: string) => `${bucketUrl}/${hash}`
  const inTurn = hashTurns()

  async function upload(blob: StoredBlob, body: Body): Promise<StoredBlob> {
    const headers = {
      'x-amz-content-sha256': blob.hash,
      'content-type': 'application/octet-stream',
      'content-length': String(blob.size),
    }
    const request = { method: 'PUT', url: keyUrl(blob.hash), headers, body, expected: [200] } as const
    return inTurn(blob.hash, async () => {
      await send(request, async (response) => {
        await readText(response)
        checkObject(response)
      })
      return blob
    })
  }

  async function headersOf(hash: string): Promise<S3Response['headers'] | undefined> {
    if (!isHash(hash)) return undefined
    return send({ method: 'HEAD', url: keyUrl(hash), expected: [200, 404] }, (response) => {
      response.drop()
      if (response.status === 404) return undefined
      checkObject(response)
      return response.headers
    })
  }

  async function sizeOf(hash: string): Promise<number | undefined> {
    const headers = await headersOf(hash)

    return headers && Number(headers['content-length'])
  }

  /** Undefined if the blob is missing; `beyond` if the range begins at its end. */
  function openAt(hash: string, range: string | undefined): Promise<Opened | 'beyond' | undefined> {
    const headers: Record<string, string> = range === undefined ? {} : { range }
    const request = { method: 'GET', url: keyUrl(hash), headers, expected: [200, 206, 404, 416] } as const
    return send(request, async (response) => {
      if (response.status === 404) return missing(await readText(response))
      if (response.status === 416) return (response.drop(), 'beyond' as const)
      return opened(response)
    })
  }

  /** The bytes from one position to another. After a fault, the request is repeated from where it broke off. */
  function readOn(hash: string, first: Opened, from: number, to: number): Readable {
    let current = first
    async function* pieces() {
      let at = from
      for (let failures = 0; ;) {
        try {
          for await (const piece of cut(current, at, to)) {
            at += piece.length
            yield piece
          }
          if (at < to) throw invalidResponse(`${at - from} of ${to - from} bytes`)
          return
        } catch (error) {
          current.response.drop()
          if (at >= to) return
          await beforeRetry(error, failures)
          failures += 1
          const again = await openAt(hash, `bytes=${at}-${to - 1}`)
          if (again === undefined || again === 'beyond') throw error
          current = again
        }
      }
    }

    const stream = Readable.from(pieces(), { objectMode: false })
    // The generator itself may be waiting for the bucket.
    stream.once('close', () => current.response.drop())
    return stream
  }

  return {
    shared: true,

    put: (content, { maxBytes } = {}) =>
      content instanceof Uint8Array
        ? putBytes(content, maxBytes, upload)
        : putStream(content, maxBytes, upload),

    async get(hash, range) {
      const rangeHeader = headerOf(range)
      if (!isHash(hash)) return undefined
      if (rangeHeader === null) return emptyOf(await sizeOf(hash))

      const found = await openAt(hash, rangeHeader)
      if (found === undefined) return undefined
      if (found === 'beyond') return emptyOf(await sizeOf(hash))
      const { size } = found
      const to = Math.min(range?.end ?? size, size)
      return { stream: readOn(hash, found, Math.min(range?.start ?? 0, to), to), size }
    },

    async has(hash) {
      return (await sizeOf(hash)) !== undefined
    },

    remove: (hash, { unlessStoredAfter } = {}) =>
      inTurn(hash, async () => {
        const headers = await headersOf(hash)
        if (!headers) return false
        // Without a date, the bytes stay; a later job checks them again.
        const storedAt = new Date(headers['last-modified'] ?? Number.NaN)
        if (unlessStoredAfter && !(storedAt <= unlessStoredAfter)) return false
        const request = { method: 'DELETE', url: keyUrl(hash), expected: [200, 204, 404] } as const
        await send(request, readText)

        return true
      }),

    async check() {
      // The callers have time limits, so this makes no second attempt.
      const request = { method: 'HEAD', url: bucketUrl, expected: [200] } as const
      await send(request, (response) => response.drop(), { retries: 0 })
    },

    async *list(after = '') {
      let marker = after
      for (;;) {
        // ListObjects version 1: it continues after a key, while version 2 needs a token of the service.
        const url = `${bucketUrl}?marker=${encodeURIComponent(marker)}`
        const page = await send({ method: 'GET', url, expected: [200] }, readList)
        yield* listed(page)

        const last = [...page.matchAll(/<Key>([^<]*)<\/Key>/g)].at(-1)?.[1]
        if (elementText(page, 'IsTruncated') !== 'true' || last === undefined) return
        if (last <= marker) throw invalidResponse('a list that does not go on')
        marker = last
      }
    },

    async presign(hash, { seconds, contentType, contentDisposition }) {
      const url = new URL(keyUrl(hash))
      url.searchParams.set('X-Amz-Expires', String(Math.ceil(seconds)))
      if (contentType !== undefined) url.searchParams.set('response-content-type', contentType)
      if (contentDisposition !== undefined) {
        url.searchParams.set('response-content-disposition', contentDisposition)
      }
      const signed = await client.sign(url, { method: 'GET', aws: { signQuery: true } })

      return signed.url
    },
  }
}

/** Makes the bytes to send, once for each attempt. */
type Body = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
type Upload = (blob: StoredBlob, body: Body) => Promise<StoredBlob>

async function putBytes(
  bytes: Uint8Array,
  maxBytes: number | undefined,
  upload: Upload,
): Promise<StoredBlob> {
  if (maxBytes !== undefined && bytes.length > maxBytes) throw new BlobTooLarge(maxBytes)
  const hash = createHash('sha256').update(bytes).digest('hex')

  return upload({ hash, size: bytes.length }, () => cutInPieces(bytes))
}

async function putStream(
  content: BlobContent,
  maxBytes: number | undefined,
  upload: Upload,
): Promise<StoredBlob> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-upload-'))
  try {
    const path = join(folder, 'blob')
    const { stream, measured } = measuring(maxBytes)
    await pipeline(streamOf(content), stream, createWriteStream(path))

    return await upload(measured(), () => createReadStream(path, { highWaterMark: PIECE }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function* cutInPieces(bytes: Uint8Array) {
  for (let start = 0; start < bytes.length; start += PIECE) yield bytes.subarray(start, start + PIECE)
}

/** Undefined for the whole blob; null for an empty range, which HTTP cannot express. */
function headerOf(range: ByteRange | undefined): string | null | undefined {
  if (!range || (range.start === 0 && range.end === undefined)) return undefined
  if (range.end === undefined) return `bytes=${range.start}-`

  return range.end <= range.start ? null : `bytes=${range.start}-${range.end - 1}`
}

/** A response with bytes of a blob: the position of its first byte, and the size of the whole blob. */
interface Opened {
  response: S3Response
  from: number
  size: number
}

/** S3 sends an ETag with every object. A page of a proxy that stands in for it has none. @throws BlobStoreFault */
function checkObject({ headers }: S3Response): void {
  if (headers.etag === undefined) throw invalidResponse('a response without an ETag')
}

/** A missing blob is undefined; a missing bucket is a fault. @param text the body of a 404 @throws BlobStoreFault */
function missing(text: string): undefined {
  const code = elementText(text, 'Code')
  if (code === 'NoSuchKey') return undefined
  if (code === undefined) throw invalidResponse('a 404 that is not one of S3')
  throw new BlobStoreFault('refused', new Error(`The object storage returned 404 ${code}`))
}

function opened(response: S3Response): Opened {
  const { status, headers } = response
  const [, first, whole] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  const from = status === 206 ? first : '0'
  const size = status === 206 ? whole : headers['content-length']
  if (headers.etag === undefined || from === undefined || size === undefined) {
    response.drop()
    throw invalidResponse('a file without an ETag or a length')
  }
  return { response, from: Number(from), size: Number(size) }
}

/** The bytes of a response within a range: a service may send more than was requested (RFC 9110, 14.2). */
async function* cut({ response, from }: Opened, start: number, end: number) {
  let at = from
  if (from > start) throw invalidResponse('another range than was requested')
  for await (const piece of response.pieces()) {
    const part = piece.subarray(Math.max(0, start - at), Math.max(0, end - at))
    if (part.length > 0) yield part
    at += piece.length
    // At the end itself, it reads on: the connection can be used again when the response has ended.
    if (at > end) return
  }
}

function nothing(): Readable {
  return Readable.from([], { objectMode: false })
}

function emptyOf(size: number | undefined): OpenBlob | undefined {
  return size === undefined ? undefined : { stream: nothing(), size }
}

async function readList(response: S3Response): Promise<string> {
  const text = await readText(response)
  if (!text.includes('<ListBucketResult')) throw invalidResponse('a list that is not one of S3')
  return text
}

/** Reads the XML of a list without a parser: keys are hex and the other values are plain text. */
function* listed(page: string) {
  for (const [, contents = ''] of page.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
    const hash = elementText(contents, 'Key') ?? ''
    const storedAt = new Date(elementText(contents, 'LastModified') ?? '')
    if (isHash(hash)) yield { hash, size: Number(elementText(contents, 'Size')), storedAt }
  }
}

function elementText(xml: string, element: string): string | undefined {
  return new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]
}
