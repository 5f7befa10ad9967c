/** Comparison of two versions of a page as tasks: from plain data to plain data, so that a thread can do it. */
import { parsePage } from '../../document/parse.ts'
import { diffBlocks, followBlocks, type FollowedBlock } from './block-diff.ts'

/** The Markdown of two versions of a page. */
export interface VersionsTask {
  before: string
  after: string
}

/** The differences of two versions, as the JSON of `BlockChange[]`. */
export function blockDiffJson({ before, after }: VersionsTask): string {
  return JSON.stringify(diffBlocks(parsePage(before).document.nodes, parsePage(after).document.nodes))
}

/** The blocks of the first version in the second, by their keys in the first. */
export function followBlocksTask({ before, after }: VersionsTask): Map<string, FollowedBlock> {
  return followBlocks(parsePage(before).document.nodes, parsePage(after).document.nodes)
}
