import type { Row } from '../../db/schema.ts'
import { type Tries, TRIES_INSIDE } from './tries.ts'

/**
 * Runs jobs of one kind. A job can run twice, for example after a crash, so a worker must be idempotent. With `later`, it
 * lets the other due jobs of its kind come first, and runs again after them. @throws PermanentFault if no later run can
 * succeed
 */
export type Worker = (payload: never, job: Row<'job'>) => Promise<void | 'later'>

/** The declaration of a kind of job. */
export interface JobKind {
  run: Worker
  /** How long a run may take, in milliseconds. */
  limitMs: number
  /** How often, and for how long, a job that fails is tried again. */
  tries: Tries
}

/** The time limit of a run, unless its kind has another. */
export const TIME_MS = 600_000

/** A worker alone is a kind that needs nothing from outside. */
export function declaredKind(declared: Worker | JobKind): JobKind {
  return typeof declared === 'function' ? { run: declared, limitMs: TIME_MS, tries: TRIES_INSIDE } : declared
}
