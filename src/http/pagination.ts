import { firstIndex } from '../core/data/lists.ts'
import { type ReferenceExpression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { type TSchema, Type } from 'typebox'
import type { Schema } from '../db/schema.ts'
import { invalidField } from './errors.ts'
import { findBadValue } from './validation/bad-values.ts'
import { because } from '../core/languages/reasons.ts'

const DEFAULT_LIMIT = 50

/** The query of every list. `page` is the cursor of the previous response. */
export const ListQuery = Type.Object({
  page: Type.Optional(
    Type.String({ maxLength: 2048, description: 'The `next.page` of the previous response' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      default: DEFAULT_LIMIT,
      description: 'The maximum number of items to return',
    }),
  ),
})

/** Where a page of results starts, and how many items it may have. */
export interface PageRequest {
  limit: number
  /** The key of the last item of the previous page; absent on the first page. */
  after: string[] | undefined
}

/** The envelope of every list. `next` is absent on the last page. */
export function listOf<S extends TSchema>(item: S) {
  return Type.Object({
    next: Type.Optional(Type.Object({ page: Type.String() })),
    count: Type.Integer({ description: 'The number of items in the whole list' }),
    items: Type.Array(item),
  })
}

/**
 * The envelope of a list whose items are looked for among others, so that nobody knows their number. A page of results can
 * have few items although there is a next one.
 */
export function walkOf<S extends TSchema>(item: S) {
  return Type.Object({
    next: Type.Optional(Type.Object({ page: Type.String() })),
    items: Type.Array(item),
  })
}

/** A page of a list, as `listOf` describes it. */
export interface ListOf<T> {
  next?: { page: string }
  count: number
  items: T[]
}

/** Reads `page` and `limit` of a validated query. @throws 400 for text that is not a cursor */
export function pageOf(query: { page?: string; limit?: number } | undefined): PageRequest {
  return { limit: query?.limit ?? DEFAULT_LIMIT, after: query?.page ? readCursor(query.page) : undefined }
}

/** How `listRows` reads a page of a query. */
interface RowOrder<TB extends keyof Schema, O> {
  /** The columns to order by, the last of them unique. Each must be selected under its own name. */
  by: [ReferenceExpression<Schema, TB> & string, ...(ReferenceExpression<Schema, TB> & string)[]]
  order?: 'asc' | 'desc'
  /** The one column is an integer, which cursors must hold too. */
  numeric?: boolean
  /** The number of rows in the whole list, where counting the query itself would be slow. */
  count?: () => number | Promise<number>
  /** How many of these rows fit in one response. */
  fits?: (rows: O[]) => number
  /** Columns with large texts. Only so many rows are read that these have at most `LARGE_BYTES`, but at least one. */
  large?: (ReferenceExpression<Schema, TB> & string)[]
}

/** The bytes of large texts in one page of results. */
const LARGE_BYTES = 2 * 1024 * 1024

/**
 * Reads a page of the rows of a query by keyset pagination: the rows after the key that the cursor holds, and one more
 * row to know whether there is a next page.
 * @throws 400 for a cursor of a list with another order
 */
export async function listRows<TB extends keyof Schema, O extends object>(
  query: SelectQueryBuilder<Schema, TB, O>,
  page: PageRequest,
  { by, order = 'asc', numeric = false, count, fits, large }: RowOrder<TB, O>,
): Promise<ListOf<O>> {
  const after = readKey(page, by.length, numeric)
  const columns = sql.join(by.map((column) => sql.ref(column)))
  const beyond = sql<SqlBool>`(${columns}) ${sql.raw(order === 'asc' ? '>' : '<')} (${sql.join(after ?? [])})`
  let ordered = query.$if(after !== undefined, (some) => some.where(beyond))
  for (const column of by) ordered = ordered.orderBy(sql.ref(column), order)
  const limit = large ? await countSmall(ordered, large, page.limit) : page.limit
  const rows = await ordered.limit(limit + 1).execute()

  const names = by.map((column) => column.split('.').at(-1) ?? column)
  const cursorKey = (row: O) => names.map((name) => String((row as Record<string, string | number>)[name]))
  const total = await (count?.() ?? countRows(query))
  return cutPage(rows as O[], total, Math.min(limit, fits?.(rows as O[]) ?? limit), cursorKey)
}

/** How many of the first rows have at most `LARGE_BYTES` together: at least one. The texts themselves are not read. */
async function countSmall(
  query: SelectQueryBuilder<Schema, keyof Schema, object>,
  columns: readonly string[],
  most: number,
): Promise<number> {
  const bytes = sql.join(
    columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`),
    sql` + `,
  )
  const rows = await query
    .clearSelect()
    .select(sql<number>`${bytes}`.as('bytes'))
    .limit(most)
    .execute()
  let total = 0
  const end = rows.findIndex((row) => (total += row.bytes) > LARGE_BYTES)
  return end === -1 ? most : Math.max(end, 1)
}

/** The number of rows of a query. */
export async function countRows(query: SelectQueryBuilder<Schema, keyof Schema, object>): Promise<number> {
  const counting = query.clearSelect().select((eb) => eb.fn.countAll().as('count'))
  return Number((await counting.executeTakeFirstOrThrow()).count)
}

/** How `listItems` finds a page in an array. */
interface ItemOrder<T> {
  /** The key of an item: the array is in the order of the keys, and no two items share one. */
  key: (item: T) => string[]
  order?: 'asc' | 'desc'
  /** How many values a key has, where the keys of one list differ. */
  sizes?: (size: number) => boolean
  /** How many of these items, at most `limit` of them, fit in one response. */
  fits?: (items: T[]) => number | Promise<number>
}

/** A page of an array. @throws 400 for a cursor of a list with another order */
export async function listItems<T>(
  all: readonly T[],
  { limit, after }: PageRequest,
  { key, order = 'asc', sizes = (size) => size === 1, fits }: ItemOrder<T>,
): Promise<ListOf<T>> {
  if (after && !sizes(after.length)) throw notOurs()
  const sign = order === 'asc' ? 1 : -1
  const start = after ? firstIndex(all, (item) => compareKeys(key(item), after) * sign > 0) : 0
  const rest = all.slice(start, start + limit + 1)
  const fitting = fits ? await fits(rest.slice(0, limit)) : limit
  return cutPage(rest, all.length, fitting, key)
}

/** Compares two keys value by value. A key comes after its own beginning, as a directory before its entries. */
export function compareKeys(a: string[], b: string[]): number {
  for (const [i, value] of a.entries()) {
    const other = b[i]
    if (other === undefined) return 1
    if (value !== other) return value < other ? -1 : 1
  }
  return a.length - b.length
}

function cutPage<T>(rows: T[], count: number, limit: number, cursorKey: (row: T) => string[]): ListOf<T> {
  const items = rows.slice(0, limit)
  const [last] = items.slice(-1)
  // A row can be 0, so only the number of items decides whether there is a last one.
  const hasNext = rows.length > limit && items.length > 0
  return { ...(hasNext ? { next: { page: cursorAfter(cursorKey(last as T)) } } : {}), count, items }
}

/** The cursor of the page of results after the item with this key. */
export function cursorAfter(values: string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

function readCursor(page: string): string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(page, 'base64url').toString())
    const isOurs = Array.isArray(values) && values.every((value) => typeof value === 'string')
    if (isOurs && values.length > 0 && !findBadValue(values)) return values
  } catch {
    // Not JSON: refused below, as any other text that is not a cursor.
  }
  throw notOurs()
}

/** The largest number in an integer column of PostgreSQL, which refuses to compare with larger ones. */
const INTEGER_MAX = 2 ** 31 - 1

/** The number after which a page of results starts; undefined for the first. @throws 400 for a cursor of another list */
export function numberAfter(page: PageRequest): number | undefined {
  const [after] = readKey(page, 1, true) ?? []
  return after === undefined ? undefined : Number(after)
}

function readKey({ after }: PageRequest, size: number, numeric: boolean): (string | number)[] | undefined {
  if (after === undefined) return undefined
  if (after.length !== size) throw notOurs()
  if (!numeric) return after
  return after.map((value) => {
    if (!/^[0-9]{1,10}$/.test(value) || Number(value) > INTEGER_MAX) throw notOurs()
    return Number(value)
  })
}

const notOurs = () => invalidField('query.page', because('cursor-invalid'))
