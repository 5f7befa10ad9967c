import type { Merged, Side, SideName, Snapshot } from './model.ts'

/** What is decided before any document is read. */
export interface MergePlan {
  /** Hashes of the documents that `finishMerge` needs: of those pages whose source both sides had a part in. */
  readonly sources: readonly string[]
}

/**
 * Merges two sides that have the content `base` in common: all that can be told from the records. `keep` says whose
 * side stands in the result where the two conflict; without conflicts the result is the same either way.
 */
export declare function planMerge(base: Snapshot, primary: Side, own: Side, keep: SideName): MergePlan

/** Merges the documents too, given their sources by hash. `now` (ISO 8601) is when what was merged was updated. */
export declare function finishMerge(
  plan: MergePlan,
  sources: ReadonlyMap<string, string>,
  now: string,
): Merged
