import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import { because } from '../../core/languages/reasons.ts'
import type { Row, Tx } from '../../db/schema.ts'
import { conflict, invalidField, notFound } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { InOrganization } from '../../model/common.ts'
import {
  type GlossaryChange,
  GlossaryChanges,
  GlossaryEntry,
  InGlossaryEntry,
  toGlossaryEntry,
  withUsualTags,
} from '../../model/content/glossary.ts'

/** How many entries the glossary of an organization can have. */
const ENTRIES_MAX = 10_000

export const listGlossaryEntries = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/translations-glossary',
  summary: 'List the glossary of an organization, oldest entry first',
  description:
    'An entry has a term in several languages, so that everyone who writes or translates uses the same words.',
  access: onOrg('read'),
  params: InOrganization,
  query: ListQuery,
  returns: listOf(GlossaryEntry),
  async handler({ db, urls, organization, page }) {
    const entries = db.selectFrom('glossaryEntry').selectAll().where('organizationId', '=', organization.id)
    const list = await listRows(entries, page, { by: ['id'] })
    return { ...list, items: list.items.map((row) => toGlossaryEntry(urls, row)) }
  },
})

export const updateGlossaryEntries = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/translations-glossary',
  summary: 'Add, change and delete entries of the glossary',
  description: `The server makes all changes or none. An \`update\` replaces all terms of the entry. The glossary can have at most ${ENTRIES_MAX.toLocaleString('en')} entries.`,
  access: onOrg('create'),
  params: InOrganization,
  body: Type.Object({ operations: GlossaryChanges }),
  audit: 'glossary.update',
  async handler({ tx, organization, body: { operations }, now, newId, audit }) {
    const rows = await namedEntries(tx, organization.id, operations)
    const before: Record<string, unknown> = {}
    const after: Record<string, unknown> = {}
    for (const [at, change] of operations.entries()) {
      const field = `body.operations.${at}`
      const row = change.type === 'insert' ? undefined : takeEntry(rows, change.id, `${field}.id`)
      if (row) before[row.id] = JSON.parse(row.translations)
      if (change.type === 'delete') {
        await tx.deleteFrom('glossaryEntry').where('id', '=', change.id).execute()
        continue
      }
      const terms = withUsualTags(change.translations, `${field}.translations`)
      const translations = JSON.stringify(terms)
      const updatedAt = now.toISOString()
      const id = row?.id ?? newId()
      after[id] = terms
      if (row) {
        await tx.updateTable('glossaryEntry').set({ translations, updatedAt }).where('id', '=', id).execute()
        continue
      }
      await tx
        .insertInto('glossaryEntry')
        .values({ id, organizationId: organization.id, translations, createdAt: updatedAt, updatedAt })
        .execute()
    }
    await refuseTooMany(tx, organization.id)
    audit({
      target: { type: 'organization', id: organization.id, label: organization.title },
      before: { terms: before },
      after: { terms: after },
    })
  },
})

export const getGlossaryEntry = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/translations-glossary/:glossaryEntryId',
  summary: 'Get an entry of the glossary',
  access: onOrg('read'),
  params: InGlossaryEntry,
  returns: GlossaryEntry,
  async handler({ db, urls, organization, params }) {
    const row = await db
      .selectFrom('glossaryEntry')
      .selectAll()
      .where('id', '=', params.glossaryEntryId)
      .where('organizationId', '=', organization.id)
      .executeTakeFirst()
    if (!row) throw notFound('glossary entry')
    return toGlossaryEntry(urls, row)
  },
})

/** The entries of the glossary that changes name, by their ids. */
async function namedEntries(
  tx: Tx,
  organizationId: string,
  changes: readonly GlossaryChange[],
): Promise<Map<string, Row<'glossaryEntry'>>> {
  const ids = changes.flatMap((change) => (change.type === 'insert' ? [] : [change.id]))
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('glossaryEntry')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Takes an entry out of those that changes name.
 * @throws 400 if it is not there, or was taken by an earlier change
 */
function takeEntry(
  rows: Map<string, Row<'glossaryEntry'> | undefined>,
  id: string,
  field: string,
): Row<'glossaryEntry'> {
  const row = rows.get(id)
  if (!row)
    throw invalidField(
      field,
      rows.has(id) ? because('glossary-entry-twice', { id }) : because('glossary-entry-missing', { id }),
    )
  rows.set(id, undefined)
  return row
}

async function refuseTooMany(tx: Tx, organizationId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('glossaryEntry')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (Number(count) > ENTRIES_MAX)
    throw conflict(because('too-many-glossary-entries', { count: Number(count), limit: ENTRIES_MAX }))
}
