import { createHmac } from 'node:crypto'
import { chunks } from '../../db/chunks.ts'
import type { Database, Reader, Tx } from '../../db/schema.ts'

/** 128 bits of an HMAC, as text. */
const KEY_LENGTH = 22
const ROWS_AT_ONCE = 100
const DELETED_AT_ONCE = 1_000

/** What is added to a count. */
export interface Addition {
  /** The limit, the window and the caller. */
  name: string
  amount: number
  /** When the window ends, in milliseconds. */
  endsAt: number
}

/** Counts that all copies of the server on one database share. */
export interface SharedCounts {
  /** What is counted so far, in the order of the names. */
  read(names: readonly string[]): Promise<number[]>
  /**
   * Adds to counts, all or none.
   * @param accept throws if a count is too high; nothing is counted then
   * @returns the counts, in the order of the additions
   */
  add(additions: readonly Addition[], accept?: (used: readonly number[]) => void): Promise<number[]>
}

/** @param secret of the installation, without which nobody finds out by whose address a count is stored */
export function sharedCounts(db: Database, secret: () => string): SharedCounts {
  const countKey = (name: string) =>
    createHmac('sha256', secret()).update(`count:${name}`).digest('base64url').slice(0, KEY_LENGTH)

  return {
    async read(names) {
      const keys = names.map(countKey)
      const rows = await storedCounts(db.read, keys)
      return keys.map((key) => rows.get(key) ?? 0)
    },
    add(additions, accept) {
      const keys = additions.map(({ name }) => countKey(name))
      const rows = additions.map(({ amount, endsAt }, i) => ({
        key: keys[i]!,
        used: amount,
        endsAt: new Date(endsAt).toISOString(),
      }))
      // In one order, so that two copies never wait for each other's rows.
      const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1))
      return db.write(async (tx) => {
        const found = new Map<string, number>()
        for (const some of chunks(sorted, ROWS_AT_ONCE))
          for (const { key, used } of await addTo(tx, some)) found.set(key, used)
        const used = keys.map((key) => found.get(key)!)
        accept?.(used)
        return used
      })
    },
  }
}

async function storedCounts(db: Reader, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.selectFrom('sharedCount').select(['key', 'used']).where('key', 'in', keys).execute()
  return new Map(rows.map(({ key, used }) => [key, used]))
}

function addTo(tx: Tx, rows: readonly { key: string; used: number; endsAt: string }[]) {
  return tx
    .insertInto('sharedCount')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((eb) => ({ used: eb('sharedCount.used', '+', eb.ref('excluded.used')) })),
    )
    .returning(['key', 'used'])
    .execute()
}

/** Deletes some of the counts whose window has ended. @returns whether there may be more */
export async function deleteEndedCounts(tx: Tx, now: Date): Promise<boolean> {
  const ended = tx
    .selectFrom('sharedCount')
    .select('key')
    .where('endsAt', '<=', now.toISOString())
    .limit(DELETED_AT_ONCE)
  const { numDeletedRows } = await tx.deleteFrom('sharedCount').where('key', 'in', ended).executeTakeFirst()
  return numDeletedRows >= DELETED_AT_ONCE
}
