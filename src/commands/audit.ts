import { readConfig } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { checkAuditChains } from '../model/audit/chain.ts'
import { UsageError } from './usage.ts'
import { printLines, printError } from './print.ts'

/** Verifies the audit log of each organization, and prints its last entry or the first entry that is wrong. */
export async function auditCommand([what]: string[]): Promise<void> {
  if (what !== 'verify') throw new UsageError('The only audit command is: lectern audit verify')

  const db = await openDatabase(readConfig(process.env))
  try {
    for await (const { organizationId, sequence, hash, broken } of checkAuditChains(db.read)) {
      if (!broken) {
        printLines(`${organizationId}: ${sequence} events are unchanged; the last hash is ${hash}`)
        continue
      }
      const id = broken.id ? ` (${broken.id})` : ''
      printError(`${organizationId}: event ${broken.sequence}${id} ${broken.fault}`)
      process.exitCode = 1
    }
  } finally {
    await db.close()
  }
}
