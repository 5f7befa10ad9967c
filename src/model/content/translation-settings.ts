import { type Static, Type } from 'typebox'
import type { Row } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { Id, InOrganization, oneOf, Timestamp, titleSchema, Uri } from '../common.ts'
import { LANGUAGES } from '../../core/languages/content-languages.ts'

export const InTranslation = Type.Object({ ...InOrganization.properties, translationSettingsId: Id })

export const TranslationFields = Type.Object({
  title: titleSchema(100),
  languages: Type.Optional(
    Type.Array(oneOf(LANGUAGES), {
      uniqueItems: true,
      maxItems: LANGUAGES.length,
      description: 'The target languages',
    }),
  ),
})

/** The translation settings of an organization. */
export const TranslationSettings = Type.Object(
  {
    object: oneOf(['translation-settings']),
    id: Type.String(),
    title: Type.String(),
    languages: Type.Array(oneOf(LANGUAGES)),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    permissions: Type.Object({ view: Type.Boolean(), edit: Type.Boolean() }),
    urls: Type.Object({ location: Uri }),
  },
  { title: 'TranslationSettings' },
)
export type TranslationSettings = Static<typeof TranslationSettings>

/** @param edit whether the caller can change the settings */
export function toTranslationSettings(
  urls: Urls,
  row: Row<'translationSettings'>,
  edit: boolean,
): TranslationSettings {
  return {
    object: 'translation-settings',
    id: row.id,
    title: row.title,
    languages: JSON.parse(row.languages) as string[],
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    permissions: { view: true, edit },
    urls: { location: urls.api(`/orgs/${row.organizationId}/translations/${row.id}`) },
  }
}
