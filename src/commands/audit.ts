import { readFileSync } from 'node:fs'
import { sealedBy } from '../access/credentials/sealing.ts'
import { readConfig } from '../installation/config.ts'
import { openDatabase } from '../db/open.ts'
import { checkAuditChains, type KnownEntry } from '../model/audit/chain.ts'
import { signedSince } from '../model/audit/signing.ts'
import { openKeyring } from '../installation/secrets.ts'
import { UsageError } from './usage.ts'
import { printLines, printError } from './print.ts'

/**
 * Verifies the audit log of each organization, or of one, and prints its last entry or the first entry that is wrong.
 * @param options `expect` is a file with what the command printed earlier
 */
export async function auditCommand(
  [what, only, ...more]: string[],
  options: { expect?: string | undefined } = {},
): Promise<void> {
  if (what !== 'verify' || more.length > 0)
    throw new UsageError('The only audit command is: lectern audit verify [<organization id>]')
  const known = options.expect === undefined ? [] : readKnown(options.expect)

  const config = readConfig(process.env)
  const db = await openDatabase(config)
  try {
    const signing = sealedBy(await openKeyring(db, config))
    const since = await signedSince(db.read, signing)
    if (since === undefined) {
      printError(
        'The database does not say since when the audit logs are signed. If you have just updated Lectern, start the server once. Otherwise somebody changed the database',
      )
      process.exitCode = 1
    } else printLines(`The audit logs are signed since ${since}`)

    for await (const { organizationId, sequence, hash, broken } of checkAuditChains(db.read, signing, {
      only,
      known,
    })) {
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

/** The last entries of logs in an earlier output of the command. @throws UsageError if there are none */
function readKnown(file: string): KnownEntry[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`The file of --expect cannot be read (${(error as Error).message})`)
  }
  const lines = /^(\S+): (\d+) events are unchanged; the last hash is ([0-9a-f]{64})\r?$/gm
  const known = [...text.matchAll(lines)].map(([, organizationId = '', sequence, hash = '']) => ({
    organizationId,
    sequence: Number(sequence),
    hash,
  }))
  if (known.length === 0)
    throw new UsageError(`"${file}" has no line that "lectern audit verify" printed for an intact log`)
  return known
}
