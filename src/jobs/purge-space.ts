import type { Tx } from '../db/schema.ts'
import type { Services } from '../http/route.ts'
import { appendAuditEvent, BY_SYSTEM } from '../model/audit/chain.ts'
import { forget } from '../model/access/transfer.ts'
import type { Worker } from './queue.ts'

/**
 * Deletes a space permanently if it has been in the trash since the deletion that enqueued this job, and enqueues the
 * removal of its bytes. The row of the space is deleted last, so that an interrupted run can be repeated.
 */
export function purgeSpace({ db, enqueue, now }: Services): Worker {
  return async ({ spaceId, deletedAt }: { spaceId: string; deletedAt: string }) => {
    const hashes = await db.write((tx) => emptySpace(tx, spaceId, deletedAt))
    if (!hashes) return
    await db.write(async (tx) => {
      for (const hash of hashes) await enqueue(tx, 'remove-blob', { hash })
      await tx.deleteFrom('spaceBlob').where('spaceId', '=', spaceId).execute()
      const deleted = await tx.deleteFrom('space').where('id', '=', spaceId).returningAll().executeTakeFirst()
      if (!deleted) return
      await appendAuditEvent(tx, deleted.organizationId, {
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
  'review',
  'mergeConflict',
  'changeRequest',
] as const

/** @returns the hashes of the bytes that the space used; undefined if it was restored or does not exist */
async function emptySpace(tx: Tx, spaceId: string, deletedAt: string): Promise<string[] | undefined> {
  const space = await tx
    .selectFrom('space')
    .select('id')
    .where('id', '=', spaceId)
    .where('deletedAt', '=', deletedAt)
    .executeTakeFirst()
  if (!space) return undefined

  await leaveSites(tx, spaceId)
  await tx.deleteFrom('customFieldValue').where('spaceId', '=', spaceId).execute()
  await forget(tx, 'space', [spaceId])
  for (const table of CHANGES) await tx.deleteFrom(table).where('spaceId', '=', spaceId).execute()
  await tx.deleteFrom('revision').where('spaceId', '=', spaceId).execute()
  await tx.deleteFrom('document').where('spaceId', '=', spaceId).execute()
  await tx.deleteFrom('node').where('spaceId', '=', spaceId).execute()
  const blobs = await tx.selectFrom('spaceBlob').select('hash').where('spaceId', '=', spaceId).execute()
  return blobs.map(({ hash }) => hash)
}

/** Removes the space from its sites. If it was the default, the first remaining space becomes the default. */
async function leaveSites(tx: Tx, spaceId: string): Promise<void> {
  const left = await tx
    .deleteFrom('siteSpace')
    .where('spaceId', '=', spaceId)
    .returning(['siteId', 'isDefault'])
    .execute()
  for (const { siteId } of left.filter(({ isDefault }) => isDefault === 1)) {
    const first = await tx
      .selectFrom('siteSpace')
      .select('id')
      .where('siteId', '=', siteId)
      .orderBy('position')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (first) await tx.updateTable('siteSpace').set({ isDefault: 1 }).where('id', '=', first.id).execute()
  }
}
