/** The fonts of an organization, which the look of its sites can name. */
import { type Static, Type } from 'typebox'
import { atLeast } from '../../../access/roles/roles.ts'
import type { Reader, Role, Row } from '../../../db/schema.ts'
import { notFound } from '../../../http/errors.ts'
import type { Urls } from '../../../http/urls.ts'
import { FontDefinition } from '../customization/customization-settings.ts'
import { fontFileName, type FontFileName, fontFileUrl } from './font-address.ts'

/** A font as a resource: what the settings of a site can have as `styling.font`, and what the caller may do with it. */
export const CustomFont = Type.Object(
  {
    ...FontDefinition.properties,
    permissions: Type.Object({
      edit: Type.Boolean({ description: 'Whether the caller may change and delete the font' }),
    }),
  },
  { title: 'CustomFont' },
)

type Font = Pick<Row<'font'>, 'id' | 'organizationId' | 'family'>

/** The fonts of one organization as resources. @param role the role of the caller in it */
export async function toCustomFonts(
  db: Reader,
  urls: Urls,
  fonts: readonly Font[],
  role: Role | null,
): Promise<Static<typeof CustomFont>[]> {
  const ids = fonts.map(({ id }) => id)
  const filesOf = Map.groupBy(await filesOfFonts(db, ids), ({ fontId }) => fontId)
  return fonts.map((font) => toCustomFont(urls, font, filesOf.get(font.id) ?? [], role))
}

/** A font as a resource. @param files those of the font, by weight @param role the role of the caller in its organization */
export const toCustomFont = (
  urls: Urls,
  font: Font,
  files: readonly Row<'fontFile'>[],
  role: Role | null,
): Static<typeof CustomFont> => ({
  ...fontDefinition(urls, font, files),
  permissions: { edit: atLeast(role, 'create') },
})

/** The files of some fonts, by weight. */
export async function filesOfFonts(db: Reader, ids: readonly string[]): Promise<Row<'fontFile'>[]> {
  if (ids.length === 0) return []
  return db.selectFrom('fontFile').selectAll().where('fontId', 'in', ids).orderBy('weight').execute()
}

/** A font as the settings of a site have it. @param files those of the font, by weight */
export function fontDefinition(
  urls: Urls,
  { id, organizationId, family }: Font,
  files: readonly Row<'fontFile'>[],
): Static<typeof FontDefinition> {
  return {
    id,
    custom: true,
    fontFamily: family,
    fontFaces: files.map(({ weight, hash, format }) => {
      const name = fontFileName(weight, format)
      return {
        weight,
        sources: [{ url: fontFileUrl(urls, { organizationId, fontId: id, hash, name }), format }],
      }
    }),
  }
}

/** A font of an organization; undefined if it has no such font. */
export function findFont(db: Reader, organizationId: string, id: string): Promise<Row<'font'> | undefined> {
  return db
    .selectFrom('font')
    .selectAll()
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
}

/** @throws 404 if the organization has no such font */
export async function needFont(db: Reader, organizationId: string, id: string): Promise<Row<'font'>> {
  const font = await findFont(db, organizationId, id)
  if (!font) throw notFound('font')
  return font
}

/** The bytes of a file of a font; undefined if the font has no such file. */
export async function findFontFile(
  db: Reader,
  { organizationId, fontId, hash, name }: FontFileName,
): Promise<{ hash: string; name: string; size: number; contentType: string } | undefined> {
  const file = await db
    .selectFrom('fontFile')
    .innerJoin('font', 'font.id', 'fontFile.fontId')
    .select(['fontFile.size', 'fontFile.format'])
    .where('fontFile.fontId', '=', fontId)
    .where('fontFile.hash', '=', hash)
    .where('font.organizationId', '=', organizationId)
    .executeTakeFirst()
  return file && { hash, name, size: file.size, contentType: `font/${file.format}` }
}
