/** Keeps a source and its record consistent: both hold the title and some fields of a page. */
import { editFrontMatter, readFrontMatter } from '../../document/front-matter/front-matter.ts'
import { parsePage } from '../../document/parse.ts'
import { retitle } from '../../document/splice.ts'
import { FRONT_MATTER_FIELDS, type FrontMatterField, frontMatterOfFields } from '../page-fields.ts'
import { jsonEqual } from '../../data/json.ts'

/** Whether the source holds this field of a record too. */
export function isSourceField(field: string): boolean {
  return field === 'title' || (FRONT_MATTER_FIELDS as readonly string[]).includes(field)
}

/** The fields of a page, or the title alone of a reusable content. */
export type SourceFields = { readonly title: string } & { readonly [K in FrontMatterField]?: unknown }

/** Whether two records have equal values in all fields that their sources hold too. */
export function haveSameFields(a: SourceFields, b: SourceFields): boolean {
  return a.title === b.title && FRONT_MATTER_FIELDS.every((field) => jsonEqual(a[field], b[field]))
}

/** A record with its source. */
export interface Author {
  readonly record: SourceFields
  readonly source: string
}

/**
 * Updates a source of the record `before` to match the record `after`. It writes only the fields that differ. If an
 * author already has the new value, the source gets the value as that author wrote it.
 */
export function syncSource(
  source: string,
  before: SourceFields,
  after: SourceFields,
  authors: readonly Author[] = [],
): string {
  const changed = FRONT_MATTER_FIELDS.filter((field) => !jsonEqual(before[field], after[field]))
  const meta = Object.fromEntries(changed.map((field) => [field, writtenAs(field, after, authors)]))
  const titled = before.title === after.title ? source : retitle(source, after.title)
  return changed.length === 0 ? titled : editFrontMatter(titled, frontMatterOfFields(changed, meta))
}

/** Updates a record with the fields that an edit changed in the front matter. */
export function updateFromSource<R extends SourceFields>(record: R, before: string, after: string): R {
  const [said, says] = [readFrontMatter(before), readFrontMatter(after)]
  const next: Record<string, unknown> = { ...record }
  for (const field of FRONT_MATTER_FIELDS) {
    if (jsonEqual(said[field], says[field])) continue
    if (says[field] === undefined) delete next[field]
    else next[field] = says[field]
  }
  return next as R
}

/** Writes the fields of a record into a source that has none of them. */
export function writeFields(source: string, record: SourceFields): string {
  return syncSource(source, { title: record.title }, record)
}

function writtenAs(
  field: FrontMatterField,
  { [field]: value }: SourceFields,
  authors: readonly Author[],
): unknown {
  if (value === undefined) return undefined
  const written: unknown[] = authors
    .filter(({ record }) => jsonEqual(record[field], value))
    .map(({ source }) => readFrontMatter(source)[field])
    .filter((one) => one !== undefined)
  // If two spellings mean the same, the first in sort order is used, so that the result does not depend on the side.
  return written.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))[0] ?? value
}

/**
 * Restores the fields and the title on which all given sources agree. Lines that merge cleanly one by one can mean
 * something else together.
 */
export function resolveFields(merged: string, sides: readonly string[]): string {
  const [first, ...others] = sides.filter((source) => source !== '')
  if (merged === '' || first === undefined || sides.includes(merged)) return merged
  const fields = readFrontMatter(first)
  const otherFields = others.map(readFrontMatter)
  const inMerged = readFrontMatter(merged)
  const differ = FRONT_MATTER_FIELDS.filter(
    (field) =>
      !jsonEqual(inMerged[field], fields[field]) &&
      otherFields.every((one) => jsonEqual(one[field], fields[field])),
  )
  const settled = differ.length === 0 ? merged : editFrontMatter(merged, frontMatterOfFields(differ, fields))

  const { title } = parsePage(first)
  if (title === undefined || others.some((source) => parsePage(source).title !== title)) return settled
  return parsePage(settled).title === title ? settled : retitle(settled, title)
}
