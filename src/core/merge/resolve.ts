import type { Choice, Conflict, Resolution, Snapshot } from './model.ts'

/** Hashes of the documents of the own content that settling a conflict needs. */
export declare function sourcesToResolve(conflict: Conflict, own: Snapshot): string[]

/**
 * Settles a conflict of a merge that kept the own side, in the own content as it is now. `sources` has what
 * `sourcesToResolve` names; `now` (ISO 8601) is when what changes was updated.
 */
export declare function resolveConflict(
  conflict: Conflict,
  choice: Choice,
  own: Snapshot,
  sources: ReadonlyMap<string, string>,
  now: string,
): Resolution
