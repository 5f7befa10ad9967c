/**
 * The fields of a page that a change sets beside its body, with the rules for their values. Batches and conflict
 * resolution share them.
 */
import { LONGEST_SLUG } from '../../text/slug.ts'
import { checkExpression, CONDITION_VARIABLES } from '../../expression/check.ts'
import { SETTABLE_PAGE_FIELDS } from '../page-fields.ts'
import { conditionFault } from '../../document/markdown/hiding-tags.ts'
import type { ContentRef, PageLayout, PageMeta } from '../../document/model.ts'
import { cleanSlug } from '../../text/page-slug.ts'
import type { Variables } from '../revision.ts'
import { given } from './given.ts'
import {
  type GivenValue,
  readGivenCover,
  readGivenLayout,
  readGivenTags,
  readGivenTarget,
  readGivenVariables,
} from './structured.ts'
import { because } from '../../languages/reasons.ts'
import { faultParameters, type Reasoned } from '../../languages/reasoned.ts'

/** The fields that a change sets. Null and empty texts, lists and objects clear a field. */
export interface MetaChange {
  title?: string
  linkTitle?: string | null
  /** Empty text requests a slug made from the title. */
  slug?: string
  emoji?: string | null
  icon?: string | null
  description?: string | null
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  condition?: string | null
  /** The settings to change; null sets all of them to their defaults. */
  layout?: PageLayout | null
  cover?: Partial<NonNullable<PageMeta['cover']>> | null
  tags?: { tag: string; primary?: boolean }[] | null
  variables?: Variables | null
  /** The target of a link page. */
  target?: ContentRef
}

/** The fields as clients send them: a tag is a text, or a reference to it as pages have it in responses. */
export type SentMeta = Omit<MetaChange, 'tags'> & {
  tags?: { tag: string | { kind: 'tag'; tag: string }; primary?: boolean }[] | null
}

/** The most characters that each field may have. */
export const FIELD_LENGTHS = {
  title: 1000,
  linkTitle: 1000,
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
  | { readonly field: string; readonly fault: Reasoned }

/** Checks the fields that a change sets and collapses the white space in their texts. */
export function readPageFields(change: SentMeta): PageFieldsReading {
  const sent = given(change, SETTABLE_PAGE_FIELDS)
  // The tags are read below.
  const fields = sent as MetaChange
  const { slug, condition } = fields
  if (slug && cleanSlug(slug) !== slug) {
    const fault = because('slug-invalid', { slug: cleanSlug(slug) })
    return { field: 'slug', fault }
  }
  const parsed = condition ? checkExpression(condition, CONDITION_VARIABLES) : undefined
  if (parsed && !parsed.ok)
    return { field: 'condition', fault: because('condition-invalid', faultParameters(parsed.error)) }
  for (const name of ['title', 'linkTitle', 'description', 'icon', 'emoji', 'condition'] as const)
    if (fields[name]) fields[name] = fields[name].replace(/\s+/g, ' ').trim()
  for (const field of ['title', 'linkTitle', 'description', 'icon'] as const) {
    const fault = conditionFault(fields[field] ?? '')
    if (fault !== undefined) return { field, fault }
  }
  for (const [name, read] of Object.entries(structured(sent))) {
    if ('fault' in read) return { field: name, fault: read.fault }
    Object.assign(fields, { [name]: read.value })
  }
  return { fields }
}

function structured({ layout, cover, tags, variables, target }: SentMeta): Record<string, GivenValue> {
  return {
    ...(layout && { layout: readGivenLayout(layout) }),
    ...(cover && { cover: readGivenCover(cover) }),
    ...(tags && { tags: readGivenTags(tags) }),
    ...(variables && { variables: readGivenVariables(variables) }),
    ...(target && { target: readGivenTarget(target) }),
  }
}
