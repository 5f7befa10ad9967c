import type { NewFile } from '../../../core/content/batch/read.ts'
import { contentTypeFor } from '../../../core/web/content-type.ts'
import type { Tx } from '../../../db/schema.ts'
import {
  refusedAt,
  ApiError,
  conflict,
  invalid,
  invalidField,
  invalidFields,
  unknownId,
} from '../../../http/errors.ts'
import type { Caller, Services } from '../../../http/route.ts'
import type { BatchChange, SentFile } from '../batch/batch.ts'
import { measured, storeBytes, type StoredBytes } from './stored-file.ts'
import { withoutEnd } from '../../../core/text/trimming.ts'
import { because } from '../../../core/languages/reasons.ts'

/** A file whose bytes are stored; `upload` is the upload they came from, which the batch uses up. */
export type Stored = Omit<NewFile, 'id'> & { upload?: string }

interface FileServices extends Pick<Services, 'db' | 'blobs' | 'fetch' | 'limits'> {
  me: Caller
  now: Date
}

const MEGABYTE = 1024 * 1024
const AT_ONCE = 8
/** The time limit for all fetches of a batch together. */
const TIMEOUT_MS = 60_000

/**
 * Stores the bytes of every file that a batch inserts or updates, outside a transaction.
 * @param nameOf the name of a file of the content, for the type of its new bytes
 * @returns the files of each change, in the order of the request
 * @throws 400 naming the file, 413, 503
 */
export async function storeSent(
  context: FileServices,
  organizationId: string,
  changes: readonly BatchChange[],
  nameOf: (file: string) => string | undefined,
): Promise<Stored[][]> {
  const stored: Stored[][] = changes.map(() => [])
  const sent = changes.flatMap((change, index) => {
    const at = `body.changes.${index}`
    if (change.operation === 'insert_files')
      return change.files.map((file, i) => ({ file, index, i, at: `${at}.files.${i}` }))
    if (change.operation !== 'update_file' || !hasBytes(change)) return []
    const name = change.name ?? nameOf(change.file) ?? ''
    return [{ file: { ...change, name }, index, i: 0, at }]
  })
  const waiting = sent.values()
  const end = performance.now() + TIMEOUT_MS

  async function storeNext(): Promise<void> {
    for (const { file, index, i, at } of waiting) {
      stored[index]![i] = await named(at, () => store(context, organizationId, file, end))
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, sent.length) }, storeNext))
  return stored
}

function hasBytes({ url, base64, upload, contentType }: Partial<SentFile>): boolean {
  return [url, base64, upload, contentType].some((one) => one !== undefined)
}

/** Runs `work`. An error of it names the file by its path in the body. */
async function named<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, details, retryAfter } = error
    const faults = details?.map((fault) => ({ ...fault, path: `${path}.${fault.path}` }))
    if (faults) throw invalidFields(faults)
    throw refusedAt(status, path, error, retryAfter)
  }
}

async function store(
  context: FileServices,
  organizationId: string,
  file: SentFile,
  end: number,
): Promise<Stored> {
  const { name, url, base64, upload, contentType } = file
  if ([url, base64, upload].filter((one) => one !== undefined).length !== 1)
    throw invalid(because('file-source-missing'))
  if (base64 !== undefined && contentType === undefined) throw invalid(because('content-type-missing'))

  const described = ({ shown, ...bytes }: StoredBytes, declared = contentType) => ({
    name,
    contentType: contentTypeFor(name, { declared, shown }),
    ...bytes,
  })
  if (url !== undefined) {
    const { bytes, type } = await storeAddress(context, url, end)
    return described(bytes, contentType ?? type)
  }
  if (base64 !== undefined) return described(await storeBytes(context.blobs, decoded(base64)))
  return { ...described(await storedUpload(context, organizationId, upload!)), upload: upload! }
}

async function storeAddress({ fetch, blobs, limits }: FileServices, url: string, end: number) {
  const timeoutMs = Math.max(1, Math.round(end - performance.now()))
  const answer = await fetch(url, { maxBytes: limits.upload, timeoutMs })
  if (answer.status !== 200) {
    answer.body.destroy()
    throw invalidField('url', because('not-file-address', { status: answer.status }))
  }
  return { bytes: await storeBytes(blobs, answer.body), type: answer.headers['content-type'] }
}

function decoded(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  if (withoutEnd(bytes.toString('base64'), '=') !== withoutEnd(base64, '='))
    throw invalidField('base64', because('not-base64'))
  if (bytes.length > MEGABYTE) throw invalidField('base64', because('base64-too-large'))
  return bytes
}

async function storedUpload(
  { db, blobs, me, now }: FileServices,
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
  if (!upload?.blob)
    throw unknownId('upload', id, 'a complete, unused upload that you made here in the last 24 hours')
  return measured(blobs, { hash: upload.blob, size: upload.size })
}

/** Deletes uploads whose files are now in a space. @throws 409 if another request used one first */
export async function useUploads(tx: Tx, me: Caller, ids: readonly string[]): Promise<void> {
  for (const id of new Set(ids)) {
    const used = await tx
      .deleteFrom('upload')
      .where('id', '=', id)
      .where('userId', '=', me.userId)
      .returning('id')
      .executeTakeFirst()
    if (!used) throw conflict(because('upload-used', { id }))
  }
}
