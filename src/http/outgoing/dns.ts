import { Resolver } from 'node:dns/promises'
import { unavailable } from '../errors.ts'
import { because } from '../../core/languages/reasons.ts'

const TIMEOUT_MS = 3000
const TRIES = 2
const RETRY_S = 60
/** The DNS answers that there is no such name, or no such record. */
const NONE = new Set(['ENOTFOUND', 'ENODATA'])

/** Reads the TXT records of a name, without any if it does not exist. @throws 503 if the DNS does not answer */
export async function resolveTxt(name: string): Promise<string[]> {
  try {
    const records = await new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }).resolveTxt(name)
    return records.map((parts) => parts.join(''))
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (NONE.has(code)) return []
    throw unavailable(because('dns-silent', { name, code }), RETRY_S)
  }
}
