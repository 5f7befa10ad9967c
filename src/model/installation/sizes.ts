import { sql } from 'kysely'
import type { Reader, Schema } from '../../db/schema.ts'
import type { OwnProcess } from '../../http/own-process.ts'

/** The size of the installation, as it was at a time. */
export interface Sizes {
  measuredAt: string
  /** Bytes of the database. */
  databaseBytes: number
  /** Stored files that something uses. Files that several spaces use count once. */
  blobs: { count: number; bytes: number }
  kinds: { kind: SizedKind; rows: number; isAtLeast: boolean }[]
  organizations: {
    id: string
    title: string
    spaces: number
    documents: number
    files: number
    fileBytes: number
  }[]
}

/** The kinds of data whose rows are counted, with their tables. */
const TABLES = {
  documents: 'document',
  'page-trees': 'node',
  revisions: 'revision',
  files: 'spaceBlob',
  search: 'searchEntry',
  'audit-events': 'auditEvent',
  'space-events': 'spaceEvent',
  notifications: 'notification',
  'visitor-events': 'insightEvent',
  'change-requests': 'changeRequest',
  comments: 'comment',
} as const satisfies Record<string, keyof Schema>

export type SizedKind = keyof typeof TABLES
export const SIZED_KINDS = Object.keys(TABLES) as SizedKind[]

/** Counting more rows of one table would take seconds. */
const MOST_COUNTED = 1_000_000
const MOST_ORGANIZATIONS = 100
const KEPT_MS = 5 * 60_000

/** Measures at most every five minutes, because counting reads whole indexes. */
const measured = new WeakMap<OwnProcess, { at: number; sizes: Promise<Sizes> }>()

/** The size of the installation, measured within the last five minutes. */
export function sizesOf(db: Reader, own: OwnProcess, now: Date): Promise<Sizes> {
  const known = measured.get(own)
  if (known && Math.abs(now.getTime() - known.at) < KEPT_MS) return known.sizes
  const sizes = measure(db, own, now)
  measured.set(own, { at: now.getTime(), sizes })
  sizes.catch(() => measured.delete(own))
  return sizes
}

async function measure(read: Reader, { settings }: OwnProcess, now: Date): Promise<Sizes> {
  const kinds: Sizes['kinds'] = []
  for (const kind of SIZED_KINDS) {
    const rows = await countUpTo(read, TABLES[kind])
    kinds.push({ kind, rows: Math.min(rows, MOST_COUNTED), isAtLeast: rows > MOST_COUNTED })
  }
  return {
    measuredAt: now.toISOString(),
    databaseBytes: await databaseBytes(read, settings.database),
    blobs: await blobTotals(read),
    kinds,
    organizations: await ofOrganizations(read),
  }
}

async function countUpTo(db: Reader, table: (typeof TABLES)[SizedKind]): Promise<number> {
  const some = db
    .selectFrom(table)
    .select(sql<number>`1`.as('one'))
    .limit(MOST_COUNTED + 1)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function databaseBytes(db: Reader, kind: 'sqlite' | 'postgres'): Promise<number> {
  const bytes = sql<string | number>`${sql.raw(
    kind === 'postgres'
      ? 'pg_database_size(current_database())'
      : '(select page_count from pragma_page_count()) * (select page_size from pragma_page_size())',
  )}`
  const { size } = await db.selectFrom('instance').select(bytes.as('size')).limit(1).executeTakeFirstOrThrow()
  return Number(size)
}

async function blobTotals(db: Reader): Promise<Sizes['blobs']> {
  const distinct = db.selectFrom('spaceBlob').select(['hash', 'size']).distinct()
  const { count, bytes } = await db
    .selectFrom(distinct.as('blob'))
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.sum('blob.size').as('bytes')])
    .executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes ?? 0) }
}

/** The organizations with the most bytes of files, and then the most documents. */
async function ofOrganizations(db: Reader): Promise<Sizes['organizations']> {
  const spaces = await db.selectFrom('space').select(['id', 'organizationId']).execute()
  const organizationOf = new Map(spaces.map(({ id, organizationId }) => [id, organizationId]))
  const documents = await documentsOfSpaces(db)
  const files = await db
    .selectFrom('spaceBlob')
    .select(['spaceId', (eb) => eb.fn.countAll().as('count'), (eb) => eb.fn.sum('size').as('bytes')])
    .groupBy('spaceId')
    .execute()
  const totals = new Map<string, Sizes['organizations'][number]>()
  for (const { id, title } of await db.selectFrom('organization').select(['id', 'title']).execute())
    totals.set(id, { id, title, spaces: 0, documents: 0, files: 0, fileBytes: 0 })
  const totalOf = (spaceId: string) => totals.get(organizationOf.get(spaceId) ?? '')
  for (const { id } of spaces) {
    const total = totalOf(id)
    if (total) total.spaces += 1
  }
  for (const { spaceId, count } of documents) {
    const total = totalOf(spaceId)
    if (total) total.documents += count
  }
  for (const { spaceId, count, bytes } of files) {
    const total = totalOf(spaceId)
    if (!total) continue
    total.files += Number(count)
    total.fileBytes += Number(bytes ?? 0)
  }
  return [...totals.values()]
    .toSorted((a, b) => b.fileBytes - a.fileBytes || b.documents - a.documents || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_ORGANIZATIONS)
}

async function documentsOfSpaces(db: Reader): Promise<{ spaceId: string; count: number }[]> {
  const rows = await db
    .selectFrom('document')
    .select(['spaceId', (eb) => eb.fn.countAll().as('count')])
    .groupBy('spaceId')
    .execute()
  return rows.map(({ spaceId, count }) => ({ spaceId, count: Number(count) }))
}
