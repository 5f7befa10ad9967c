import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { AwsClient } from 'aws4fetch'
import { Agent, request as sendRequest } from 'undici'
import { BlobStoreFault } from './blobs.ts'
import { patience, type Patience } from './patience.ts'

/** A request to the bucket. Each can be sent again: a key is the hash of its bytes, so repeating it changes nothing. */
export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** Makes the bytes for each attempt anew. */
  body?: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** The statuses that are not faults. */
  expected: readonly number[]
}

/** A response whose body has to be read or dropped. */
export interface S3Response {
  status: number
  headers: Record<string, string | undefined>
  /** @throws BlobStoreFault if the bucket breaks off or is too slow */
  pieces(): AsyncGenerator<Buffer, void>
  /** Closes the connection, unless the body has been read or is empty. */
  drop(): void
}

/** How long the bucket may take, and how faults are retried. */
export interface S3Times {
  /** For each step: to take or send 64 kB, and to begin a response. A connection has at most 5 seconds. */
  timeoutMs: number
  /** The mean pause before the first retry. It doubles with each further one. */
  pauseMs: number
}

/** Retries of one request. A request that took too long is retried once, because the caller has waited already. */
const RETRIES = 3
const SLOW_RETRIES = 1
const CONNECT_MS = 5000
/** A bucket that asks for a longer pause than this gets no retry. The caller gets the pause as `Retry-After`. */
const LONGEST_PAUSE_S = 3
const MOST_TEXT = 8 * 1024 * 1024

/** Sends signed requests to a bucket, retries those that failed by its fault, and ends those that take too long. */
export interface S3Transport {
  /**
   * Sends a request until it gets an expected response, and reads that.
   * @param read a fault that it throws is retried too
   * @throws BlobStoreFault
   */
  send<T>(
    request: S3Request,
    read: (response: S3Response) => T | Promise<T>,
    options?: { retries?: number },
  ): Promise<T>
  /** Waits before a retry, or throws the error if it is to be the last. @param failures how many there were before */
  beforeRetry(error: unknown, failures: number): Promise<void>
}

/** @param client signs each attempt anew, because a signature is valid for minutes */
export function s3Transport(client: AwsClient, { timeoutMs, pauseMs }: S3Times): S3Transport {
  const dispatcher = new Agent({
    connect: { timeout: Math.min(CONNECT_MS, timeoutMs) },
    // `patience` has the limits: those of undici begin anew with each byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  async function attempt(request: S3Request): Promise<S3Response> {
    const { method, url, body } = request
    const { headers } = await client.sign(url, { method, headers: request.headers ?? {} })
    const limit = patience(timeoutMs)
    limit.start()
    try {
      const answer = await sendRequest(url, {
        dispatcher,
        method,
        headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
        body: body ? Readable.from(taken(body(), limit), { objectMode: false }) : null,
        signal: limit.signal,
      })
      // A body that is dropped must not crash the process.
      answer.body.on('error', () => undefined)
      return responseOf(answer, limit)
    } catch (error) {
      throw connectionFault(error, request)
    } finally {
      limit.stop()
    }
  }

  function responseOf(answer: Awaited<ReturnType<typeof sendRequest>>, limit: Patience): S3Response {
    const named = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat()[0]] as const)
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(named),
      pieces: () => received(answer.body, limit),
      drop: () => void answer.body.destroy(),
    }
  }

  async function beforeRetry(error: unknown, failures: number, retries = RETRIES): Promise<void> {
    if (!(error instanceof BlobStoreFault)) throw error
    const most = error.fault === 'slow' ? Math.min(SLOW_RETRIES, retries) : retries
    const asked = error.retryAfter ?? 0
    if (!RETRIED.has(error.fault) || failures >= most || asked > LONGEST_PAUSE_S) throw error
    // Jitter, so that all that failed together do not come back together.
    const pause = pauseMs * 2 ** failures * (0.5 + Math.random())
    await wait(Math.max(pause, asked * 1000))
  }

  return {
    async send(request, read, { retries = RETRIES } = {}) {
      for (let failures = 0; ; failures++) {
        try {
          const response = await attempt(request)
          if (!request.expected.includes(response.status)) throw await refusal(response, request)
          return await read(response)
        } catch (error) {
          await beforeRetry(error, failures, retries)
        }
      }
    },
    beforeRetry,
  }
}

const RETRIED = new Set(['unreachable', 'slow', 'busy', 'invalid'])

/** The bytes of a request. Each piece that the connection takes begins the limit anew. */
async function* taken(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, limit: Patience) {
  for await (const piece of pieces) {
    yield piece
    limit.renew()
  }
}

const STEP = 64 * 1024

/** The bytes of a response. Only the time in which somebody waits for them counts, so that slow readers are no fault. */
async function* received(body: Readable, limit: Patience): AsyncGenerator<Buffer, void> {
  let bytes = 0
  const abort = () => body.destroy(limit.signal.reason as Error)
  limit.signal.addEventListener('abort', abort)
  limit.renew()
  try {
    limit.start()
    for await (const piece of body as AsyncIterable<Buffer>) {
      limit.stop()
      bytes += piece.length
      if (bytes >= STEP) {
        bytes = 0
        limit.renew()
      }
      yield piece
      limit.start()
    }
  } catch (error) {
    throw connectionFault(error, undefined)
  } finally {
    limit.stop()
    limit.signal.removeEventListener('abort', abort)
  }
}

/** Reads a short body. @throws BlobStoreFault */
export async function readText(response: S3Response): Promise<string> {
  let size = 0
  async function* counted() {
    for await (const piece of response.pieces()) {
      size += piece.length
      if (size > MOST_TEXT) throw invalidResponse('a list or an error of more than 8 MB')
      yield piece
    }
  }
  return (await buffer(counted())).toString()
}

/** The fault that a bucket sent something that is not what S3 defines, such as the page of a proxy. */
export function invalidResponse(what: string): BlobStoreFault {
  return new BlobStoreFault('invalid', new Error(`The object storage sent ${what}`))
}

/** Statuses of a service that may accept the same request a moment later. */
const BUSY = new Set([408, 409, 425, 429, 500, 502, 503, 504])
const BUSY_CODES = new Set(['RequestTimeout', 'SlowDown', 'OperationAborted', 'InternalError'])
const DAMAGED_CODES = new Set(['BadDigest', 'XAmzContentSHA256Mismatch', 'IncompleteBody'])
const FULL_CODES = new Set(['XMinioStorageFull', 'QuotaExceeded', 'InsufficientStorage'])

/** What a response that was not expected means. */
async function refusal(response: S3Response, { method, url }: S3Request): Promise<BlobStoreFault> {
  const { status } = response
  const text = await readText(response)
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1] ?? ''
  const cause = new Error(
    `The object storage returned ${status} ${code} to ${method} ${new URL(url).pathname}`,
  )
  if (status === 507 || FULL_CODES.has(code)) return new BlobStoreFault('full', cause)
  if (BUSY.has(status) || BUSY_CODES.has(code))
    return new BlobStoreFault('busy', cause, retryAfterOf(response.headers['retry-after']))
  if (status < 400 || DAMAGED_CODES.has(code)) return new BlobStoreFault('invalid', cause)
  return new BlobStoreFault('refused', cause)
}

/** The seconds of `Retry-After` (RFC 9110, 10.2.3), which can also be a date. */
function retryAfterOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return seconds > 0 ? Math.ceil(Math.min(seconds, 3600)) : undefined
}

/** Errors of reading the bytes to send, which are not the fault of the bucket. */
const FILE_CODES = new Set(['EACCES', 'EBADF', 'EIO', 'EMFILE', 'ENFILE', 'ENOENT'])

function connectionFault(error: unknown, request: S3Request | undefined): unknown {
  if (!(error instanceof Error) || error instanceof BlobStoreFault) return error
  const { code = '', name } = error as Error & { code?: string }
  if (request?.body && FILE_CODES.has(code)) return error
  if (name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return new BlobStoreFault('slow', error)
  // The other side speaks another protocol, or sends more than it announced.
  const isInvalid = name === 'HTTPParserError' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  return new BlobStoreFault(isInvalid ? 'invalid' : 'unreachable', error)
}
