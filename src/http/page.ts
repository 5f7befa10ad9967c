import { type Static, type TSchema, Type } from 'typebox'
import { invalid } from './errors.ts'
import { findBadValue } from './text.ts'

const DEFAULT_LIMIT = 50

/** The query of every list: `page` is the opaque cursor of the answer before, `limit` at most 1000 (management-api, Limits). */
export const ListQuery = Type.Object({
  page: Type.Optional(Type.String({ maxLength: 2048, description: 'The `next.page` of the answer before' })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      default: DEFAULT_LIMIT,
      description: 'Items in the answer, at most',
    }),
  ),
})

/** Where a page of a list starts and how long it is. */
export interface Page {
  limit: number
  /** Sort values of the last item of the page before; absent on the first page. */
  after: string[] | undefined
}

/** The envelope of every list: `next` is absent on the last page (api-facts 1.1). */
export function listOf<S extends TSchema>(item: S) {
  return Type.Object({
    next: Type.Optional(Type.Object({ page: Type.String() })),
    count: Type.Integer({ description: 'Items in the whole list' }),
    items: Type.Array(item),
  })
}

export type ListOf<T> = Static<ReturnType<typeof listOf<TSchema>>> & { items: T[] }

/** Reads `page` and `limit` of a validated query. @throws 400 for a cursor that is not ours. */
export function pageOf(query: { page?: string; limit?: number } | undefined): Page {
  return { limit: query?.limit ?? DEFAULT_LIMIT, after: query?.page ? readCursor(query.page) : undefined }
}

/**
 * Cuts a list that was read with one item more than the page has.
 * @param cursor the sort values of an item, with which the next page goes on
 */
export function listPage<T>(rows: T[], count: number, { limit }: Page, cursor: (row: T) => string[]) {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    ...(rows.length > limit && last ? { next: { page: writeCursor(cursor(last)) } } : {}),
    count,
    items,
  }
}

function writeCursor(values: string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

function readCursor(page: string): string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(page, 'base64url').toString())
    const isOurs = Array.isArray(values) && values.every((value) => typeof value === 'string')
    if (isOurs && values.length > 0 && !findBadValue(values)) return values
  } catch {
    // Not JSON: refused below, as any other cursor that is not ours.
  }
  throw notOurs()
}

/** The text that the page before ended with, of a list in the order of one. @throws 400 for another list's cursor */
export function textAfter({ after }: Page): string | undefined {
  if (after === undefined) return undefined
  const [value, ...more] = after
  if (value === undefined || more.length > 0) throw notOurs()
  return value
}

/** The two texts that the page before ended with, of a list in the order of two. @throws 400 for another list's cursor */
export function textsAfter({ after }: Page): [string, string] | undefined {
  if (after === undefined) return undefined
  const [first, second, ...more] = after
  if (first === undefined || second === undefined || more.length > 0) throw notOurs()
  return [first, second]
}

/** The pairs, one after the other, that the page before ended with, of a list in the order of a tree. @throws 400 */
export function pairsAfter({ after }: Page): string[] | undefined {
  if (after !== undefined && after.length % 2 !== 0) throw notOurs()
  return after
}

/** The number that the page before ended with, of a list in the order of numbers. @throws 400 for another cursor */
export function numberAfter(page: Page): number | undefined {
  const text = textAfter(page)
  if (text === undefined) return undefined
  if (!/^[0-9]{1,10}$/.test(text) || Number(text) > INTEGER_MAX) throw notOurs()
  return Number(text)
}

/** The largest number in an integer column of PostgreSQL, which refuses to compare with larger ones. */
const INTEGER_MAX = 2 ** 31 - 1

const notOurs = () =>
  invalid('"page" must be the "next.page" of the answer before', [
    { path: 'query.page', message: 'not a cursor of this list' },
  ])
