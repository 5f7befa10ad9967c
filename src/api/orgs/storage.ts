import { sizeLimit } from '../../core/text/byte-size.ts'
import { Type } from 'typebox'
import { hashSecret } from '../../access/credentials/tokens.ts'
import { onOrg } from '../../access/checks/on.ts'
import { randomText } from '../../core/data/id.ts'
import type { Tx } from '../../db/schema.ts'
import { conflict, tooLarge } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { InOrganization, oneOf, Uri } from '../../model/common.ts'
import { because } from '../../core/languages/reasons.ts'
import { unsentUploadEnd } from '../../model/content/files/upload-times.ts'

/** How many uploads an organization, and a user, may have at once, because each has rows in the database, however small its file. */
const UPLOADS_MAX = 10_000

export const generateStorageUploadURL = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/storage/upload',
  summary: 'Create an upload and return the URL to send the file to',
  description:
    'The URL requires no token. Within an hour, send the file to it once with PUT. Then the URL can be used as the `url` of an import, until 24 hours after the upload was created. A DELETE of the URL cancels the upload. The request fails with 409 if the uploads of the organization, or those of the caller in all organizations, would exceed the quota, or if the caller would have more in the organization than is left for the others.',
  access: onOrg('edit'),
  params: InOrganization,
  body: Type.Object({
    file: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 256 }),
      type: Type.String({ maxLength: 127 }),
      size: Type.Integer({ minimum: 0 }),
    }),
    kind: oneOf(['customization_font', 'import_file']),
  }),
  returns: Type.Object(
    { object: oneOf(['storage-signed-url']), url: Uri, key: Type.String() },
    { title: 'StorageSignedUrl' },
  ),
  status: 201,
  location: ({ url }) => url,
  async handler({ tx, me, urls, body, organization, now, newId, limits, enqueue, audit }) {
    const { name, type, size } = body.file
    if (size > limits.upload) throw tooLarge(because('file-too-large', { limit: sizeLimit(limits.upload) }))
    const wanted = { size, quota: limits.uploadQuota, now }
    const ofOrganization = await needQuota(tx, 'organization', { organizationId: organization.id }, wanted)
    await needQuota(tx, 'user', { userId: me.userId }, wanted)
    const own = await openUploads(tx, { organizationId: organization.id, userId: me.userId }, now)
    leaveRoom(own, ofOrganization, wanted)

    const id = newId()
    const secret = randomText(40)
    const expiresAt = unsentUploadEnd(now)
    await tx
      .insertInto('upload')
      .values({
        id,
        organizationId: organization.id,
        userId: me.userId,
        name,
        contentType: type,
        size,
        kind: body.kind,
        secretHash: hashSecret(secret),
        blob: null,
        createdAt: now.toISOString(),
        expiresAt,
      })
      .execute()
    audit({ target: { type: 'upload', id, label: name }, after: { kind: body.kind, size, expiresAt } })
    await enqueue(tx, 'expire-upload', { id }, { runAt: new Date(expiresAt) })
    return {
      object: 'storage-signed-url' as const,
      url: urls.api(`/storage/${id}?secret=${secret}`),
      key: id,
    }
  },
})

/** Uploads that have not expired. An announced upload counts with its whole size, whether or not it was sent. */
interface OpenUploads {
  count: number
  bytes: number
}

async function openUploads(
  tx: Tx,
  of: { organizationId?: string; userId?: string },
  now: Date,
): Promise<OpenUploads> {
  const { count, bytes } = await tx
    .selectFrom('upload')
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.sum('size').as('bytes')])
    .where((eb) => eb.and(of))
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes ?? 0) }
}

/**
 * Refuses an upload beyond the quota.
 * @returns the uploads before it
 * @throws 409
 */
async function needQuota(
  tx: Tx,
  whose: 'organization' | 'user',
  of: { organizationId: string } | { userId: string },
  { size, quota, now }: { size: number; quota: number; now: Date },
): Promise<OpenUploads> {
  const { count, bytes } = await openUploads(tx, of, now)
  if (bytes + size <= quota && count < UPLOADS_MAX) return { count, bytes }
  throw conflict(because(`too-many-uploads-of-${whose}`, { count, bytes, limit: UPLOADS_MAX, quota }))
}

/**
 * Refuses an upload with which a user would have more in the organization than is left for all others, so that nobody
 * alone uses up the quota. The only upload of a user may use all that is left.
 * @throws 409
 */
function leaveRoom(
  own: OpenUploads,
  all: OpenUploads,
  { size, quota }: { size: number; quota: number },
): void {
  const left = { count: UPLOADS_MAX - all.count, bytes: quota - all.bytes }
  if (own.count === 0) return
  if (own.bytes + size <= left.bytes - size && own.count + 1 <= left.count - 1) return
  throw conflict(because('too-many-uploads-of-member', { ...own, left: left.count, quota: left.bytes }))
}
