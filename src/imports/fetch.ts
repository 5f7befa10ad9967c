import { basename } from 'node:path/posix'
import { buffer } from 'node:stream/consumers'
import { hashSecret } from '../access/tokens.ts'
import { invalid } from '../http/errors.ts'
import type { Services as AllServices } from '../http/route.ts'

const TIMEOUT_MS = 60_000

type Services = Pick<AllServices, 'db' | 'blobs' | 'urls' | 'fetch' | 'limits'>

/** The file to import. */
export interface FetchedArchive {
  bytes: Uint8Array
  name: string
}

/** Fetches the file at an import's `url`: an upload of this installation, or any other public address. */
export async function fetchImport(services: Services, url: string, now: Date): Promise<FetchedArchive> {
  const own = url.startsWith(services.urls.api('/storage/'))
  const { bytes, name } = own
    ? await readUpload(services, new URL(url), now)
    : await readAddress(services, url)
  // The bytes are transferred to a thread, so they need a buffer of their own: a Buffer can be a view of a shared one.
  return { bytes: new Uint8Array(bytes), name }
}

async function readUpload({ db, blobs }: Services, url: URL, now: Date) {
  const upload = await db.read
    .selectFrom('upload')
    .select(['name', 'blob'])
    .where('id', '=', basename(url.pathname))
    .where('secretHash', '=', hashSecret(url.searchParams.get('secret') ?? ''))
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst()
  const blob = upload?.blob ? await blobs.get(upload.blob) : undefined
  if (!upload || !blob)
    throw invalid(
      '"url" is an upload without a file, or one that expired after 24 hours; upload the file again',
    )
  return { bytes: await buffer(blob.stream), name: upload.name }
}

async function readAddress({ fetch, limits }: Services, url: string) {
  const answer = await fetch(url, { maxBytes: limits.upload, timeoutMs: TIMEOUT_MS })
  if (answer.status !== 200) {
    answer.body.destroy()
    throw invalid(`The server at "url" returned ${answer.status} instead of the file; check the address`)
  }
  return {
    bytes: await answer.bytes(),
    name: fileNameOf(answer.url),
  }
}

/** The last segment of an address. A server decides how it encodes its paths, so any percent-encoding is accepted. */
function fileNameOf(url: string): string {
  const name = basename(new URL(url).pathname)
  try {
    return decodeURIComponent(name) || 'import'
  } catch {
    return name
  }
}
