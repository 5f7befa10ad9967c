/** Keeps a source in agreement with its record: the title and some fields of a page stand in both. */
import {
  editFrontMatter,
  frontMatterOf,
  readFrontMatter,
  type FrontMatter,
} from '../document/front-matter.ts'
import type { PageMeta } from '../document/model.ts'
import { parsePage } from '../document/parse.ts'
import { retitle } from '../document/splice.ts'
import { same } from './fields.ts'

const META = [
  'description',
  'icon',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
  'layout',
  'cover',
  'tags',
  'variables',
] as const satisfies (keyof PageMeta)[]

/** Whether a field of a record also stands in its source. */
export function standsInSource(field: string): boolean {
  return field === 'title' || (META as readonly string[]).includes(field)
}

/** The fields of a page, or the title alone of a reusable content. */
export type Told = { readonly title: string } & { readonly [K in (typeof META)[number]]?: unknown }

/** Whether two records say the same where their sources do too. */
export function tellTheSame(a: Told, b: Told): boolean {
  return a.title === b.title && META.every((field) => same(a[field], b[field]))
}

/**
 * The source of `before` as that of `after`: only what differs between the records is written. `written` are sources
 * in which the new values may stand already, to be taken over as their author wrote them.
 */
export function bring(source: string, before: Told, after: Told, written: readonly string[] = []): string {
  const changed = META.filter((field) => !same(before[field], after[field]))
  const told = source === '' ? [] : written.map(readFrontMatter)
  const meta: Record<string, unknown> = {}
  for (const field of changed) {
    const author = told.find((one) => one[field] !== undefined)
    meta[field] = after[field] === undefined ? undefined : (author?.[field] ?? after[field])
  }
  const titled = before.title === after.title ? source : retitle(source, after.title)
  return changed.length === 0 ? titled : editFrontMatter(titled, keysOf(changed, meta))
}

/** The front matter's keys for the fields: of the cover several, and of those that are to go, undefined. */
function keysOf(fields: readonly (keyof PageMeta)[], meta: PageMeta): FrontMatter {
  const values = frontMatterOf(meta)
  const names: Partial<Record<keyof PageMeta, readonly string[]>> = {
    cover: ['cover', 'coverDark', 'coverY', 'coverHeight'],
    variables: ['vars'],
    condition: ['if'],
  }
  return Object.fromEntries(
    fields.flatMap((field) => names[field] ?? [field]).map((key) => [key, values[key]]),
  )
}

/**
 * A merged source that says what both of the sources say that it was merged from. Lines that were merged well each by
 * itself may read differently together.
 */
export function settle(merged: string, primary: string, own: string): string {
  if (merged === primary || merged === own) return merged
  let settled = merged
  const [inPrimary, inOwn] = [readFrontMatter(primary), readFrontMatter(own)]
  const agreed = META.filter((field) => same(inPrimary[field], inOwn[field]))
  const inMerged = readFrontMatter(merged)
  const differ = agreed.filter((field) => !same(inMerged[field], inPrimary[field]))
  if (differ.length > 0) settled = editFrontMatter(settled, keysOf(differ, inPrimary))

  const { title } = parsePage(primary)
  if (title === undefined || parsePage(own).title !== title) return settled
  return parsePage(settled).title === title ? settled : retitle(settled, title)
}
