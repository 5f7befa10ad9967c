/**
 * Reads a prolly tree: a persistent, content-addressed, ordered map from string keys to JSON values. `edit.ts` makes and
 * changes such maps.
 *
 * The shape of the tree depends only on its keys: the hash of a key decides whether a node ends there. Two maps with the
 * same content therefore have the same root hash, whatever edits led to them. An edit writes one node on each level, and
 * a comparison visits only the nodes whose hashes differ.
 *
 * This module does no I/O: the caller passes a `Load` that fetches nodes.
 */
import { append, need, needItem } from '../../data/lists.ts'
import { jsonEqual } from '../../data/json.ts'
import {
  childOf,
  descend,
  firstAtLeast,
  isLeaf,
  type LeafNode,
  type Load,
  loadAll,
  loadByHash,
  type MapNode,
  MissingNode,
  type Root,
} from './node.ts'

/** One difference: `before` is absent for an added key, `after` for a removed one. */
export interface EntryChange<V> {
  key: string
  before?: V
  after?: V
}

/** Parses a stored node. */
export function parseNode<V>(json: string): MapNode<V> {
  return JSON.parse(json)
}

/** The value of one key, or undefined. */
export async function get<V>(root: Root, key: string, load: Load<V>): Promise<V | undefined> {
  return (await getMany(root, [key], load)).get(key)
}

/** Returns the values of the keys that exist. It calls `load` once for each level. */
export async function getMany<V>(root: Root, keys: Iterable<string>, load: Load<V>): Promise<Map<string, V>> {
  const found = new Map<string, V>()
  for (const [leaf, wanted] of await descend(root, keys, load)) {
    for (const key of wanted) {
      const at = firstAtLeast(leaf.keys, key)
      if (leaf.keys[at] === key) found.set(key, needItem(leaf.values, at))
    }
  }
  return found
}

/** The values of one key in several maps, in their order. It calls `load` once for each level, with each node once. */
export async function getFromMaps<V>(
  roots: readonly Root[],
  key: string,
  load: Load<V>,
): Promise<(V | undefined)[]> {
  const values = new Map<Root, V>()
  let places = new Map(roots.flatMap((root): [string, string][] => (root === null ? [] : [[root, root]])))
  while (places.size > 0) {
    const nodes = await loadByHash(places.values(), load)
    const below = new Map<string, string>()
    for (const [root, hash] of places) {
      const node = need(nodes, hash)
      if (!isLeaf(node)) {
        below.set(root, childOf(node, key))
        continue
      }
      const at = firstAtLeast(node.keys, key)
      if (node.keys[at] === key) values.set(root, needItem(node.values, at))
    }
    places = below
  }
  return roots.map((root) => values.get(root))
}

/** Returns all entries, in key order. It calls `load` once for each level. */
export async function entries<V>(root: Root, load: Load<V>): Promise<Map<string, V>> {
  const all = new Map<string, V>()
  let hashes = root === null ? [] : [root]
  while (hashes.length > 0) {
    const nodes = await loadAll(hashes, load)
    hashes = []
    for (const node of nodes) {
      if (isLeaf(node)) node.keys.forEach((key, i) => all.set(key, needItem(node.values, i)))
      else append(hashes, node.nodes)
    }
  }
  return all
}

/** The differences between two maps, in key order. Nodes that both maps share are not loaded. */
export async function diff<V>(a: Root, b: Root, load: Load<V>): Promise<EntryChange<V>[]> {
  let [left, right] = withoutCommon(a === null ? [] : [a], b === null ? [] : [b])
  for (;;) {
    const nodes = await loadAll([...left, ...right], load)
    const before = nodes.slice(0, left.length)
    const after = nodes.slice(left.length)
    const level = Math.max(before[0]?.level ?? 0, after[0]?.level ?? 0)
    if (level === 0) return compare(before.filter(isLeaf), after.filter(isLeaf))

    // Descends on the higher side until both sides are on one level, then on both. Nodes that both sides have are
    // dropped.
    ;[left, right] = withoutCommon(down(left, before, level), down(right, after, level))
  }
}

/** The hashes of the nodes of `b`, without those that it shares with `a` at the same place. */
export async function nodesBeyond(a: Root, b: Root, load: Load<unknown>): Promise<Set<string>> {
  const beyond = new Set<string>()
  let [left, right] = withoutCommon(a === null ? [] : [a], b === null ? [] : [b])
  while (right.length > 0) {
    for (const hash of right) beyond.add(hash)
    const nodes = await loadAll([...left, ...right], load)
    const [before, after] = [nodes.slice(0, left.length), nodes.slice(left.length)]
    const level = Math.max(before[0]?.level ?? 0, needItem(after, 0).level)
    if (level === 0) break
    ;[left, right] = withoutCommon(down(left, before, level), down(right, after, level))
  }
  return beyond
}

/** The level below `level`, of one side of a comparison. Nodes that are lower already stay. */
function down<V>(hashes: string[], side: MapNode<V>[], level: number): string[] {
  return side.flatMap((node, i) => (isLeaf(node) || node.level < level ? needItem(hashes, i) : node.nodes))
}

/** Returns the result of a comparison; undefined if nodes are missing, as those of a replaced revision may be. */
export async function unlessMissing<T>(comparison: Promise<T>): Promise<T | undefined> {
  try {
    return await comparison
  } catch (error) {
    if (error instanceof MissingNode) return undefined
    throw error
  }
}

function withoutCommon(a: string[], b: string[]): [string[], string[]] {
  const [inA, inB] = [new Set(a), new Set(b)]
  return [a.filter((hash) => !inB.has(hash)), b.filter((hash) => !inA.has(hash))]
}

function compare<V>(before: LeafNode<V>[], after: LeafNode<V>[]): EntryChange<V>[] {
  const changes = new Map<string, EntryChange<V>>()
  for (const { keys, values } of before) {
    keys.forEach((key, i) => changes.set(key, { key, before: values[i] }))
  }
  for (const { keys, values } of after) {
    keys.forEach((key, i) => {
      const change = changes.get(key)
      if (!change) changes.set(key, { key, after: values[i] })
      else if (jsonEqual(change.before, values[i])) changes.delete(key)
      else change.after = values[i]
    })
  }
  return [...changes.values()].toSorted((x, y) => (x.key < y.key ? -1 : 1))
}
