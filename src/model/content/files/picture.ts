/** Pictures that a request sends as base64: of users, and in the look of sites. */
import { type Static, Type } from 'typebox'
import { withoutEnd } from '../../../core/text/trimming.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict, invalidField } from '../../../http/errors.ts'
import type { Urls } from '../../../http/urls.ts'
import { seen, type UsedBytes, useBlobs } from './stored-file.ts'
import { because } from '../../../core/languages/reasons.ts'

/** The extensions of formats that cannot hold scripts, by their content type. */
export const PLAIN_PICTURES: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
/** The extensions of those, and of drawings, whose downloads are sandboxed, so that the scripts of an SVG never run. */
export const PICTURES: Readonly<Record<string, string>> = { ...PLAIN_PICTURES, 'image/svg+xml': 'svg' }
const MOST_BYTES = 1024 * 1024
const MOST_PIXELS = 4096

/** The limit of a request with a picture in base64 and other fields. */
export const PICTURE_BODY_LIMIT = 1_500_000

/** The base64 of a picture of at most 1 MB. @param formats for the reference, such as `PNG or JPEG` */
export const pictureBase64 = (formats: string) =>
  Type.String({
    maxLength: 1_398_104,
    description: `A ${formats} image of at most 1 MB and ${MOST_PIXELS} × ${MOST_PIXELS} pixels`,
  })

/** A picture as a request sends it. */
export const SentPicture = Type.Object({ base64: pictureBase64('PNG, JPEG, GIF or WebP') })

/**
 * Reads a picture.
 * @param at the field of the request
 * @param formats the extensions of the formats that are accepted, by content type
 * @throws 400
 */
export function pictureOfRequest(
  { base64 }: Static<typeof SentPicture>,
  at: string,
  formats: Readonly<Record<string, string>> = PLAIN_PICTURES,
): { bytes: Uint8Array; contentType: string } {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 0 || withoutEnd(bytes.toString('base64'), '=') !== withoutEnd(base64, '='))
    throw invalidField(at, because('not-base64'))
  if (bytes.length > MOST_BYTES) throw invalidField(at, because('picture-too-large'))
  const { shown, dimensions } = seen(bytes)
  // A drawing may have no size.
  if (shown === undefined || !Object.hasOwn(formats, shown) || (!dimensions && shown !== 'image/svg+xml'))
    throw invalidField(at, because(formats === PLAIN_PICTURES ? 'not-plain-picture' : 'not-picture'))
  const { width, height } = dimensions ?? { width: 0, height: 0 }
  if (width > MOST_PIXELS || height > MOST_PIXELS)
    throw invalidField(at, because('too-many-pixels', { limit: MOST_PIXELS, width, height }))
  return { bytes, contentType: shown }
}

/** Keeps a stored picture with the oldest space of an organization. @returns its address @throws 409 without a space */
export async function keepPicture(
  tx: Tx,
  urls: Urls,
  organizationId: string,
  picture: UsedBytes,
): Promise<string> {
  const space = await tx
    .selectFrom('space')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .executeTakeFirst()
  if (!space) throw conflict(because('organization-without-space-for-picture'))
  await useBlobs(tx, space.id, [picture])
  return urls.file(space.id, picture.hash, `picture.${PICTURES[picture.contentType]}`)
}
