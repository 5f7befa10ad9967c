import { basename } from 'node:path/posix'
import { buffer } from 'node:stream/consumers'
import { hashSecret } from '../access/tokens.ts'
import { invalid } from '../http/errors.ts'
import type { Services as AllServices } from '../http/route.ts'

const TIMEOUT_MS = 60_000

type Services = Pick<AllServices, 'db' | 'blobs' | 'at' | 'fetch' | 'limits'>

/** The bytes an import is made from, in a buffer of their own, and the name of the file. */
export interface Fetched {
  bytes: Uint8Array
  name: string
}

/** Fetches what an import's `url` names: an upload of this installation, or something out in the world. */
export async function fetchImport(services: Services, url: string, now: Date): Promise<Fetched> {
  const own = url.startsWith(services.at.api('/storage/'))
  const { bytes, name } = own
    ? await readUpload(services, new URL(url), now)
    : await readAddress(services, url)
  // A buffer may be a window of a larger one that others use too; the thread that reads it takes it away.
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
    throw invalid('"url" is an upload that was not sent, or whose 24 hours are over; upload it again')
  return { bytes: await buffer(blob.stream), name: upload.name }
}

async function readAddress({ fetch, limits }: Services, url: string) {
  const answer = await fetch(url, { maxBytes: limits.upload, timeoutMs: TIMEOUT_MS })
  if (answer.status !== 200) {
    answer.body.destroy()
    throw invalid(`"url" answered ${answer.status} instead of the file; check the address`)
  }
  return {
    bytes: await answer.bytes(),
    name: decodeURIComponent(basename(new URL(answer.url).pathname)) || 'import',
  }
}
