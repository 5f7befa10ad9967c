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

/** A record with its source. */
export interface Author {
  readonly record: Told
  readonly source: string
}

/**
 * The source of `before` as that of `after`: only what differs between the records is written. Where one of the authors
 * has the new value already, it is taken over as it is written there.
 */
export function bring(source: string, before: Told, after: Told, authors: readonly Author[] = []): string {
  const changed = META.filter((field) => !same(before[field], after[field]))
  const meta = Object.fromEntries(changed.map((field) => [field, writtenAs(field, after, authors)]))
  const titled = before.title === after.title ? source : retitle(source, after.title)
  return changed.length === 0 ? titled : editFrontMatter(titled, keysOf(changed, meta))
}

/** The record with the fields that front matter says differently after an edit. */
export function retold<R extends Told>(record: R, before: string, after: string): R {
  const [said, says] = [readFrontMatter(before), readFrontMatter(after)]
  const next: Record<string, unknown> = { ...record }
  for (const field of META) {
    if (same(said[field], says[field])) continue
    if (says[field] === undefined) delete next[field]
    else next[field] = says[field]
  }
  return next as R
}

/** A source of which nothing was written yet, with the fields of its record. */
export function tell(source: string, record: Told): string {
  return bring(source, { title: record.title }, record)
}

function writtenAs(
  field: (typeof META)[number],
  { [field]: value }: Told,
  authors: readonly Author[],
): unknown {
  if (value === undefined) return undefined
  const written: unknown[] = authors
    .filter(({ record }) => same(record[field], value))
    .map(({ source }) => readFrontMatter(source)[field])
    .filter((one) => one !== undefined)
  // Of two that mean the same, whichever sorts first, so that it does not matter whose it is.
  return written.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))[0] ?? value
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
 * A merged source that says what all sources say that it was merged from. Lines that were merged well each by itself
 * may read differently together.
 */
export function settle(merged: string, sides: readonly string[]): string {
  const [first, ...others] = sides.filter((source) => source !== '')
  if (merged === '' || first === undefined || sides.includes(merged)) return merged
  const [told, ...alsoTold] = [first, ...others].map(readFrontMatter)
  const inMerged = readFrontMatter(merged)
  const differ = META.filter(
    (field) =>
      !same(inMerged[field], told![field]) && alsoTold.every((one) => same(one[field], told![field])),
  )
  const settled = differ.length === 0 ? merged : editFrontMatter(merged, keysOf(differ, told!))

  const { title } = parsePage(first)
  if (title === undefined || others.some((source) => parsePage(source).title !== title)) return settled
  return parsePage(settled).title === title ? settled : retitle(settled, title)
}
