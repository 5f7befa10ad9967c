import { Type } from 'typebox'
import { onSpace } from '../../access/checks/on.ts'
import { type CustomFieldValue, valueFault } from '../../core/content/fields/custom-field.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { faultAt, type Fault, invalidFields } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { InSpace } from '../../model/common.ts'
import { CustomFieldValues, optionsOf, toCustomField } from '../../model/content/custom-field.ts'
import { because } from '../../core/languages/reasons.ts'

const VALUES_MAX = 100

export const getSpaceCustomFields = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/custom-fields',
  summary: 'List the custom fields of the organization with the values of a space',
  access: onSpace('read'),
  params: InSpace,
  returns: CustomFieldValues,
  async handler({ db, me, urls, space }) {
    const edit = await administers(db, me.userId, space.organizationId)
    const fields = await fieldsFor(db, space)
    return fields.map(({ value, ...field }) => ({
      customField: toCustomField(urls, field, edit),
      ...(value !== null && { value: JSON.parse(value) as CustomFieldValue }),
    }))
  },
})

export const updateSpaceCustomFields = route({
  method: 'PATCH',
  path: '/v1/spaces/:spaceId/custom-fields',
  summary: 'Update the custom-field values of a space',
  description:
    'Fields that are not named keep their values. `null`, or an item without `value`, clears a field. If one field is unknown or one value is invalid, the request fails and changes nothing.',
  access: onSpace('create'),
  params: InSpace,
  bodyLimit: 1024 * 1024,
  body: Type.Object({
    values: Type.Record(Type.String(), Type.Object({ value: Type.Optional(Type.Unknown()) }), {
      maxProperties: VALUES_MAX,
      description: 'The values by the names of the custom fields',
    }),
  }),
  async handler({ tx, space, body, audit }) {
    const fields = await fieldsFor(tx, space)
    const byName = new Map(fields.map((field) => [field.name, field]))
    const entries = Object.entries(body.values).map(([name, { value = null }]) => ({ name, value }))
    refuseFaults(byName, entries)

    const before = entries.map(({ name }): [string, unknown] => {
      const value = byName.get(name)?.value ?? null
      return [name, value === null ? null : JSON.parse(value)]
    })
    audit({
      before: { values: Object.fromEntries(before) },
      after: { values: Object.fromEntries(entries.map(({ name, value }) => [name, value])) },
    })
    for (const { name, value } of entries) await setValue(tx, space, byName.get(name)?.id ?? '', value)
  },
})

async function administers(db: Reader, userId: string, organizationId: string): Promise<boolean> {
  const member = await db
    .selectFrom('member')
    .select('role')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return member?.role === 'admin'
}

function fieldsFor(
  db: Reader,
  space: Row<'space'>,
): Promise<(Row<'customField'> & { value: string | null })[]> {
  return db
    .selectFrom('customField')
    .leftJoin('customFieldValue', (join) =>
      join
        .onRef('customFieldValue.customFieldId', '=', 'customField.id')
        .on('customFieldValue.spaceId', '=', space.id),
    )
    .selectAll('customField')
    .select('customFieldValue.value')
    .where('customField.organizationId', '=', space.organizationId)
    .orderBy('customField.id')
    .execute()
}

/** @throws 400 that names every field and value that is wrong */
function refuseFaults(
  fields: Map<string, Row<'customField'>>,
  entries: { name: string; value: unknown }[],
): void {
  const faults = entries.flatMap(({ name, value }): Fault[] => {
    const field = fields.get(name)
    if (!field) return [faultAt(`body.values.${name}`, because('custom-field-unknown'))]
    const fault = value === null ? undefined : valueFault(field.type, optionsOf(field), value)
    if (!fault) return []
    const { item, ...why } = fault
    const path = `body.values.${name}.value`
    return [faultAt(item === undefined ? path : `${path}.${item}`, why)]
  })
  if (faults.length > 0) throw invalidFields(faults)
}

async function setValue(tx: Tx, space: Row<'space'>, customFieldId: string, value: unknown): Promise<void> {
  if (value === null) {
    await tx
      .deleteFrom('customFieldValue')
      .where('spaceId', '=', space.id)
      .where('customFieldId', '=', customFieldId)
      .execute()
    return
  }
  const text = JSON.stringify(value)
  await tx
    .insertInto('customFieldValue')
    .values({ spaceId: space.id, customFieldId, value: text })
    .onConflict((conflict) => conflict.columns(['spaceId', 'customFieldId']).doUpdateSet({ value: text }))
    .execute()
}
