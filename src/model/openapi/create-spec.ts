/** Creating specifications, alone and with a space that shows them. */
import { spread } from '../../core/content/tree/order.ts'
import type { ComputedSource, PageRecord } from '../../core/content/revision.ts'
import { freeName } from '../../core/text/slug.ts'
import type { Row, Tx } from '../../db/schema.ts'
import { conflict } from '../../http/errors.ts'
import { countRows } from '../../http/pagination.ts'
import type { Enqueue } from '../../http/route.ts'
import { commitRevision, needRevision } from '../content/commit.ts'
import { askToProcess } from './process-spec.ts'
import { MAX_SPECS, pendingSource } from './spec.ts'
import { OPENAPI_SOURCE } from './spec-pages.ts'
import { because } from '../../core/languages/reasons.ts'

/** Inserts a specification that waits to be processed. @throws 409 if the organization has too many */
export async function insertSpec(
  tx: Tx,
  fields: Pick<Row<'openapiSpec'>, 'id' | 'organizationId' | 'slug' | 'createdAt'> &
    ReturnType<typeof pendingSource>,
): Promise<Row<'openapiSpec'>> {
  const { organizationId } = fields
  const count = await countRows(
    tx.selectFrom('openapiSpec').selectAll().where('organizationId', '=', organizationId),
  )
  if (count >= MAX_SPECS) throw conflict(because('too-many-specifications', { count }))
  const none = { lastVersion: null, lastProcessedAt: null, lastErrorCode: null, lastErrors: '[]' }
  return tx
    .insertInto('openapiSpec')
    .values({ ...fields, ...none, visibility: 'private', requestProxy: 0 })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The title of a space with the pages of a specification, if it gets no other. */
export const API_TITLE = 'API reference'

/** The characters of a slug that is made from a name. */
const LONGEST_SLUG = 60

/** Makes a specification of a URL, and fills a new, empty space with a computed page of it. */
export async function fillFromOpenApi(
  tx: Tx,
  space: Row<'space'>,
  url: string,
  { userId, now, newId, enqueue }: { userId: string; now: Date; newId: () => string; enqueue: Enqueue },
): Promise<void> {
  const { organizationId, title } = space
  const createdAt = now.toISOString()
  const slug = await freeSlug(tx, organizationId, title)
  const source = pendingSource({ url }, undefined, now)
  await insertSpec(tx, { id: newId(), organizationId, slug, ...source, createdAt })
  await askToProcess(tx, enqueue, organizationId)
  const dependencies = { spec: { ref: { kind: 'openapi' as const, spec: slug } } }
  const computed = { type: OPENAPI_SOURCE, props: { models: true }, dependencies }
  await fillWithComputed(tx, space, computed, { userId, now, newId })
}

/** Fills a new, empty space with a computed page. */
export async function fillWithComputed(
  tx: Tx,
  space: Row<'space'>,
  computed: ComputedSource,
  { userId, now, newId }: { userId: string; now: Date; newId: () => string },
): Promise<void> {
  const { title } = space
  const createdAt = now.toISOString()
  const page: PageRecord = {
    id: newId(),
    type: 'computed',
    parent: null,
    order: spread(1)[0]!,
    title,
    slug: '',
    computed,
    createdAt,
    updatedAt: createdAt,
  }
  const parent = await needRevision(tx, space.id, space.revisionId)
  const reason = { id: newId(), type: 'edits' as const, message: '', userId, now }
  const { id } = await commitRevision(tx, parent, { pages: new Map([[page.id, page]]) }, reason)
  space.revisionId = id
}

/** A slug for a specification with a title that no specification of the organization has. */
async function freeSlug(tx: Tx, organizationId: string, title: string): Promise<string> {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['api']
  const slug = words.join('-').slice(0, LONGEST_SLUG).replace(/-$/, '')
  const rows = await tx
    .selectFrom('openapiSpec')
    .select('slug')
    .where('organizationId', '=', organizationId)
    .where('slug', 'like', `${slug}%`)
    .execute()
  const taken = new Set(rows.map((row) => row.slug))
  return freeName(slug, (name) => taken.has(name))
}
