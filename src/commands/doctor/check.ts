/** The result of one check: `warning` needs attention, `fault` keeps Lectern or a part of it from working. */
export interface CheckResult {
  /** What was checked, such as `database`. */
  name: string
  status: 'ok' | 'warning' | 'fault'
  message: string
  /** What to do; absent if nothing is to be done. */
  advice?: string
}

/** Reports the findings of one subject. */
export interface Findings {
  ok(message: string): void
  warn(message: string, advice: string): void
  fault(message: string, advice: string): void
}

const LONGEST_MS = 15_000

/**
 * Runs the checks of a subject. An error that they throw becomes a fault, and checks that take longer than 15 seconds end
 * with one.
 */
export async function checkSubject(
  name: string,
  advice: string,
  work: (findings: Findings) => Promise<void> | void,
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  const findings: Findings = {
    ok: (message) => void results.push({ name, status: 'ok', message }),
    warn: (message, what) => void results.push({ name, status: 'warning', message, advice: what }),
    fault: (message, what) => void results.push({ name, status: 'fault', message, advice: what }),
  }
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('no response within 15 seconds')), LONGEST_MS)
  try {
    await Promise.race([work(findings), late.promise])
  } catch (error) {
    findings.fault(error instanceof Error ? error.message : String(error), advice)
  } finally {
    clearTimeout(timer)
  }
  return results
}

/** A number of bytes for people, such as `1.5 GB`. */
export function bytesInWords(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`
}
