/** What a request makes of the files of a font. */
import { type Static, Type } from 'typebox'
import { buffer } from 'node:stream/consumers'
import { because } from '../../../core/languages/reasons.ts'
import type { Reader, Row, Tx } from '../../../db/schema.ts'
import type { FontFormat } from '../../../db/site-tables.ts'
import { conflict, invalidField, unknownId } from '../../../http/errors.ts'
import type { Caller, Services } from '../../../http/route.ts'
import { nullable } from '../../common.ts'
import { useUploads } from '../../content/files/sent-file.ts'
import { filesOfFonts } from './font.ts'
import { FACES_MAX, FontWeight } from '../customization/customization-settings.ts'

const StorageKey = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'The `key` of an upload of the kind `customization_font` with a WOFF2 or WOFF file',
})

/** The weights of a new font. */
export const FontFaces = Type.Array(Type.Object({ weight: FontWeight, storageKey: StorageKey }), {
  minItems: 1,
  maxItems: FACES_MAX,
})

/** Changes of the weights of a font: null removes a weight. */
export const FontFaceChanges = Type.Array(
  Type.Object({ weight: FontWeight, storageKey: nullable(StorageKey) }),
  { maxItems: FACES_MAX },
)

/** A file for a weight, or undefined for a weight without one. */
export interface ReadFace {
  weight: number
  file: { upload: string; hash: string; size: number; format: FontFormat } | undefined
}

const USABLE =
  'a complete, unused upload of the kind "customization_font" that you made here in the last 24 hours'

/** The first bytes of a file, which name its format (WOFF 1.0 and 2.0, section 4). */
const SIGNATURES: Record<string, FontFormat> = { wOF2: 'woff2', wOFF: 'woff' }

/**
 * Reads the uploads that font faces name. Call it outside a transaction.
 * @throws 400 that names the field of an unknown upload, of another kind of file, or of a weight that is there twice
 */
export async function readFaces(
  { db, blobs, me, now }: { db: Reader; blobs: Services['blobs']; me: Caller; now: Date },
  organizationId: string,
  faces: Static<typeof FontFaceChanges>,
): Promise<ReadFace[]> {
  const read: ReadFace[] = []
  for (const [i, { weight, storageKey }] of faces.entries()) {
    const at = `body.fontFaces.${i}`
    if (read.some((face) => face.weight === weight))
      throw invalidField(`${at}.weight`, because('font-weight-twice'))
    if (storageKey === null) {
      read.push({ weight, file: undefined })
      continue
    }
    const upload = await db
      .selectFrom('upload')
      .select(['blob', 'size'])
      .where('id', '=', storageKey)
      .where('organizationId', '=', organizationId)
      .where('userId', '=', me.userId)
      .where('kind', '=', 'customization_font')
      .where('expiresAt', '>', now.toISOString())
      .executeTakeFirst()
    const start = upload?.blob ? await blobs.get(upload.blob, { start: 0, end: 4 }) : undefined
    if (!upload?.blob || !start) throw unknownId(`${at}.storageKey`, storageKey, USABLE)
    const format = SIGNATURES[(await buffer(start.stream)).toString('latin1')]
    if (!format) throw invalidField(`${at}.storageKey`, because('font-file-format'))
    read.push({ weight, file: { upload: storageKey, hash: upload.blob, size: upload.size, format } })
  }
  return read
}

/**
 * Stores the files of font faces, each instead of the one that the weight had, and deletes their uploads.
 * @returns the files that the font has then, by weight
 * @throws 400 for a font without a file for the weight 400, or with too many; 409 if another request used an upload first
 */
export async function storeFaces(
  tx: Tx,
  me: Caller,
  fontId: string,
  faces: readonly ReadFace[],
): Promise<Row<'fontFile'>[]> {
  await useUploads(
    tx,
    me,
    faces.flatMap(({ file }) => file?.upload ?? []),
  )
  for (const { weight, file } of faces) {
    await tx.deleteFrom('fontFile').where('fontId', '=', fontId).where('weight', '=', weight).execute()
    if (!file) continue
    const { hash, size, format } = file
    await tx.insertInto('fontFile').values({ fontId, weight, hash, size, format }).execute()
  }
  const files = await filesOfFonts(tx, [fontId])
  if (files.length > FACES_MAX) throw conflict(because('too-many-faces', { limit: FACES_MAX }))
  if (!files.some(({ weight }) => weight === 400))
    throw invalidField('body.fontFaces', because('font-without-regular'))
  return files
}
