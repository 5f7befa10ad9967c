/**
 * A persistent, content-addressed, ordered map from string keys to JSON values: what it is, and reading it.
 * `map-edit.ts` makes and changes maps.
 *
 * It is a tree whose shape is a function of the keys it holds and of nothing else: a node ends at a key whose hash
 * says so. Two maps with the same content therefore have the same root hash, whatever edits led to them; an edit
 * writes one node a level; and two maps are compared by visiting only the nodes whose hashes differ.
 *
 * Nothing here reads or writes storage: nodes come from a `Load`.
 */
import { descend, firstAtLeast, isLeaf, loadAll } from './map-node.ts'

/** The hash of a map's top node; `null` is the empty map. */
export type Root = string | null

/** The bottom level: entries in code-unit order of their keys. */
export interface Leaf<V> {
  readonly level: 0
  readonly keys: readonly string[]
  readonly values: readonly V[]
}

/** A level above: `keys[i]` is the last key under the node whose hash is `nodes[i]`. */
export interface Branch {
  readonly level: number
  readonly keys: readonly string[]
  readonly nodes: readonly string[]
}

/** A parsed node. Nodes and the values in them are shared between maps and may be cached: never change them. */
export type MapNode<V> = Leaf<V> | Branch

/** Finds nodes by hash, as many as possible at once. It may answer from a cache of parsed nodes, and with more than was asked for. */
export type Load<V> = (hashes: string[]) => Promise<ReadonlyMap<string, MapNode<V>>>

/** One difference: `before` is absent for an added key, `after` for a removed one. */
export interface Change<V> {
  key: string
  before?: V
  after?: V
}

/** Reads a node as it was stored. */
export function parseNode<V>(json: string): MapNode<V> {
  return JSON.parse(json)
}

/** The value of one key, or undefined. */
export async function get<V>(root: Root, key: string, load: Load<V>): Promise<V | undefined> {
  return (await getMany(root, [key], load)).get(key)
}

/** The values of those of the keys that are there; one `load` a level. */
export async function getMany<V>(root: Root, keys: Iterable<string>, load: Load<V>): Promise<Map<string, V>> {
  const found = new Map<string, V>()
  for (const [leaf, wanted] of await descend(root, keys, load)) {
    for (const key of wanted) {
      const at = firstAtLeast(leaf.keys, key)
      if (leaf.keys[at] === key) found.set(key, leaf.values[at]!)
    }
  }
  return found
}

/** Everything, in key order; one `load` a level. */
export async function entries<V>(root: Root, load: Load<V>): Promise<Map<string, V>> {
  const all = new Map<string, V>()
  let hashes = root === null ? [] : [root]
  while (hashes.length > 0) {
    const nodes = await loadAll(hashes, load)
    hashes = []
    for (const node of nodes) {
      if (isLeaf(node)) node.keys.forEach((key, i) => all.set(key, node.values[i]!))
      else hashes.push(...node.nodes)
    }
  }
  return all
}

/** The hashes of all nodes of a map. Nodes already in `seen` are not visited again, so several maps are walked for the price of what differs. */
export async function reachable<V>(
  root: Root,
  load: Load<V>,
  seen: Set<string> = new Set(),
): Promise<Set<string>> {
  let hashes = root === null ? [] : [root]
  while (hashes.length > 0) {
    const fresh = hashes.filter((hash) => !seen.has(hash))
    hashes = []
    for (const hash of fresh) seen.add(hash)
    for (const node of await loadAll(fresh, load)) {
      if (isLeaf(node)) continue
      // Leaves refer to nothing: they are named without being loaded.
      if (node.level === 1) for (const leaf of node.nodes) seen.add(leaf)
      else hashes.push(...node.nodes)
    }
  }
  return seen
}

/** What differs between two maps, in key order. Nodes that both have are not loaded. */
export async function diff<V>(a: Root, b: Root, load: Load<V>): Promise<Change<V>[]> {
  let [left, right] = withoutCommon(a === null ? [] : [a], b === null ? [] : [b])
  for (;;) {
    const nodes = await loadAll([...left, ...right], load)
    const before = nodes.slice(0, left.length)
    const after = nodes.slice(left.length)
    const level = Math.max(before[0]?.level ?? 0, after[0]?.level ?? 0)
    if (level === 0) return compare(before.filter(isLeaf), after.filter(isLeaf))

    // The higher side goes down until both are on one level, then both; what both have drops out.
    const down = (hashes: string[], side: MapNode<V>[]) =>
      side.flatMap((node, i) => (isLeaf(node) || node.level < level ? hashes[i]! : node.nodes))
    ;[left, right] = withoutCommon(down(left, before), down(right, after))
  }
}

function withoutCommon(a: string[], b: string[]): [string[], string[]] {
  const [inA, inB] = [new Set(a), new Set(b)]
  return [a.filter((hash) => !inB.has(hash)), b.filter((hash) => !inA.has(hash))]
}

function compare<V>(before: Leaf<V>[], after: Leaf<V>[]): Change<V>[] {
  const changes = new Map<string, Change<V>>()
  for (const { keys, values } of before) {
    keys.forEach((key, i) => changes.set(key, { key, before: values[i] }))
  }
  for (const { keys, values } of after) {
    keys.forEach((key, i) => {
      const change = changes.get(key)
      if (!change) changes.set(key, { key, after: values[i] })
      // Stored values are canonical, so equal values are equal texts.
      else if (JSON.stringify(change.before) === JSON.stringify(values[i])) changes.delete(key)
      else change.after = values[i]
    })
  }
  return [...changes.values()].toSorted((x, y) => (x.key < y.key ? -1 : 1))
}
