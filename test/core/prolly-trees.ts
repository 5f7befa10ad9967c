/** Prolly trees for tests. */
import { type Updated, update } from '../../src/core/content/prolly-tree/edit.ts'
import { isLeaf, loadAll } from '../../src/core/content/prolly-tree/node.ts'
import type { Load, Root } from '../../src/core/content/prolly-tree/node.ts'

/** The hashes of all nodes of a prolly tree. */
export async function reachable<V>(root: Root, load: Load<V>): Promise<Set<string>> {
  const seen = new Set<string>()
  for (let hashes = root === null ? [] : [root]; hashes.length > 0;) {
    for (const hash of hashes) seen.add(hash)
    const nodes = await loadAll(hashes, load)
    hashes = nodes.flatMap((node) => (isLeaf(node) ? [] : node.nodes))
  }
  return seen
}

/** The tree of the given entries, which edits must produce too. Of two entries with one key the last counts. */
export function build<V>(content: Iterable<readonly [string, V]>): Promise<Updated<V>> {
  return update<V>(null, new Map(content), async () => new Map())
}
