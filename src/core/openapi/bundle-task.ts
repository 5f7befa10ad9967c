/** The task that a thread runs on the source of a specification. */
import { bundleSpecification, type BundleTask } from './bundle.ts'
import type { SpecProblem } from './problem.ts'
import type { SpecPart } from './spec-parts.ts'

/** So many parts are sent at once, because a message is copied while everything else waits. */
const PARTS_AT_ONCE = 100

/** A bundle whose parts were sent ahead. */
export type BundleOutcome =
  | { bundle: Uint8Array; format: 'json' | 'yaml'; problems: SpecProblem[] }
  | { missing: string[] }
  | { refused: SpecProblem[] }

/** Bundles a specification, and sends its parts. */
export async function runBundle(
  task: BundleTask,
  send: (parts: SpecPart[]) => Promise<void>,
): Promise<BundleOutcome> {
  const result = bundleSpecification(task)
  if (!('bundle' in result)) return result
  const { parts, ...rest } = result
  for (let start = 0; start < parts.length; start += PARTS_AT_ONCE)
    await send(parts.slice(start, start + PARTS_AT_ONCE))
  return rest
}
