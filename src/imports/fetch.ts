import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basename } from 'node:path/posix'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hashSecret } from '../access/credentials/tokens.ts'
import { invalid } from '../http/errors.ts'
import { fetchRetried } from '../http/outgoing/retried.ts'
import type { Services as AllServices } from '../http/route.ts'
import { archiveOfRepository } from './repository-page.ts'
import { because } from '../core/languages/reasons.ts'

const TIMEOUT_MS = 60_000

type Services = Pick<AllServices, 'db' | 'blobs' | 'urls' | 'fetch' | 'limits'> & { signal: AbortSignal }

/** The file to import. Disposing it removes the file, unless it is the stored upload itself. */
export interface FetchedArchive extends AsyncDisposable {
  path: string
  name: string
  /** Whether it is the archive of a repository, which has all files in one folder. */
  isRepository?: boolean
  /** The SHA-256 of its bytes, for an upload of this installation. */
  hash?: string
}

/** Whether the file at an import's `url` is an upload of this installation. */
export function isUpload({ urls }: Pick<Services, 'urls'>, url: string): boolean {
  return url.startsWith(urls.api('/storage/'))
}

/**
 * Fetches the file at an import's `url` to the disk: an upload of this installation, the archive of a public repository, or
 * any other public address.
 * @param maxBytes the size of the largest file at another address
 */
export async function fetchImport(
  services: Services,
  url: string,
  now: Date,
  maxBytes: number = services.limits.upload,
): Promise<FetchedArchive> {
  if (isUpload(services, url)) return readUpload(services, new URL(url), now)
  const archive = archiveOfRepository(url)
  if (archive === undefined) return readAddress(services, url, maxBytes)
  return { ...(await readAddress(services, archive, maxBytes)), isRepository: true }
}

async function readUpload({ db, blobs }: Services, url: URL, now: Date): Promise<FetchedArchive> {
  const upload = await db.read
    .selectFrom('upload')
    .select(['name', 'blob'])
    .where('id', '=', basename(url.pathname))
    .where('secretHash', '=', hashSecret(url.searchParams.get('secret') ?? ''))
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst()
  const path = upload?.blob ? await blobs.file?.(upload.blob) : undefined
  if (upload?.blob && path !== undefined)
    return { path, name: upload.name, hash: upload.blob, [Symbol.asyncDispose]: () => Promise.resolve() }
  const blob = upload?.blob ? await blobs.get(upload.blob) : undefined
  if (!upload?.blob || !blob) throw invalid(because('upload-without-file'))
  return { ...(await onDisk(blob.stream, upload.name)), hash: upload.blob }
}

function readAddress({ fetch, signal }: Services, url: string, maxBytes: number): Promise<FetchedArchive> {
  const bounds = { maxBytes, timeoutMs: TIMEOUT_MS, signal }
  return fetchRetried(fetch, url, bounds, {}, async (answer) => {
    if (answer.status === 200) return onDisk(answer.body, fileNameOf(answer.url))
    answer.body.destroy()
    throw invalid(because('import-not-fetched', { status: answer.status }))
  })
}

async function onDisk(content: Readable, name: string): Promise<FetchedArchive> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-import-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, 'archive')
    await pipeline(content, createWriteStream(path))
    return { path, name, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
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
