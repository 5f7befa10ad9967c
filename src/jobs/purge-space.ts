import { forgetExternalLinks } from '../model/links/external-links.ts'
import { nextTurn } from '../core/runtime/turns.ts'
import type { Database, Tx } from '../db/schema.ts'
import type { Services } from '../http/route.ts'
import { appendAuditEvent, BY_SYSTEM } from '../model/audit/chain.ts'
import { forget } from '../model/access/transfer.ts'
import { forgetBursts } from '../model/content/batch/replaced.ts'
import { forgetSiteSpaces } from '../model/sites/redirects/path-segments.ts'
import { touchSite } from '../model/sites/site.ts'
import { keepDefaultSpace } from '../model/sites/structure/site-space.ts'
import { forgetSpaceIndex } from '../model/search/space-index.ts'
import type { Worker } from './queue/job-kind.ts'

/**
 * Deletes a space permanently if it has been in the trash since the deletion that enqueued this job, and enqueues the
 * removal of its bytes. The row of the space is deleted last, so that an interrupted run can be repeated.
 */
export function purgeSpace({ db, sealing, enqueue, now }: Services): Worker {
  return async ({ spaceId, deletedAt }: { spaceId: string; deletedAt: string }) => {
    const hashes = await db.write((tx) => emptySpace(tx, { spaceId, deletedAt, now: now() }))
    if (!hashes) return
    await forgetSpaceIndex(db, spaceId)
    for (const table of LARGE) await deleteInParts(db, table, spaceId)
    await db.write(async (tx) => {
      for (const hash of hashes) await enqueue(tx, 'remove-blob', { hash })
      await tx.deleteFrom('spaceBlob').where('spaceId', '=', spaceId).execute()
      const deleted = await tx.deleteFrom('space').where('id', '=', spaceId).returningAll().executeTakeFirst()
      if (!deleted) return
      await appendAuditEvent(tx, sealing, deleted.organizationId, {
        ...BY_SYSTEM,
        occurredAt: now().toISOString(),
        action: 'space.purge',
        targetType: 'space',
        targetId: spaceId,
        targetLabel: deleted.title,
        payload: JSON.stringify({ before: { title: deleted.title, deletedAt } }),
      })
    })
  }
}

/** Tables of proposals and discussions, in an order that violates no foreign key. */
const CHANGES = [
  'reaction',
  'commentReply',
  'comment',
  'requestedReviewer',
  'reviewDraft',
  'review',
  'mergeConflict',
  'changeRequest',
] as const

/** The tables whose rows nothing refers to once the revisions are gone. They can hold a gigabyte. */
const LARGE = ['document', 'node'] as const
const ROWS_AT_ONCE = 200

/** Deletes the rows of a space in small transactions, so that nobody waits for long. */
async function deleteInParts(db: Database, table: (typeof LARGE)[number], spaceId: string): Promise<void> {
  for (let deleted = 1n; deleted > 0n; await nextTurn())
    deleted = await db.write(async (tx) => {
      const some = tx.selectFrom(table).select('hash').where('spaceId', '=', spaceId).limit(ROWS_AT_ONCE)
      const { numDeletedRows } = await tx
        .deleteFrom(table)
        .where('spaceId', '=', spaceId)
        .where('hash', 'in', some)
        .executeTakeFirstOrThrow()
      return numDeletedRows
    })
}

/** @returns the hashes of the bytes that the space used; undefined if it was restored or does not exist */
async function emptySpace(
  tx: Tx,
  { spaceId, deletedAt, now }: { spaceId: string; deletedAt: string; now: Date },
): Promise<string[] | undefined> {
  const space = await tx
    .selectFrom('space')
    .select('id')
    .where('id', '=', spaceId)
    .where('deletedAt', '=', deletedAt)
    .executeTakeFirst()
  if (!space) return undefined

  await leaveSites(tx, spaceId, now)
  await tx.deleteFrom('customFieldValue').where('spaceId', '=', spaceId).execute()
  await forget(tx, 'space', [spaceId])
  await forgetExternalLinks(tx, spaceId)
  for (const table of CHANGES) await tx.deleteFrom(table).where('spaceId', '=', spaceId).execute()
  await tx.deleteFrom('spaceSource').where('spaceId', '=', spaceId).execute()
  await tx.deleteFrom('revision').where('spaceId', '=', spaceId).execute()
  await forgetBursts(tx, spaceId)
  await tx.deleteFrom('importedDocument').where('spaceId', '=', spaceId).execute()
  await tx.deleteFrom('contentImport').where('spaceId', '=', spaceId).execute()
  const blobs = await tx.selectFrom('spaceBlob').select('hash').where('spaceId', '=', spaceId).execute()
  return blobs.map(({ hash }) => hash)
}

/** Removes the space from its sites. If it was a default, the first remaining space becomes the default. */
async function leaveSites(tx: Tx, spaceId: string, now: Date): Promise<void> {
  const left = await tx
    .deleteFrom('siteSpace')
    .where('spaceId', '=', spaceId)
    .returning(['id', 'siteId', 'sectionId'])
    .execute()
  for (const siteSpace of left) {
    await forgetSiteSpaces(tx, siteSpace.siteId, [siteSpace.id])
    await keepDefaultSpace(tx, siteSpace.siteId, siteSpace.sectionId)
    await touchSite(tx, { id: siteSpace.siteId }, now)
  }
}
