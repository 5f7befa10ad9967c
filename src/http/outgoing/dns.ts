import { Resolver } from 'node:dns/promises'
import { unavailable } from '../errors.ts'
import { because } from '../../core/languages/reasons.ts'

const TIMEOUT_MS = 3000
const TRIES = 2
const RETRY_S = 60
/** The DNS answers that there is no such name, or no such record. */
const NONE = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Reads the TXT records of names, without any if a name does not exist.
 * @param servers the servers of the DNS to ask; by default, those of the system
 * @returns a function that throws 503 if the DNS does not respond
 */
export function txtResolver({
  servers,
  timeoutMs = TIMEOUT_MS,
}: { servers?: readonly string[]; timeoutMs?: number } = {}): (name: string) => Promise<string[]> {
  return async (name) => {
    try {
      const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
      if (servers) resolver.setServers(servers)
      const records = await resolver.resolveTxt(name)
      return records.map((parts) => parts.join(''))
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (NONE.has(code)) return []
      throw unavailable(because('dns-silent', { name, code }), RETRY_S)
    }
  }
}
