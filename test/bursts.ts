/** Saves of an editor in bursts, the jobs that clean up after them, and what the database must hold at any time. */
import assert from 'node:assert/strict'
import { entries } from '../src/core/content/prolly-tree/read.ts'
import type { Load, MapNode, Root } from '../src/core/content/prolly-tree/node.ts'
import type { Reader, Row } from '../src/db/schema.ts'
import { draftOn, insert } from './batches.ts'
import type { Answer, Person, World } from './world.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const DAY = 24 * 60 * MINUTE

/** Advances the clock of the server. */
export function pass({ clock }: World, ms: number): void {
  clock.now = new Date((clock.now ?? new Date()).getTime() + ms)
}

/** Writes the Markdown of a page, based on a revision. */
export function save(
  by: Person,
  address: string,
  revision: string | undefined,
  page: string,
  markdown: string,
): Promise<Answer> {
  const changes = [{ operation: 'update_page', page, document: { markdown } }]
  return by(`POST ${address}/content?compat=false`, { changes, ...(revision ? { revision } : {}) })
}

/**
 * Checks in the tables, without any cache, that every revision of a space is complete, and that nothing refers to a row
 * that is missing.
 */
export async function checkStored({ db }: World, spaceId: string): Promise<void> {
  const revisions = await db.read.selectFrom('revision').selectAll().where('spaceId', '=', spaceId).execute()
  const ids = new Set(revisions.map(({ id }) => id))
  const replaced = await db.read
    .selectFrom('replacedRevision')
    .selectAll()
    .where('spaceId', '=', spaceId)
    .execute()
  const waiting = replaced.flatMap(({ content }) =>
    content === null ? [] : [JSON.parse(content) as Row<'revision'>],
  )
  for (const revision of [...revisions, ...waiting]) await checkContent(db.read, revision)
  for (const { id, parents } of revisions)
    for (const parent of JSON.parse(parents) as string[])
      assert(ids.has(parent), `a parent of ${id} is missing`)
  for (const { parent } of replaced) assert(ids.has(parent), 'the parent of a replaced revision is missing')

  for (const table of ['review', 'reviewDraft', 'requestedReviewer', 'comment', 'changeRequest'] as const) {
    const rows = await db.read.selectFrom(table).select('revisionId').where('spaceId', '=', spaceId).execute()
    for (const { revisionId } of rows) assert(ids.has(revisionId), `the revision of a ${table} is missing`)
  }
  const comments = await db.read
    .selectFrom('comment')
    .select('page')
    .where('spaceId', '=', spaceId)
    .where('nodeId', 'is not', null)
    .execute()
  const followed = comments.map(({ page }) => (JSON.parse(page ?? '') as { document: string }).document)
  await checkDocuments(db.read, spaceId, followed, 'a comment')

  const lost = await db.read
    .selectFrom('replacedPage')
    .select('revisionId')
    .where('revisionId', 'not in', db.read.selectFrom('replacedRevision').select('id'))
    .execute()
  assert.deepEqual(lost, [])
  const noted = await db.read.selectFrom('burstContent').selectAll().where('spaceId', '=', spaceId).execute()
  for (const { kind, hash } of noted) {
    const row = await db.read
      .selectFrom(kind)
      .select('hash')
      .where('spaceId', '=', spaceId)
      .where('hash', '=', hash)
      .executeTakeFirst()
    assert(row, `a ${kind} of a burst is missing`)
  }
}

async function checkContent(db: Reader, revision: Row<'revision'>): Promise<void> {
  const { spaceId } = revision
  const load: Load<{ document?: string }> = async (hashes) => {
    const rows = await db
      .selectFrom('node')
      .select(['hash', 'data'])
      .where('spaceId', '=', spaceId)
      .where('hash', 'in', hashes)
      .execute()
    return new Map(rows.map(({ hash, data }) => [hash, JSON.parse(data) as MapNode<{ document?: string }>]))
  }
  const all = async (root: Root) => [...(await entries(root, load)).values()]
  await all(revision.files)
  await all(revision.oldPlaces)
  const records = [...(await all(revision.pages)), ...(await all(revision.reusables))]
  const hashes = records.flatMap(({ document }) => document ?? [])
  await checkDocuments(db, spaceId, hashes, `the revision ${revision.id}`)
}

async function checkDocuments(db: Reader, spaceId: string, hashes: string[], of: string): Promise<void> {
  const wanted = [...new Set(hashes)]
  if (wanted.length === 0) return
  const rows = await db
    .selectFrom('document')
    .select('hash')
    .where('spaceId', '=', spaceId)
    .where('hash', 'in', wanted)
    .execute()
  assert.equal(rows.length, wanted.length, `a document of ${of} is missing`)
}

/** The text of a page that is typed in. */
export const TYPED_TEXT = '# Guide\n\nFirst paragraph.\n\nSecond paragraph.\n\nThird paragraph.\n'
export const withLine = (text: string): string => TYPED_TEXT.replace('Second paragraph.', text)

/** A change request with a page, and an author who saves it. */
export async function typingIn(world: World, space?: string) {
  const { ada, db, organizationId } = world
  const draft = await draftOn(world, space)
  const [page = ''] = await draft.made(insert(TYPED_TEXT), insert('# Other\n\nText.\n'))
  const address = `/v1/spaces/${draft.spaceId}/change-requests/${draft.changeRequest.id}`
  let revision = await draft.revision()
  return {
    ...draft,
    page,
    address,
    /** Saves a text based on the newest revision of the author. @returns the new revision */
    async save(text: string, by: Person = ada): Promise<string> {
      const answer = await save(by, address, revision, page, withLine(text))
      assert.equal(answer.status, 200, answer.text)
      revision = answer.body.revision
      return revision
    },
    check: () => checkStored(world, draft.spaceId),
    /** How many revisions the change request has. */
    count: async () => (await ada(`GET ${address}/revisions?limit=100`)).body.items.length as number,
    events: async () => {
      const list = `/v1/orgs/${organizationId}/audit-events`
      const { body } = await ada(`GET ${list}?limit=1&target=${draft.changeRequest.id}`)
      return {
        count: body.count as number,
        payload: (await ada(`GET ${list}/${body.items[0].id}`)).body.payload,
      }
    },
    documents: async () => {
      const rows = await db.read
        .selectFrom('document')
        .select('source')
        .where('spaceId', '=', draft.spaceId)
        .execute()
      return rows.map(({ source }) => source)
    },
    read: (id: string, by: Person = ada) =>
      by(`GET /v1/spaces/${draft.spaceId}/revisions/${id}/page/${page}?format=markdown`),
  }
}
