/** The nodes of a `map.ts` map: where they end, how they are addressed, and how they are found and searched. */
import { hash as digest } from 'node:crypto'
import type { Branch, Leaf, Load, MapNode, Root } from './map.ts'

/** How many entries a node may hold, and how fast the odds that it ends grow once it has the minimum. */
interface Shape {
  min: number
  max: number
  ramp: number
}

// Odds that grow with the length keep sizes close to their mean (about 16 and 32), which is what an edit costs.
const LEAF: Shape = { min: 8, max: 32, ramp: 2 ** 32 / 40 }
const BRANCH: Shape = { min: 16, max: 64, ramp: 2 ** 32 / 160 }

/** Whether a node that has grown to `length` entries ends at this key. Only keys decide, so a new value never moves a boundary. */
export function endsNode(level: number, key: string, length: number): boolean {
  const { min, max, ramp } = level === 0 ? LEAF : BRANCH
  if (length < min) return false
  return length >= max || scatter(key, level) < (length - min + 1) * ramp
}

/** An even 32-bit hash of a key, independent between levels (FNV-1a with the finalizer of MurmurHash 3). */
function scatter(key: string, level: number): number {
  let h = 0x811c9dc5 ^ Math.imul(level, 0x9e3779b1)
  for (let i = 0; i < key.length; i++) h = Math.imul(h ^ key.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** The address of a stored node: the first 40 hexadecimal digits of its SHA-256. */
export function addressOf(json: string): string {
  return digest('sha256', json).slice(0, 40)
}

/** A copy of a JSON value that prints the same for equal values: keys sorted, undefined left out. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(
    fields.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, canonical(field)]),
  )
}

/** Whether a node holds values rather than other nodes. */
export function isLeaf<V>(node: MapNode<V>): node is Leaf<V> {
  return node.level === 0
}

/** The index of the first of the sorted keys that is `key` or after it; the length if there is none. */
export function firstAtLeast(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (keys[middle]! < key) low = middle + 1
    else high = middle
  }
  return low
}

/** The index of the first of the sorted keys that is after `key`; the length if there is none. */
export function firstAfter(keys: readonly string[], key: string): number {
  const at = firstAtLeast(keys, key)
  return keys[at] === key ? at + 1 : at
}

/** The nodes of the hashes, in their order. */
export async function loadAll<V>(hashes: string[], load: Load<V>): Promise<MapNode<V>[]> {
  if (hashes.length === 0) return []
  const found = await load(hashes)
  return hashes.map((hash) => found.get(hash) ?? missing(hash))
}

/** The node of a hash. */
export async function loadOne<V>(hash: string, load: Load<V>): Promise<MapNode<V>> {
  return (await load([hash])).get(hash) ?? missing(hash)
}

function missing(hash: string): never {
  throw new Error(`The map node ${hash} is missing`)
}

/** A `Load` that asks for each node once. */
export function remembering<V>(load: Load<V>): Load<V> {
  const known = new Map<string, MapNode<V>>()
  return async (hashes) => {
    const unknown = hashes.filter((hash) => !known.has(hash))
    if (unknown.length > 0) {
      // Only what was asked for: the answer may be a whole cache.
      const found = await load(unknown)
      for (const hash of unknown) known.set(hash, found.get(hash) ?? missing(hash))
    }
    return known
  }
}

/** The leaves where the keys belong, each with its keys; one `load` a level. */
export async function descend<V>(
  root: Root,
  keys: Iterable<string>,
  load: Load<V>,
): Promise<[Leaf<V>, string[]][]> {
  let wanted = new Map(root === null ? [] : [[root, [...keys]]])
  for (;;) {
    const hashes = [...wanted.keys()]
    const nodes = await loadAll(hashes, load)
    const leaves: [Leaf<V>, string[]][] = []
    const below = new Map<string, string[]>()
    nodes.forEach((node, i) => {
      const here = wanted.get(hashes[i]!)!
      if (isLeaf(node)) leaves.push([node, here])
      else for (const key of here) push(below, childOf(node, key), key)
    })
    if (below.size === 0) return leaves
    wanted = below
  }
}

function childOf(node: Branch, key: string): string {
  return node.nodes[Math.min(firstAtLeast(node.keys, key), node.nodes.length - 1)]!
}

function push(lists: Map<string, string[]>, name: string, item: string): void {
  const list = lists.get(name)
  if (list) list.push(item)
  else lists.set(name, [item])
}
