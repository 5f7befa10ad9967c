import { onOrg } from '../../access/on.ts'
import { atLeast } from '../../access/roles.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import { listOf, listPage, ListQuery, textAfter } from '../../http/page.ts'
import { GONE, route } from '../../http/route.ts'
import { InOrganization } from '../../model/common.ts'
import {
  InTranslation,
  toTranslationSettings,
  TranslationFields,
  TranslationSettings,
} from '../../model/translation-settings.ts'

export const listTranslations = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/translations',
  summary: 'The translation settings of an organization, oldest first',
  access: onOrg('read'),
  params: InOrganization,
  query: ListQuery,
  returns: listOf(TranslationSettings),
  async handler({ db, at, organization, organizationRole, page }) {
    const listed = db.selectFrom('translationSettings').where('organizationId', '=', organization.id)
    const rows = await listed
      .selectAll()
      .$if(page.after !== undefined, (settings) => settings.where('id', '>', textAfter(page) ?? ''))
      .orderBy('id')
      .limit(page.limit + 1)
      .execute()
    const { count } = await listed.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    const edit = atLeast(organizationRole, 'admin')
    const settings = rows.map((row) => toTranslationSettings(at, row, edit))
    return listPage(settings, Number(count), page, ({ id }) => [id])
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
  async handler({ tx, at, organization, body, now, newId }) {
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
    return toTranslationSettings(at, row, true)
  },
})

export const getTranslation = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/translations/:translationSettingsId',
  summary: 'Translation settings',
  access: onOrg('read'),
  params: InTranslation,
  returns: TranslationSettings,
  async handler({ db, at, organization, organizationRole, params }) {
    const row = await findSettings(db, organization, params.translationSettingsId)
    if (!row) throw notFound()
    return toTranslationSettings(at, row, atLeast(organizationRole, 'admin'))
  },
})

export const updateTranslation = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/translations/:translationSettingsId',
  summary: 'Change translation settings',
  description: 'Without `languages`, they stay as they are.',
  access: onOrg('admin'),
  params: InTranslation,
  body: TranslationFields,
  returns: TranslationSettings,
  async handler({ tx, at, organization, params, body, now, audit }) {
    const before = await findSettings(tx, organization, params.translationSettingsId)
    if (!before) throw notFound()

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
    return toTranslationSettings(at, row, true)
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
    if (!before) return GONE

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
