/** The nodes of a prolly tree: their boundaries, their addresses, and lookups in them. */
import { need, needItem } from '../../data/lists.ts'
import { hash as digest } from 'node:crypto'

/** The hash of a map's top node; `null` is the empty map. */
export type Root = string | null

/** The bottom level: entries in code-unit order of their keys. */
export interface LeafNode<V> {
  readonly level: 0
  readonly keys: readonly string[]
  readonly values: readonly V[]
}

/** A level above: `keys[i]` is the last key under the node whose hash is `nodes[i]`. */
export interface BranchNode {
  readonly level: number
  readonly keys: readonly string[]
  readonly nodes: readonly string[]
}

/** A parsed node. Nodes and the values in them are shared between maps and may be cached: never change them. */
export type MapNode<V> = LeafNode<V> | BranchNode

/**
 * Loads nodes by hash, as many as possible in one call. It may use a cache of parsed nodes, and may return more nodes
 * than requested.
 */
export type Load<V> = (hashes: string[]) => Promise<ReadonlyMap<string, MapNode<V>>>

/** The number of entries in a node, and how fast the probability of a boundary grows beyond the minimum. */
interface Shape {
  min: number
  max: number
  ramp: number
}

// A probability that grows with the length keeps node sizes close to their mean (about 16 and 32). The mean size
// determines the cost of an edit.
const LEAF: Shape = { min: 8, max: 32, ramp: 2 ** 32 / 40 }
const BRANCH: Shape = { min: 16, max: 64, ramp: 2 ** 32 / 160 }

/**
 * Whether a node with `length` entries ends at this key. The boundary depends only on keys, so a new value never moves
 * it.
 */
export function endsNode(level: number, key: string, length: number): boolean {
  const { min, max, ramp } = level === 0 ? LEAF : BRANCH
  if (length < min) return false
  return length >= max || scatter(key, level) < (length - min + 1) * ramp
}

/** A uniform 32-bit hash of a key, independent for each level (FNV-1a with the finalizer of MurmurHash 3). */
function scatter(key: string, level: number): number {
  let h = 0x811c9dc5 ^ Math.imul(level, 0x9e3779b1)
  for (let i = 0; i < key.length; i++) h = Math.imul(h ^ key.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** The address of a stored node: the first 40 hexadecimal digits of its SHA-256. */
export function nodeAddress(json: string): string {
  return digest('sha256', json).slice(0, 40)
}

/** Whether a node holds values rather than other nodes. */
export function isLeaf<V>(node: MapNode<V>): node is LeafNode<V> {
  return node.level === 0
}

/** The index of the first sorted key that is not before `key`; the length if there is none. */
export function firstAtLeast(keys: readonly string[], key: string): number {
  // Every lookup comes here, and a call for each comparison would take a third longer.
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (needItem(keys, middle) < key) low = middle + 1
    else high = middle
  }
  return low
}

/** The index of the first sorted key after `key`; the length if there is none. */
export function firstAfter(keys: readonly string[], key: string): number {
  const at = firstAtLeast(keys, key)
  return keys[at] === key ? at + 1 : at
}

/** Loads nodes by their hashes, in the given order. */
export async function loadAll<V>(hashes: string[], load: Load<V>): Promise<MapNode<V>[]> {
  if (hashes.length === 0) return []
  const found = await load(hashes)
  return hashes.map((hash) => found.get(hash) ?? missing(hash))
}

/** Loads nodes, each once. @returns the nodes by their hashes @throws MissingNode */
export async function loadByHash<V>(
  hashes: Iterable<string>,
  load: Load<V>,
): Promise<ReadonlyMap<string, MapNode<V>>> {
  const unique = [...new Set(hashes)]
  const found = await load(unique)
  for (const hash of unique) if (!found.has(hash)) missing(hash)
  return found
}

/** Loads a node by its hash. */
export async function loadOne<V>(hash: string, load: Load<V>): Promise<MapNode<V>> {
  return (await load([hash])).get(hash) ?? missing(hash)
}

/** A node of a map is not stored. */
export class MissingNode extends Error {}

function missing(hash: string): never {
  throw new MissingNode(`The map node ${hash} is missing`)
}

/** Wraps a `Load` so that it requests each node only once. */
export function remembering<V>(load: Load<V>): Load<V> {
  const known = new Map<string, MapNode<V>>()
  return async (hashes) => {
    const unknown = hashes.filter((hash) => !known.has(hash))
    if (unknown.length > 0) {
      // Keep only the requested nodes: the result may be a whole cache.
      const found = await load(unknown)
      for (const hash of unknown) known.set(hash, found.get(hash) ?? missing(hash))
    }
    return known
  }
}

/** Returns the leaves that cover the keys, each with its keys. It calls `load` once for each level. */
export async function descend<V>(
  root: Root,
  keys: Iterable<string>,
  load: Load<V>,
): Promise<[LeafNode<V>, string[]][]> {
  let wanted = new Map(root === null ? [] : [[root, [...keys]]])
  for (;;) {
    const nodes = await loadByHash(wanted.keys(), load)
    const leaves: [LeafNode<V>, string[]][] = []
    const below = new Map<string, string[]>()
    for (const [hash, here] of wanted) {
      const node = need(nodes, hash)
      if (isLeaf(node)) leaves.push([node, here])
      else for (const key of here) push(below, childOf(node, key), key)
    }
    if (below.size === 0) return leaves
    wanted = below
  }
}

/** The node below a branch that has the key, if any has. */
export function childOf(node: BranchNode, key: string): string {
  return needItem(node.nodes, Math.min(firstAtLeast(node.keys, key), node.nodes.length - 1))
}

function push(lists: Map<string, string[]>, name: string, item: string): void {
  const list = lists.get(name)
  if (list) list.push(item)
  else lists.set(name, [item])
}
