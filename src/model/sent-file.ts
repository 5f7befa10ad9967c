import type { NewFile } from '../core/batch-read.ts'
import { contentTypeFor } from '../core/repository/content-type.ts'
import type { Tx } from '../db/schema.ts'
import { ApiError, conflict, invalid } from '../http/errors.ts'
import type { Caller, Services } from '../http/route.ts'
import type { SentChange, SentFile } from './batch.ts'
import { measured, storeBytes, type StoredBytes } from './stored-file.ts'

/** A file whose bytes are stored; `upload` is where they came from, to be used up. */
export type Stored = Omit<NewFile, 'id'> & { upload?: string }

/** What bytes are fetched and stored with. */
interface Circumstances extends Pick<Services, 'db' | 'blobs' | 'fetch' | 'limits'> {
  me: Caller
  now: Date
}

const MEGABYTE = 1024 * 1024
const AT_ONCE = 8
/** For all that a batch fetches. */
const TIMEOUT_MS = 60_000

/**
 * Stores the bytes of every file that a batch inserts, outside a transaction.
 * @returns by change and place in it
 * @throws 400 naming the file, 413, 503
 */
export async function storeSent(
  circumstances: Circumstances,
  organizationId: string,
  changes: readonly SentChange[],
): Promise<Stored[][]> {
  const stored: Stored[][] = changes.map(() => [])
  const sent = changes.flatMap((change, index) =>
    change.operation === 'insert_files' ? change.files.map((file, i) => ({ file, index, i })) : [],
  )
  const waiting = sent.values()
  const end = performance.now() + TIMEOUT_MS

  async function storeNext(): Promise<void> {
    for (const { file, index, i } of waiting) {
      const at = `body.changes.${index}.files.${i}`
      stored[index]![i] = await named(at, () => store(circumstances, organizationId, file, end))
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, sent.length) }, storeNext))
  return stored
}

/** The same, with the place of the file in what is said of it. */
async function named<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, message, retryAfter } = error
    throw new ApiError(status, `${path}: ${message}`, [{ path, message }], retryAfter)
  }
}

async function store(
  circumstances: Circumstances,
  organizationId: string,
  file: SentFile,
  end: number,
): Promise<Stored> {
  const { name, url, base64, upload, contentType } = file
  if ([url, base64, upload].filter((one) => one !== undefined).length !== 1)
    throw invalid('must have one of "url", "base64" and "upload"')
  if (base64 !== undefined && contentType === undefined)
    throw invalid('must have "contentType" with "base64"')

  const described = ({ shown, ...bytes }: StoredBytes, declared = contentType) => ({
    name,
    contentType: contentTypeFor(name, { declared, shown }),
    ...bytes,
  })
  if (url !== undefined) {
    const { bytes, type } = await storeAddress(circumstances, url, end)
    return described(bytes, contentType ?? type)
  }
  if (base64 !== undefined) return described(await storeBytes(circumstances.blobs, decoded(base64)))
  return { ...described(await storedUpload(circumstances, organizationId, upload!)), upload: upload! }
}

async function storeAddress({ fetch, blobs, limits }: Circumstances, url: string, end: number) {
  const timeoutMs = Math.max(1, Math.round(end - performance.now()))
  const answer = await fetch(url, { maxBytes: limits.upload, timeoutMs })
  if (answer.status !== 200) {
    answer.body.destroy()
    throw invalid(`"url" answered ${answer.status} instead of the file; check the address`)
  }
  return { bytes: await storeBytes(blobs, answer.body), type: answer.headers['content-type'] }
}

function decoded(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, ''))
    throw invalid('"base64" is not base64 (RFC 4648, section 4)')
  if (bytes.length > MEGABYTE) throw invalid('"base64" has more than 1 MB; use "upload" or "url"')
  return bytes
}

async function storedUpload(
  { db, blobs, me, now }: Circumstances,
  organizationId: string,
  id: string,
): Promise<StoredBytes> {
  const upload = await db.read
    .selectFrom('upload')
    .select(['blob', 'size'])
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .where('userId', '=', me.userId)
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst()
  if (!upload?.blob) {
    throw invalid(
      '"upload" is none of yours in this organization, was not sent, is used already, or its 24 hours are over; upload it again',
    )
  }
  return measured(blobs, { hash: upload.blob, size: upload.size })
}

/** Uses uploads up: their bytes are a space's from now on. @throws 409 */
export async function useUploads(tx: Tx, me: Caller, ids: readonly string[]): Promise<void> {
  for (const id of new Set(ids)) {
    const used = await tx
      .deleteFrom('upload')
      .where('id', '=', id)
      .where('userId', '=', me.userId)
      .returning('id')
      .executeTakeFirst()
    if (!used) throw conflict('An upload of this batch was used by something else meanwhile; upload it again')
  }
}
