import { Type } from 'typebox'
import { onOrg } from '../../access/on.ts'
import { atLeast } from '../../access/roles.ts'
import {
  CUSTOM_FIELD_TYPES,
  type CustomFieldType,
  type CustomFieldValue,
  hasOptions,
  narrowed,
} from '../../core/custom-field.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { conflict, invalid, notFound } from '../../http/errors.ts'
import { listOf, listPage, ListQuery, textAfter } from '../../http/page.ts'
import { GONE, route } from '../../http/route.ts'
import { InOrganization, oneOf } from '../../model/common.ts'
import {
  CustomField,
  CustomFieldName,
  CustomFieldTexts,
  InCustomField,
  toCustomField,
} from '../../model/custom-field.ts'

/** The fields of a space are answered all at once, so there are not more of them than that can bear. */
const FIELDS_MAX = 100

export const listOrganizationCustomFields = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/custom-fields',
  summary: 'The custom fields of an organization, oldest first',
  access: onOrg('read'),
  params: InOrganization,
  query: ListQuery,
  returns: listOf(CustomField),
  async handler({ db, at, organization, organizationRole, page }) {
    const listed = db.selectFrom('customField').where('organizationId', '=', organization.id)
    const rows = await listed
      .selectAll()
      .$if(page.after !== undefined, (fields) => fields.where('id', '>', textAfter(page) ?? ''))
      .orderBy('id')
      .limit(page.limit + 1)
      .execute()
    const { count } = await listed.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    const edit = atLeast(organizationRole, 'admin')
    const fields = rows.map((row) => toCustomField(at, row, edit))
    return listPage(fields, Number(count), page, ({ id }) => [id])
  },
})

export const createOrganizationCustomField = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/custom-fields',
  summary: 'Define a custom field, for which every space can have a value',
  description: `Its name and type stay. An organization has at most ${FIELDS_MAX}.`,
  access: onOrg('admin'),
  params: InOrganization,
  body: Type.Object({
    name: CustomFieldName,
    type: oneOf(CUSTOM_FIELD_TYPES),
    ...CustomFieldTexts.properties,
  }),
  returns: CustomField,
  status: 201,
  async handler({ tx, at, organization, body, now, newId }) {
    const { name, type, title = '', description = '', placeholder = '', options } = body
    if (hasOptions(type) && !options)
      throw badOptions(`are required for the type "${type}", and there are none`)
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
    return toCustomField(at, row, true)
  },
})

export const getOrganizationCustomFieldByName = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/custom-fields/:fieldName',
  summary: 'A custom field',
  access: onOrg('read'),
  params: InCustomField,
  returns: CustomField,
  async handler({ db, at, organization, organizationRole, params }) {
    const row = await findField(db, organization, params.fieldName)
    if (!row) throw notFound()
    return toCustomField(at, row, atLeast(organizationRole, 'admin'))
  },
})

export const updateOrganizationCustomField = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/custom-fields/:fieldName',
  summary: 'Change a custom field',
  description:
    'Absent fields stay. An option that is taken out is taken out of the values of all spaces too, in the same moment.',
  access: onOrg('admin'),
  params: InCustomField,
  body: CustomFieldTexts,
  returns: CustomField,
  async handler({ tx, at, organization, params, body, now, audit }) {
    const before = await findField(tx, organization, params.fieldName)
    if (!before) throw notFound()
    const { options, ...texts } = body
    refuseNeedlessOptions(before.type, options)

    audit({ before })
    if (options) await narrowValues(tx, before, options)
    const row = await tx
      .updateTable('customField')
      .set({
        ...texts,
        ...(options && { options: JSON.stringify(options) }),
        updatedAt: now.toISOString(),
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toCustomField(at, row, true)
  },
})

export const deleteOrganizationCustomField = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/custom-fields/:fieldName',
  summary: 'Delete a custom field, with the values that spaces have for it',
  access: onOrg('admin'),
  params: InCustomField,
  async handler({ tx, organization, params, audit }) {
    const before = await findField(tx, organization, params.fieldName)
    if (!before) return GONE

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
    throw conflict(`The organization has a custom field "${name}" already`)
  }
  if (fields.length >= FIELDS_MAX) throw conflict(`An organization has at most ${FIELDS_MAX} custom fields`)
}

function refuseNeedlessOptions(type: CustomFieldType, options: string[] | undefined): void {
  if (options && !hasOptions(type)) throw badOptions(`are not for the type "${type}"`)
}

function badOptions(message: string) {
  return invalid(`"options" ${message}`, [{ path: 'body.options', message }])
}

async function narrowValues(tx: Tx, field: Row<'customField'>, options: string[]): Promise<void> {
  const values = await tx
    .selectFrom('customFieldValue')
    .select(['spaceId', 'value'])
    .where('customFieldId', '=', field.id)
    .execute()
  for (const { spaceId, value } of values) {
    const left = narrowed(JSON.parse(value) as CustomFieldValue, options)
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
