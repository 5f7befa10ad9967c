/** The types of custom fields. */
export const CUSTOM_FIELD_TYPES = [
  'text',
  'number',
  'boolean',
  'tags',
  'select:multi',
  'select:single',
] as const
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number]
export type CustomFieldValue = string | number | boolean | string[]

export const VALUE_TEXT_MAX = 256
export const VALUE_ITEMS_MAX = 100

/** Returns true for the types whose values are chosen from options. */
export function hasOptions(type: CustomFieldType): boolean {
  return type === 'select:multi' || type === 'select:single'
}

/** The check of each type. Returns a message if the value is invalid. */
const FAULTS: Record<CustomFieldType, (value: unknown, options: string[]) => string | undefined> = {
  text: textFault,
  number: (value) => (Number.isFinite(value) ? undefined : 'must be a number'),
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  tags: (value) => itemsFault(value, textFault),
  'select:multi': (value, options) => itemsFault(value, (item) => optionFault(item, options)),
  'select:single': optionFault,
}

/** Returns the fault of a value as the rest of a sentence that starts with its path, or undefined if it is valid. */
export function valueFault(type: CustomFieldType, options: string[], value: unknown): string | undefined {
  return FAULTS[type](value, options)
}

/** Removes from a chosen value the options that no longer exist. Returns undefined if none remains. */
export function restrictToOptions(value: CustomFieldValue, options: string[]): CustomFieldValue | undefined {
  if (Array.isArray(value)) {
    const left = value.filter((item) => options.includes(item))
    return left.length > 0 || value.length === 0 ? left : undefined
  }
  return options.includes(String(value)) ? value : undefined
}

function textFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text'
  return [...value].length > VALUE_TEXT_MAX
    ? `must NOT have more than ${VALUE_TEXT_MAX} characters`
    : undefined
}

function optionFault(value: unknown, options: string[]): string | undefined {
  if (typeof value === 'string' && options.includes(value)) return undefined
  return `must be one of the options: ${options.map((option) => JSON.stringify(option)).join(', ')}`
}

function itemsFault(value: unknown, faultOf: (item: unknown) => string | undefined): string | undefined {
  if (!Array.isArray(value)) return 'must be a list'
  if (value.length > VALUE_ITEMS_MAX) return `must NOT have more than ${VALUE_ITEMS_MAX} items`
  if (new Set(value).size < value.length) return 'must NOT have the same item twice'
  const faults = value.map(faultOf)
  const at = faults.findIndex((fault) => fault !== undefined)
  return at === -1 ? undefined : `item ${at} ${faults[at]}`
}
