import type { Tx } from '../db/schema.ts'
import type { Enqueue, Services } from '../http/route.ts'
import type { Worker } from './queue.ts'

const DAY_MS = 24 * 3_600_000
/** A job holds up those after it, so it looks at no more than this, and leaves the rest to another. */
const SEEN_AT_ONCE = 5_000
/** What a statement can name. */
const NAMED_AT_ONCE = 500

/**
 * Finds bytes that no space and no upload has, such as those of an import that was refused after it had stored them,
 * and has them removed. It looks only at what was stored more than a day ago, once a day.
 */
export function sweepBlobs({ db, blobs, enqueue, now }: Services, atOnce = SEEN_AT_ONCE): Worker {
  return async ({ after }: { after?: string }) => {
    const at = now()
    // First of all, so that a store that cannot be read today is read tomorrow.
    if (after === undefined) await db.write((tx) => sweepAt(tx, enqueue, new Date(at.getTime() + DAY_MS)))

    let seen = 0
    let last: string | undefined
    let old: string[] = []
    for await (const { hash, storedAt } of blobs.list(after)) {
      if (storedAt.getTime() < at.getTime() - DAY_MS) old.push(hash)
      if (old.length === NAMED_AT_ONCE) {
        await removeUnused(old)
        old = []
      }
      last = hash
      if (++seen === atOnce) break
    }
    await removeUnused(old)
    if (seen === atOnce) await db.write((tx) => enqueue(tx, 'sweep-blobs', { after: last }))
  }

  /** Leaves removing to the job that everything else leaves it to, which looks once more. */
  async function removeUnused(hashes: string[]): Promise<void> {
    if (hashes.length === 0) return
    const used = await db.read
      .selectFrom('spaceBlob')
      .select('hash')
      .where('hash', 'in', hashes)
      .unionAll(
        db.read
          .selectFrom('upload')
          .select('blob as hash')
          .where('blob', 'in', hashes)
          .$narrowType<{ hash: string }>(),
      )
      .execute()
    const names = new Set(used.map(({ hash }) => hash))
    const unused = hashes.filter((hash) => !names.has(hash))
    if (unused.length === 0) return
    await db.write(async (tx) => {
      for (const hash of unused) await enqueue(tx, 'remove-blob', { hash }, { dedupe: `remove-blob:${hash}` })
    })
  }
}

/**
 * Sets the daily sweep going, unless it goes already; at every start of a server. The first is after a day, so that
 * whoever started it with another database by mistake still has their files when they notice.
 */
export async function beginSweeping({
  db,
  enqueue,
  now,
}: Pick<Services, 'db' | 'enqueue' | 'now'>): Promise<void> {
  await db.write(async (tx) => {
    const next = await tx
      .selectFrom('job')
      .select('id')
      .where('kind', '=', 'sweep-blobs')
      .where('state', '=', 'waiting')
      .limit(1)
      .executeTakeFirst()
    if (!next) await sweepAt(tx, enqueue, new Date(now().getTime() + DAY_MS))
  })
}

/** The day is in the key: while today's runs it counts as waiting, and must not keep tomorrow's out. */
async function sweepAt(tx: Tx, enqueue: Enqueue, runAt: Date): Promise<void> {
  await enqueue(tx, 'sweep-blobs', {}, { runAt, dedupe: `sweep-blobs:${runAt.toISOString().slice(0, 10)}` })
}
