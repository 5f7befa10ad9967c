import { buffer } from 'node:stream/consumers'
import type { Static } from 'typebox'
import type { Blobs } from '../../../blobs/blobs.ts'
import { LOOKED_AT } from '../../../core/web/dimensions.ts'
import type { Reader } from '../../../db/schema.ts'
import { keptPhoto } from '../../people/user.ts'
import { PLAIN_PICTURES, pictureOfRequest, type SentPicture } from './picture.ts'
import { seen } from './stored-file.ts'

/** Stores a picture, outside a transaction. @returns the value for the column of its address. @throws 400 */
export async function storePhoto(blobs: Blobs, sent: Static<typeof SentPicture>): Promise<string> {
  const { hash } = await blobs.put(pictureOfRequest(sent, 'body.photo.base64').bytes)
  return keptPhoto(hash)
}

/** The present picture of a user with this hash; undefined if the user has another one. */
export async function findPhoto(db: Reader, blobs: Blobs, userId: string, hash: string) {
  const user = await db
    .selectFrom('user')
    .select('id')
    .where('id', '=', userId)
    .where('photoUrl', '=', keptPhoto(hash))
    .executeTakeFirst()
  if (!user) return undefined
  const blob = await blobs.get(hash, { start: 0, end: LOOKED_AT })
  if (!blob) return undefined
  const { shown = '' } = seen(await buffer(blob.stream))
  return { hash, name: `photo.${PLAIN_PICTURES[shown]}`, size: blob.size, contentType: shown }
}
