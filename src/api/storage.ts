import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { anyone } from '../access/checks/on.ts'
import { hashSecret } from '../access/credentials/tokens.ts'
import type { Database, Reader, Row } from '../db/schema.ts'
import { matches } from '../http/response/answer.ts'
import { conflict, invalid, missing } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { Id } from '../model/common.ts'
import { because } from '../core/languages/reasons.ts'
import { sentUploadEnd, unsentUploadEnd } from '../model/content/files/upload-times.ts'

const params = Type.Object({ uploadId: Id })
/** An end that changes by less is not written again: most uploads are sent as soon as they are created. */
const PROLONG_MS = 10 * 60_000
const query = Type.Object({ secret: Type.String({ maxLength: 64 }) })

export const putUpload = route({
  method: 'PUT',
  path: '/v1/storage/:uploadId',
  summary: 'Send the bytes of an upload',
  description:
    'Use the URL that creating the upload returned. It contains the secret, so no token is required. An upload expires an hour after it was created or a request last began to send it, and once it is sent, 24 hours after it was created.',
  access: anyone(),
  params,
  query,
  takes: {
    contentTypes: ['application/octet-stream'],
    async countedFor({ db, params: { uploadId }, query: { secret }, now }) {
      const upload = await findUpload(db, String(uploadId), String(secret), now)
      return upload?.userId
    },
  },
  async prepare({ db, params: { uploadId }, query: { secret }, bytes, now, blobs, signal }) {
    const upload = await needUpload(db.read, uploadId, secret, now)
    if (upload.blob !== null) throw conflict(because('upload-sent'))
    // Of many requests at once, one stores a file: the last, since the client of an earlier one may be gone unnoticed.
    const earlier = arriving.get(uploadId)
    if (earlier === 'stored') throw conflict(because('upload-just-sent'))
    earlier?.abort(conflict(because('upload-being-sent')))
    const sender = new AbortController()
    arriving.set(uploadId, sender)
    let stored = false
    signal.addEventListener(
      'abort',
      () => {
        if (stored || arriving.get(uploadId) === sender) arriving.delete(uploadId)
      },
      { once: true },
    )
    await prolong(db, upload, now)
    const complete = () => {
      // Before the bytes are stored, so that no other request stores its own meanwhile, and until the request is over:
      // only then does the upload name the bytes.
      arriving.set(uploadId, 'stored')
      stored = true
    }
    const content = exactly(bytes, upload.size, sender.signal, complete)
    const { hash } = await blobs.put(content, { maxBytes: upload.size })
    return hash
  },
  audit: 'storage.upload.send',
  async handler({ tx, params: { uploadId }, prepared, audit }) {
    const sent = await tx
      .updateTable('upload')
      .set({ blob: prepared })
      .where('id', '=', uploadId)
      .where('blob', 'is', null)
      .returning(['organizationId', 'name', 'size', 'createdAt'])
      .executeTakeFirst()
    if (!sent) throw conflict(because('upload-sent'))
    const expiresAt = sentUploadEnd(sent.createdAt)
    await tx.updateTable('upload').set({ expiresAt }).where('id', '=', uploadId).execute()
    audit({
      organizations: [sent.organizationId],
      target: { type: 'upload', id: uploadId, label: sent.name },
      after: { size: sent.size },
    })
  },
})

export const getUpload = route({
  method: 'GET',
  path: '/v1/storage/:uploadId',
  summary: 'Download an upload',
  access: anyone(),
  params,
  query,
  returns: 'download',
  async handler({ db, params: { uploadId }, query: { secret }, now, blobs, conditions }) {
    const upload = await needUpload(db, uploadId, secret, now)
    const etag = `"${upload.blob?.slice(0, 27)}"`
    if (upload.blob !== null && matches(conditions.ifNoneMatch, etag)) {
      return { status: 304, headers: { etag }, body: undefined }
    }
    const blob = upload.blob === null ? undefined : await blobs.get(upload.blob)
    if (!blob) throw missing(because('upload-empty'))
    return {
      status: 200,
      headers: {
        etag,
        'content-type': 'application/octet-stream',
        'content-length': String(blob.size),
        'content-disposition': 'attachment',
        'x-content-type-options': 'nosniff',
      },
      body: blob.stream,
    }
  },
})

export const deleteUpload = route({
  method: 'DELETE',
  path: '/v1/storage/:uploadId',
  summary: 'Cancel an upload',
  description:
    'Use the URL that creating the upload returned. The upload no longer counts, and its bytes are deleted unless something else uses the same. A request that sends it fails with 409.',
  access: anyone(),
  params,
  query,
  audit: 'storage.upload.cancel',
  async prepare({ db, params: { uploadId }, query: { secret }, now }) {
    await needUpload(db.read, uploadId, secret, now)
    const sender = arriving.get(uploadId)
    if (sender !== 'stored') sender?.abort(conflict(because('upload-unknown')))
  },
  async handler({ tx, params: { uploadId }, query: { secret }, now, enqueue, audit }) {
    const upload = await needUpload(tx, uploadId, secret, now)
    await tx.deleteFrom('upload').where('id', '=', uploadId).execute()
    if (upload.blob !== null) await enqueue(tx, 'remove-blob', { hash: upload.blob })
    audit({
      organizations: [upload.organizationId],
      target: { type: 'upload', id: uploadId, label: upload.name },
      before: { size: upload.size },
    })
  },
})

/** Keeps an upload that a request begins to send for as long as any request may take. */
async function prolong(db: Database, { id, expiresAt }: Row<'upload'>, now: Date): Promise<void> {
  const end = unsentUploadEnd(now)
  if (Date.parse(end) - Date.parse(expiresAt) < PROLONG_MS) return
  await db.write((tx) =>
    tx
      .updateTable('upload')
      .set({ expiresAt: end })
      .where('id', '=', id)
      .where('blob', 'is', null)
      .where('expiresAt', '<', end)
      .execute(),
  )
}

/** For each upload whose bytes this process is receiving: what ends the request that sends them. */
const arriving = new Map<string, AbortController | 'stored'>()

/**
 * Fails after fewer bytes than announced, so that the blob store keeps none of them.
 * @param complete called when all bytes have arrived
 * @throws 400, and the reason of `signal` once it aborts, even if no bytes arrive
 */
async function* exactly(bytes: Readable, size: number, signal: AbortSignal, complete: () => void) {
  const ended = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
  ended.catch(() => undefined)
  // If storing fails, the rest is discarded as it arrives. A destroyed request would block its connection.
  const chunks = bytes.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>
  let arrived = 0
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), ended])
      if (next.done) break
      arrived += next.value.length
      yield next.value
    }
  } finally {
    // As long as the iterator listens, the request does not flow, so nothing could discard its rest. It returns once the
    // next bytes arrive, which may never happen.
    void chunks.return?.()
  }
  if (arrived < size) throw invalid(because('upload-size-differs', { size, arrived }))
  signal.throwIfAborted()
  complete()
}

async function needUpload(db: Reader, id: string, secret: string, now: Date): Promise<Row<'upload'>> {
  const upload = await findUpload(db, id, secret, now)
  if (!upload) throw missing(because('upload-unknown'))
  return upload
}

function findUpload(db: Reader, id: string, secret: string, now: Date) {
  return db
    .selectFrom('upload')
    .selectAll()
    .where('id', '=', id)
    .where('secretHash', '=', hashSecret(secret))
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst()
}
