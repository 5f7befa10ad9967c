import { createHash } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsClient } from 'aws4fetch'
import { BlobTooLarge, hashTurns, isHash, measuring, streamOf } from './blobs.ts'
import type { BlobContent, Blobs, ByteRange, OpenBlob, StoredBlob } from './blobs.ts'

/** The address and the credentials of an S3 bucket. */
export interface S3Options {
  /** The address of the service, such as `https://s3.eu-central-1.amazonaws.com`; the path names the bucket. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** Retries after a 5xx or 429 response. */
const retries = 3

/**
 * Blobs in a bucket of an S3 service; the key is the hash. The service verifies the hash and refuses damaged bytes. A
 * stream is written to a temporary file first, because its key is not known before its end.
 */
export function s3Blobs({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Options): Blobs {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries })
  const bucketUrl = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
  const keyUrl = (hash: string) => `${bucketUrl}/${hash}`
  const inTurn = hashTurns()

  async function send(
    method: string,
    url: string,
    expected: number[],
    init: RequestInit = {},
  ): Promise<Response> {
    const response = await client.fetch(url, { ...init, method })
    if (expected.includes(response.status)) return response

    const code = /<Code>([^<]{1,100})<\/Code>/.exec(await response.text())?.[1] ?? ''
    throw new Error(
      `The object storage returned ${response.status} ${code} to ${method} ${new URL(url).pathname}`,
    )
  }

  async function upload(blob: StoredBlob, body: Blob): Promise<StoredBlob> {
    const headers = { 'x-amz-content-sha256': blob.hash, 'content-type': 'application/octet-stream' }
    return inTurn(blob.hash, async () => {
      await discard(await send('PUT', keyUrl(blob.hash), [200], { body, headers }))
      return blob
    })
  }

  async function headersOf(hash: string): Promise<Headers | undefined> {
    if (!isHash(hash)) return undefined
    const response = await send('HEAD', keyUrl(hash), [200, 404])

    return response.status === 200 ? response.headers : undefined
  }

  async function sizeOf(hash: string): Promise<number | undefined> {
    const headers = await headersOf(hash)

    return headers && Number(headers.get('content-length'))
  }

  return {
    put: (content, { maxBytes } = {}) =>
      content instanceof Uint8Array
        ? putBytes(content, maxBytes, upload)
        : putStream(content, maxBytes, upload),

    async get(hash, range) {
      const rangeHeader = headerOf(range)
      if (!isHash(hash)) return undefined
      if (rangeHeader === null) return emptyOf(await sizeOf(hash))

      const headers: Record<string, string> = rangeHeader === undefined ? {} : { range: rangeHeader }
      const response = await send('GET', keyUrl(hash), [200, 206, 404, 416], { headers })
      if (response.status === 404 || response.status === 416) {
        await discard(response)
        return response.status === 404 ? undefined : emptyOf(await sizeOf(hash))
      }
      return opened(response, range)
    },

    async has(hash) {
      return (await sizeOf(hash)) !== undefined
    },

    remove: (hash, { unlessStoredAfter } = {}) =>
      inTurn(hash, async () => {
        const headers = await headersOf(hash)
        if (!headers) return false
        // Without a date, the bytes stay; a later job checks them again.
        const storedAt = new Date(headers.get('last-modified') ?? Number.NaN)
        if (unlessStoredAfter && !(storedAt <= unlessStoredAfter)) return false
        await discard(await send('DELETE', keyUrl(hash), [200, 204, 404]))

        return true
      }),

    async *list(after = '') {
      let marker = after
      for (;;) {
        // ListObjects version 1: it continues after a key, while version 2 needs a token of the service.
        const answer = await send('GET', `${bucketUrl}?marker=${encodeURIComponent(marker)}`, [200])
        const page = await answer.text()
        yield* listed(page)

        const last = [...page.matchAll(/<Key>([^<]*)<\/Key>/g)].at(-1)?.[1]
        if (elementText(page, 'IsTruncated') !== 'true' || last === undefined) return
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

type Upload = (blob: StoredBlob, body: Blob) => Promise<StoredBlob>

async function putBytes(
  bytes: Uint8Array,
  maxBytes: number | undefined,
  upload: Upload,
): Promise<StoredBlob> {
  if (maxBytes !== undefined && bytes.length > maxBytes) throw new BlobTooLarge(maxBytes)
  const hash = createHash('sha256').update(bytes).digest('hex')

  return upload({ hash, size: bytes.length }, new Blob([new Uint8Array(bytes)]))
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

    return await upload(measured(), await openAsBlob(path))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Undefined for the whole blob; null for an empty range, which HTTP cannot express. */
function headerOf(range: ByteRange | undefined): string | null | undefined {
  if (!range || (range.start === 0 && range.end === undefined)) return undefined
  if (range.end === undefined) return `bytes=${range.start}-`

  return range.end <= range.start ? null : `bytes=${range.start}-${range.end - 1}`
}

/** A service may send more than the requested range (RFC 9110, 14.2), so the body is cut to the range. */
function opened(response: Response, { start, end }: ByteRange = { start: 0 }): OpenBlob {
  const [, first = '0', whole] =
    /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
  const stream = response.body ? Readable.fromWeb(response.body) : nothing()
  const from = Number(first)

  return {
    stream: start === 0 && end === undefined ? stream : sliced(stream, start - from, end && end - from),
    size: Number(whole ?? response.headers.get('content-length')),
  }
}

function sliced(stream: Readable, start: number, end = Number.POSITIVE_INFINITY): Readable {
  async function* slices() {
    let at = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      yield chunk.subarray(Math.max(0, start - at), Math.max(0, end - at))
      at += chunk.length
      if (at >= end) return
    }
  }

  const cut = Readable.from(slices(), { objectMode: false })
  cut.once('close', () => stream.destroy())

  return cut
}

function nothing(): Readable {
  return Readable.from([], { objectMode: false })
}

function emptyOf(size: number | undefined): OpenBlob | undefined {
  return size === undefined ? undefined : { stream: nothing(), size }
}

/** Ends a response that is not read, because it would keep its connection busy. */
async function discard(response: Response) {
  await response.body?.cancel()
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
