import { type Static, Type } from 'typebox'
import {
  CUSTOM_FIELD_TYPES,
  type CustomFieldValue,
  VALUE_ITEMS_MAX,
  VALUE_TEXT_MAX,
} from '../../core/content/fields/custom-field.ts'
import type { Row } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { InOrganization, oneOf, Timestamp, Uri } from '../common.ts'

const NAME_PATTERN = '^[a-z_\\-0-9]+$'

export const CustomFieldName = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: NAME_PATTERN,
  'x-pattern': 'have only the letters a to z, digits, "_" and "-"',
})
export const InCustomField = Type.Object({
  ...InOrganization.properties,
  fieldName: Type.String({ maxLength: 50 }),
})

/** The fields of a definition that can be updated. */
export const CustomFieldTexts = Type.Object({
  title: Type.Optional(Type.String({ maxLength: 100 })),
  description: Type.Optional(Type.String({ maxLength: 200 })),
  placeholder: Type.Optional(Type.String({ maxLength: 100 })),
  options: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'Required for the two select types, and allowed only for them',
    }),
  ),
})

/** A field for which every space of the organization can have a value. */
export const CustomField = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    title: Type.String(),
    description: Type.String(),
    type: oneOf(CUSTOM_FIELD_TYPES),
    placeholder: Type.String(),
    options: Type.Optional(Type.Array(Type.String())),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: Type.Object({ location: Uri }),
    permissions: Type.Object({ view: Type.Boolean(), edit: Type.Boolean() }),
  },
  { title: 'CustomField' },
)
export type CustomField = Static<typeof CustomField>

const Value = Type.Unsafe<CustomFieldValue>({
  anyOf: [
    { type: 'string', maxLength: VALUE_TEXT_MAX },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: { type: 'string', maxLength: VALUE_TEXT_MAX }, maxItems: VALUE_ITEMS_MAX },
  ],
})

/** A field with its value in a space; `value` is absent if the space has none. */
export const CustomFieldValues = Type.Array(
  Type.Object({ customField: CustomField, value: Type.Optional(Value) }),
  { title: 'CustomFieldValues' },
)

/** @param edit whether the caller may change the definition */
export function toCustomField(urls: Urls, row: Row<'customField'>, edit: boolean): CustomField {
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    description: row.description,
    type: row.type,
    placeholder: row.placeholder,
    ...(row.options !== null && { options: optionsOf(row) }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    urls: { location: urls.api(`/orgs/${row.organizationId}/custom-fields/${row.name}`) },
    permissions: { view: true, edit },
  }
}

/** The options of a definition; empty for a type without options. */
export function optionsOf(row: Row<'customField'>): string[] {
  return row.options === null ? [] : (JSON.parse(row.options) as string[])
}
