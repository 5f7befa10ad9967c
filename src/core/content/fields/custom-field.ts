import type { Reasoned } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'

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

/** Why a value is invalid: the value itself, or the item of a list at an index. */
export interface ValueFault extends Reasoned {
  item?: number
}

/** The check of each type. */
const FAULTS: Record<CustomFieldType, (value: unknown, options: string[]) => ValueFault | undefined> = {
  text: textFault,
  number: (value) => (Number.isFinite(value) ? undefined : because('value-not-number')),
  boolean: (value) => (typeof value === 'boolean' ? undefined : because('value-not-boolean')),
  tags: (value) => itemsFault(value, textFault),
  'select:multi': (value, options) => itemsFault(value, (item) => optionFault(item, options)),
  'select:single': optionFault,
}

/** Returns the fault of a value as the rest of a sentence that starts with its path, or undefined if it is valid. */
export function valueFault(type: CustomFieldType, options: string[], value: unknown): ValueFault | undefined {
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

function textFault(value: unknown): Reasoned | undefined {
  if (typeof value !== 'string') return because('value-not-text')
  const size = [...value].length
  return size > VALUE_TEXT_MAX ? because('too-long', { limit: VALUE_TEXT_MAX, size }) : undefined
}

function optionFault(value: unknown, options: string[]): Reasoned | undefined {
  if (typeof value === 'string' && options.includes(value)) return undefined
  const quoted = options.map((option) => JSON.stringify(option)).join(', ')
  return because('value-not-option', { options: quoted })
}

function itemsFault(
  value: unknown,
  itemFault: (item: unknown) => Reasoned | undefined,
): ValueFault | undefined {
  if (!Array.isArray(value)) return because('value-not-list')
  const size = value.length
  if (size > VALUE_ITEMS_MAX) return because('too-many-items', { limit: VALUE_ITEMS_MAX, size })
  if (new Set(value).size < size) return because('same-item-twice')
  for (const [item, one] of value.entries()) {
    const fault = itemFault(one)
    if (fault) return { ...fault, item }
  }
  return undefined
}
