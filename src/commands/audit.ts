import { readConfig } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { checkAuditChains } from '../model/audit-chain.ts'
import { UsageError } from './usage.ts'

/** Recomputes the audit logs and prints the end of each, or its first entry that is not as it was written. */
export async function auditCommand([what]: string[]): Promise<void> {
  if (what !== 'verify') throw new UsageError('lectern audit verify: the one thing "audit" can do')

  const db = await openDatabase(readConfig(process.env))
  try {
    for await (const { organizationId, sequence, hash, broken } of checkAuditChains(db.read)) {
      if (!broken) {
        console.log(`${organizationId}: ${sequence} events as they were written; the last is ${hash}`)
        continue
      }
      const id = broken.id ? ` (${broken.id})` : ''
      console.error(`${organizationId}: event ${broken.sequence}${id} ${broken.fault}`)
      process.exitCode = 1
    }
  } finally {
    await db.close()
  }
}
