/**
 * The fields of a page that a change sets beside its body, with the rules for their values. Batches and conflict
 * resolution share them.
 */
import { LONGEST_SLUG } from '../../slug.ts'
import { checkExpression } from '../../expression/check.ts'
import { SETTABLE_PAGE_FIELDS } from '../page-fields.ts'
import { cleanSlug } from '../../repository/page-slug.ts'

/** The fields that a change sets. Null and empty texts clear a field. */
export interface MetaChange {
  title?: string
  /** Empty text requests a slug made from the title. */
  slug?: string
  emoji?: string | null
  icon?: string | null
  description?: string | null
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  condition?: string | null
}

/** The most characters that each field may have. */
export const FIELD_LENGTHS = {
  title: 1000,
  slug: LONGEST_SLUG,
  emoji: 50,
  icon: 50,
  description: 10_000,
  condition: 1024,
  fileName: 256,
} as const

/** The fields as they are stored, or the first invalid field and the reason. */
export type PageFieldsReading =
  | { readonly fields: MetaChange }
  | { readonly field: string; readonly fault: string }

/** Checks the fields that a change sets and collapses the white space in their texts. */
export function readPageFields(change: MetaChange): PageFieldsReading {
  const fields = given(change, SETTABLE_PAGE_FIELDS)
  const { slug, condition } = fields
  if (slug && cleanSlug(slug) !== slug) {
    const fault = `can hold lower-case letters, digits, ".", "_", "+" and "-"; use "${cleanSlug(slug)}"`
    return { field: 'slug', fault }
  }
  const parsed = condition ? checkExpression(condition) : undefined
  if (parsed && !parsed.ok) return { field: 'condition', fault: `is not a condition: ${parsed.error}` }
  for (const name of ['title', 'description', 'icon', 'emoji', 'condition'] as const)
    if (fields[name]) fields[name] = fields[name].replace(/\s+/g, ' ').trim()
  return { fields }
}

/** The named fields of a value that are not undefined. */
export function given<T extends object, K extends keyof T>(
  value: T,
  names: readonly K[],
): { [P in K]?: Exclude<T[P], undefined> } {
  return Object.fromEntries(
    names.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]),
  ) as never
}
