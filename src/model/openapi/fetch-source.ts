import { buffer } from 'node:stream/consumers'
import type { Blobs } from '../../blobs/blobs.ts'
import type { SourceFile } from '../../core/openapi/bundle.ts'
import { MAX_SOURCE_BYTES } from '../../core/openapi/parse-source.ts'
import type { SpecErrorCode } from '../../db/openapi-tables.ts'
import type { Row } from '../../db/schema.ts'
import { ApiError } from '../../http/errors.ts'
import { fetchRetried } from '../../http/outgoing/retried.ts'
import type { Services } from '../../http/route.ts'

const TIMEOUT_MS = 20_000
const ACCEPT = 'application/json, application/yaml, application/vnd.oai.openapi, text/yaml, */*;q=0.5'

/** A source could not be fetched. The message is for the editors of the specification. */
export class FetchFault extends Error {
  readonly code: SpecErrorCode

  constructor(code: SpecErrorCode, message: string) {
    super(message)
    this.name = 'FetchFault'
    this.code = code
  }
}

type Fetching = Pick<Services, 'fetch'> & { blobs: Blobs }

/** The entry of a source with its ETag; undefined if it has not changed since it was processed. @throws FetchFault */
export async function fetchEntry(
  services: Fetching,
  spec: Row<'openapiSpec'>,
): Promise<{ file: SourceFile; etag: string | null } | undefined> {
  if (spec.sourceUrl === null) {
    const blob = await services.blobs.get(spec.sourceBlob ?? '')
    if (!blob) throw new FetchFault('FETCH_ERROR', 'The source is gone; send it again')
    return { file: { url: null, bytes: await buffer(blob.stream) }, etag: null }
  }
  // A source that has not changed says nothing about the mistakes in it, so after a failure it is read again.
  return fetchUrl(services, spec.sourceUrl, spec.lastErrorCode === null ? spec.etag : null)
}

/** Another file of a source. Its server must not send the request elsewhere. @throws FetchFault */
export async function fetchReferenced(services: Fetching, url: string): Promise<SourceFile> {
  const found = await fetchUrl(services, url, null, 0)
  if (!found) throw new FetchFault('FETCH_ERROR', `${url} returned 304 to a request without conditions`)
  // The references of other files name this address.
  return { url, bytes: found.file.bytes }
}

async function fetchUrl(
  { fetch }: Fetching,
  url: string,
  etag: string | null,
  maxRedirects = 5,
): Promise<{ file: SourceFile; etag: string | null } | undefined> {
  const headers = { accept: ACCEPT, ...(etag === null ? {} : { 'if-none-match': etag }) }
  try {
    const bounds = { maxBytes: MAX_SOURCE_BYTES, timeoutMs: TIMEOUT_MS, maxRedirects }
    return await fetchRetried(fetch, url, bounds, headers, async (found) => {
      if (found.status === 304 && etag !== null) {
        found.body.on('error', () => {}).destroy()
        return undefined
      }
      if (found.status !== 200) {
        found.body.on('error', () => {}).destroy()
        throw new FetchFault('FETCH_ERROR', `The server of the source returned ${found.status}`)
      }
      const bytes = await found.bytes()
      return { file: { url: found.url, bytes }, etag: found.headers['etag']?.slice(0, 1000) ?? null }
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isTimeout = error.cause instanceof Error && error.cause.name === 'TimeoutError'
    throw new FetchFault(isTimeout ? 'FETCH_TIMEOUT' : 'FETCH_ERROR', error.message)
  }
}
