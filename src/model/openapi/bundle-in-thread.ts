import { append } from '../../core/data/lists.ts'
import type { BundleTask } from '../../core/openapi/bundle.ts'
import type { BundleOutcome } from '../../core/openapi/bundle-task.ts'
import type { SpecPart } from '../../core/openapi/spec-parts.ts'
import { partyFor } from '../../core/runtime/turns.ts'
import { type TaskKind, ThreadError } from '../../threads/pool.ts'
import { bulkThreads } from '../../threads/threads.ts'

/** Ten megabytes of YAML take about five seconds. */
const TIME_MS = 60_000

const BUNDLE: TaskKind<BundleTask, BundleOutcome, SpecPart[]> = {
  module: new URL('../../core/openapi/bundle-task.ts', import.meta.url),
  name: 'runBundle',
  timeMs: TIME_MS,
}

/**
 * Bundles a specification in a thread. @param organizationId that of the specification
 * @param parts receives the parts of a bundle
 * @throws ThreadError if too many tasks wait
 */
export async function bundleInThread(
  task: BundleTask,
  organizationId: string,
  parts: SpecPart[],
): Promise<BundleOutcome> {
  const take = async (some: SpecPart[]) => append(parts, some)
  try {
    return await bulkThreads.run(BUNDLE, task, { party: partyFor(organizationId), take })
  } catch (error) {
    const fault = error instanceof ThreadError ? error.fault : undefined
    if (fault === 'time')
      return refused('TOO_SLOW', `Reading the specification takes longer than ${TIME_MS / 1000} seconds`)
    if (fault === 'memory') return refused('TOO_LARGE', 'Reading the specification needs too much memory')
    throw error
  }
}

const refused = (code: string, message: string): BundleOutcome => ({ refused: [{ code, message }] })
