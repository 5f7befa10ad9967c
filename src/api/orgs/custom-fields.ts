import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import { atLeast } from '../../access/roles/roles.ts'
import {
  CUSTOM_FIELD_TYPES,
  type CustomFieldType,
  type CustomFieldValue,
  hasOptions,
  restrictToOptions,
} from '../../core/content/fields/custom-field.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { conflict, invalidField, notFound } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { InOrganization, oneOf, withUpdatedAt } from '../../model/common.ts'
import {
  CustomField,
  CustomFieldName,
  CustomFieldTexts,
  InCustomField,
  toCustomField,
} from '../../model/content/custom-field.ts'
import { because } from '../../core/languages/reasons.ts'

/** The maximum number of fields. One response contains all fields of a space, so their number is limited. */
const FIELDS_MAX = 100

export const listOrganizationCustomFields = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/custom-fields',
  summary: 'List the custom fields of an organization, oldest first',
  access: onOrg('read'),
  params: InOrganization,
  query: ListQuery,
  returns: listOf(CustomField),
  async handler({ db, urls, organization, organizationRole, page }) {
    const fields = db.selectFrom('customField').selectAll().where('organizationId', '=', organization.id)
    const list = await listRows(fields, page, { by: ['id'] })
    const edit = atLeast(organizationRole, 'admin')
    return { ...list, items: list.items.map((row) => toCustomField(urls, row, edit)) }
  },
})

export const createOrganizationCustomField = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/custom-fields',
  summary: 'Create a custom field, for which every space can have a value',
  description: `The name and type cannot be changed later. An organization can have at most ${FIELDS_MAX} custom fields.`,
  access: onOrg('admin'),
  params: InOrganization,
  bodyLimit: 256 * 1024,
  body: Type.Object({
    name: CustomFieldName,
    type: oneOf(CUSTOM_FIELD_TYPES),
    ...CustomFieldTexts.properties,
  }),
  returns: CustomField,
  status: 201,
  async handler({ tx, urls, organization, body, now, newId }) {
    const { name, type, title = '', description = '', placeholder = '', options } = body
    if (hasOptions(type) && !options)
      throw invalidField('body.options', because('options-required', { type }))
    refuseNeedlessOptions(type, options)
    await refuseTakenName(tx, organization, name)

    const row = await tx
      .insertInto('customField')
      .values({
        id: newId(),
        organizationId: organization.id,
        name,
        type,
        title,
        description,
        placeholder,
        options: options ? JSON.stringify(options) : null,
        createdAt: now.toISOString(),
        updatedAt: now.toISOString(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toCustomField(urls, row, true)
  },
})

export const getOrganizationCustomFieldByName = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/custom-fields/:fieldName',
  summary: 'Get a custom field',
  access: onOrg('read'),
  params: InCustomField,
  returns: CustomField,
  async handler({ db, urls, organization, organizationRole, params }) {
    const row = await findField(db, organization, params.fieldName)
    if (!row) throw notFound('custom field')
    return toCustomField(urls, row, atLeast(organizationRole, 'admin'))
  },
})

export const updateOrganizationCustomField = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/custom-fields/:fieldName',
  summary: 'Update a custom field',
  description:
    'Fields that are not sent keep their values. Removing an option also removes it from the values of all spaces.',
  access: onOrg('admin'),
  params: InCustomField,
  body: CustomFieldTexts,
  returns: CustomField,
  async handler({ tx, urls, organization, params, body, now, audit }) {
    const before = await findField(tx, organization, params.fieldName)
    if (!before) throw notFound('custom field')
    const { options, ...texts } = body
    refuseNeedlessOptions(before.type, options)

    audit({ before })
    if (options) await narrowValues(tx, before, options)
    const row = await tx
      .updateTable('customField')
      .set(withUpdatedAt(before, { ...texts, ...(options && { options: JSON.stringify(options) }) }, now))
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toCustomField(urls, row, true)
  },
})

export const deleteOrganizationCustomField = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/custom-fields/:fieldName',
  summary: 'Delete a custom field and its values',
  access: onOrg('admin'),
  params: InCustomField,
  async handler({ tx, organization, params, audit }) {
    const before = await findField(tx, organization, params.fieldName)
    if (!before) return ABSENT

    await tx.deleteFrom('customFieldValue').where('customFieldId', '=', before.id).execute()
    await tx.deleteFrom('customField').where('id', '=', before.id).execute()
    audit({ before, target: { type: 'custom-field', id: before.id, label: before.name } })
    return undefined
  },
})

function findField(
  db: Reader,
  organization: Row<'organization'>,
  name: string,
): Promise<Row<'customField'> | undefined> {
  return db
    .selectFrom('customField')
    .selectAll()
    .where('organizationId', '=', organization.id)
    .where('name', '=', name)
    .executeTakeFirst()
}

async function refuseTakenName(tx: Tx, organization: Row<'organization'>, name: string): Promise<void> {
  const fields = await tx
    .selectFrom('customField')
    .select('name')
    .where('organizationId', '=', organization.id)
    .execute()
  if (fields.some((field) => field.name === name)) {
    throw conflict(because('custom-field-exists', { name }))
  }
  if (fields.length >= FIELDS_MAX) throw conflict(because('too-many-custom-fields', { limit: FIELDS_MAX }))
}

function refuseNeedlessOptions(type: CustomFieldType, options: string[] | undefined): void {
  if (options && !hasOptions(type))
    throw invalidField('body.options', because('options-not-allowed', { type }))
}

async function narrowValues(tx: Tx, field: Row<'customField'>, options: string[]): Promise<void> {
  const values = await tx
    .selectFrom('customFieldValue')
    .select(['spaceId', 'value'])
    .where('customFieldId', '=', field.id)
    .execute()
  for (const { spaceId, value } of values) {
    const left = restrictToOptions(JSON.parse(value) as CustomFieldValue, options)
    const text = left === undefined ? undefined : JSON.stringify(left)
    if (text === value) continue
    if (text === undefined) {
      await tx
        .deleteFrom('customFieldValue')
        .where('customFieldId', '=', field.id)
        .where('spaceId', '=', spaceId)
        .execute()
      continue
    }
    await tx
      .updateTable('customFieldValue')
      .set({ value: text })
      .where('customFieldId', '=', field.id)
      .where('spaceId', '=', spaceId)
      .execute()
  }
}
