import { BatchRefused } from '../../../core/content/batch/refused.ts'
import { invalidAt } from '../../../http/errors.ts'

/** Runs `work` and converts its errors. @throws 400 that names the change and its field */
export function orRefused<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof BatchRefused)) throw error
    const path = `body.changes.${error.index}.${error.field}`
    throw invalidAt(path, error)
  }
}
