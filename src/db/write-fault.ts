import { databaseFault } from './errors.ts'
import type { Database } from './schema.ts'

const PROBE = { name: 'probe', value: 'x'.repeat(64 * 1024) }

/** The last write that the storage of a database refused. */
export interface WriteFault {
  /** Remembers an error if it is a fault of the storage. */
  note(error: unknown): void
  /** Rejects with the fault for as long as it lasts. Without a fault it does nothing, so that a check costs no write. */
  check(write: Database['write']): Promise<void>
}

/**
 * Remembers that a write failed because the disk was full, or the database read-only or damaged. A check then tries to
 * write 64 kB, and forgets the fault when that works. Damage lasts until the next start.
 */
export function writeFault(): WriteFault {
  let found: unknown

  return {
    note(error) {
      const fault = databaseFault(error)
      if (fault === 'damaged' || (found === undefined && (fault === 'full' || fault === 'read-only')))
        found = error
    },
    async check(write) {
      if (found === undefined) return
      if (databaseFault(found) === 'damaged') throw found
      await write((tx) =>
        tx
          .insertInto('instance')
          .values(PROBE)
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: PROBE.value }))
          .execute(),
      )
      await write((tx) => tx.deleteFrom('instance').where('name', '=', PROBE.name).execute())
      found = undefined
    },
  }
}
