import type { Database } from '../../db/schema.ts'

/** Collects the times at which tokens or sessions were used and writes them in batches, so that a read does not write. */
export function lastUses(db: Database, table: 'token' | 'scimToken' | 'session') {
  const used = new Map<string, Date>()

  return {
    note(id: string, now: Date) {
      used.set(id, now)
    },
    async flush() {
      const entries = [...used]
      used.clear()
      if (entries.length === 0) return
      try {
        await db.write(async (tx) => {
          for (const [id, lastUsedAt] of entries) {
            await tx
              .updateTable(table)
              .set({ lastUsedAt: lastUsedAt.toISOString() })
              .where('id', '=', id)
              .execute()
          }
        })
      } catch (error) {
        // The next flush writes them, unless the token was used again since.
        for (const [id, lastUsedAt] of entries) if (!used.has(id)) used.set(id, lastUsedAt)
        throw error
      }
    },
  }
}
