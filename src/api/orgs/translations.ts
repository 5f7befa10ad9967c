import { onOrg } from '../../access/checks/on.ts'
import { atLeast } from '../../access/roles/roles.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { InOrganization } from '../../model/common.ts'
import {
  InTranslation,
  toTranslationSettings,
  TranslationFields,
  TranslationSettings,
} from '../../model/content/translation-settings.ts'

export const listTranslations = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/translations',
  summary: 'List the translation settings of an organization, oldest first',
  access: onOrg('read'),
  params: InOrganization,
  query: ListQuery,
  returns: listOf(TranslationSettings),
  async handler({ db, urls, organization, organizationRole, page }) {
    const settings = db
      .selectFrom('translationSettings')
      .selectAll()
      .where('organizationId', '=', organization.id)
    const list = await listRows(settings, page, { by: ['id'] })
    const edit = atLeast(organizationRole, 'admin')
    return { ...list, items: list.items.map((row) => toTranslationSettings(urls, row, edit)) }
  },
})

export const createTranslation = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/translations',
  summary: 'Create translation settings',
  access: onOrg('admin'),
  params: InOrganization,
  body: TranslationFields,
  returns: TranslationSettings,
  status: 201,
  async handler({ tx, urls, organization, body, now, newId }) {
    const row = await tx
      .insertInto('translationSettings')
      .values({
        id: newId(),
        organizationId: organization.id,
        title: body.title,
        languages: JSON.stringify(body.languages ?? []),
        createdAt: now.toISOString(),
        updatedAt: now.toISOString(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toTranslationSettings(urls, row, true)
  },
})

export const getTranslation = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/translations/:translationSettingsId',
  summary: 'Get translation settings',
  access: onOrg('read'),
  params: InTranslation,
  returns: TranslationSettings,
  async handler({ db, urls, organization, organizationRole, params }) {
    const row = await findSettings(db, organization, params.translationSettingsId)
    if (!row) throw notFound('translation')
    return toTranslationSettings(urls, row, atLeast(organizationRole, 'admin'))
  },
})

export const updateTranslation = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/translations/:translationSettingsId',
  summary: 'Update translation settings',
  description: 'Without `languages`, the languages keep their values.',
  access: onOrg('admin'),
  params: InTranslation,
  body: TranslationFields,
  returns: TranslationSettings,
  async handler({ tx, urls, organization, params, body, now, audit }) {
    const before = await findSettings(tx, organization, params.translationSettingsId)
    if (!before) throw notFound('translation')

    audit({ before })
    const row = await tx
      .updateTable('translationSettings')
      .set({
        title: body.title,
        ...(body.languages && { languages: JSON.stringify(body.languages) }),
        updatedAt: now.toISOString(),
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toTranslationSettings(urls, row, true)
  },
})

export const deleteTranslation = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/translations/:translationSettingsId',
  summary: 'Delete translation settings',
  access: onOrg('admin'),
  params: InTranslation,
  status: 205,
  async handler({ tx, organization, params, audit }) {
    const before = await findSettings(tx, organization, params.translationSettingsId)
    if (!before) return ABSENT

    await tx.deleteFrom('translationSettings').where('id', '=', before.id).execute()
    audit({ before, target: { type: 'translation-settings', id: before.id, label: before.title } })
    return undefined
  },
})

function findSettings(
  db: Reader,
  organization: Row<'organization'>,
  id: string,
): Promise<Row<'translationSettings'> | undefined> {
  return db
    .selectFrom('translationSettings')
    .selectAll()
    .where('id', '=', id)
    .where('organizationId', '=', organization.id)
    .executeTakeFirst()
}
