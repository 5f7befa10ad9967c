/** Creates and changes prolly trees. It returns new nodes for the caller to store, and overwrites nothing. */
import { needItem, needLast } from '../../data/lists.ts'
import { canonical } from '../../data/json.ts'
import { giveTurn, isTurnOver } from '../../runtime/turns.ts'
import { parseNode } from './read.ts'
import type { Load, MapNode, Root } from './node.ts'
import {
  nodeAddress,
  descend,
  endsNode,
  firstAfter,
  firstAtLeast,
  isLeaf,
  loadOne,
  remembering,
} from './node.ts'

/** A node to store under its hash. `node` is the parsed form, for the caller's cache. */
export interface NewNode<V> {
  json: string
  node: MapNode<V>
}

/** The map after an edit, and the nodes that it does not share with the previous map, by hash. */
export interface Updated<V> {
  root: Root
  nodes: Map<string, NewNode<V>>
}

type Entry<I> = readonly [key: string, item: I]
type Edit<I> = readonly [key: string, item: I | null]
type NewNodes<V> = Map<string, NewNode<V>>

/**
 * Returns the map after setting the given keys; null removes a key. The nodes depend only on the resulting content. An
 * edit of thousands of keys gives others turns.
 */
export async function update<V>(
  root: Root,
  changes: ReadonlyMap<string, V | null>,
  load: Load<V>,
): Promise<Updated<V>> {
  const values: Edit<unknown>[] = []
  for (const [key, value] of [...changes].toSorted(byKey)) {
    values.push([key, value === null ? null : canonical(value)])
    if (isTurnOver()) await giveTurn()
  }
  const nodes: NewNodes<V> = new Map()
  if (root === null) return { root: await grow(0, values.filter(isSet), nodes), nodes }
  if (values.length === 0) return { root, nodes }

  const old = remembering(load)
  await descend(root, changes.keys(), old)
  const top = await loadOne(root, old)

  let edits = await rewrite(root, 0, values, old, nodes)
  for (let level = 1; level <= top.level; level++) edits = await rewrite(root, level, edits, old, nodes)

  // The edit rewrote the top node completely, so these are all the nodes of its level.
  const row = edits.filter(isSet)
  if (row.length > 1) return { root: await grow(top.level + 1, row, nodes), nodes }
  return { root: row[0] ? await shrink(row[0][1], old, nodes) : null, nodes }
}

function isSet<I>(edit: Edit<I>): edit is Entry<I> {
  return edit[1] !== null
}

/**
 * Applies edits to one level of a map, and returns the resulting edits for the level above. It rewrites from the node
 * with the first edited key to the right, until a new node ends where an old one ended.
 */
async function rewrite<V>(
  root: string,
  level: number,
  edits: Edit<unknown>[],
  load: Load<V>,
  nodes: NewNodes<V>,
): Promise<Edit<string>[]> {
  const above = new Map<string, string | null>()
  const replaced = new Set<string>()
  const open: Entry<unknown>[] = []
  const close = () => {
    const [key, hash] = addNode(level, open.splice(0), nodes)
    above.set(key, hash)
  }

  let rest = edits
  for (let next = rest[0]; next; next = rest[0]) {
    let old = await locate(root, level, next[0], false, load)
    for (;;) {
      const lastKey = needLast(old.node.keys)
      const past = old.last ? -1 : rest.findIndex(([key]) => key > lastKey)
      const here = past < 0 ? rest : rest.slice(0, past)
      rest = past < 0 ? [] : rest.slice(past)

      if (isTurnOver()) await giveTurn()
      replaced.add(old.hash)
      above.set(lastKey, null)
      for (const entry of merge(nodeEntries(old.node), here)) {
        open.push(entry)
        if (endsNode(level, entry[0], open.length)) close()
      }
      if (open.length === 0 || old.last) break
      old = await locate(root, level, lastKey, true, load)
    }
    if (open.length > 0) close()
  }

  for (const hash of replaced) nodes.delete(hash)
  return [...above].toSorted(byKey)
}

function nodeEntries<V>(node: MapNode<V>): Entry<unknown>[] {
  const items: readonly unknown[] = isLeaf(node) ? node.values : node.nodes
  return node.keys.map((key, i) => [key, items[i]])
}

function merge(row: Entry<unknown>[], edits: Edit<unknown>[]): Entry<unknown>[] {
  if (edits.length === 0) return row
  return [...new Map<string, unknown>([...row, ...edits])].toSorted(byKey).filter(isSet)
}

/** Groups a row of entries into nodes, then these nodes into nodes of the next level, until one root is left. */
async function grow<V>(level: number, row: Entry<unknown>[], nodes: NewNodes<V>): Promise<Root> {
  const above: Entry<string>[] = []
  let start = 0
  for (const [i, [key]] of row.entries()) {
    if (i + 1 < row.length && !endsNode(level, key, i + 1 - start)) continue
    above.push(addNode(level, row.slice(start, i + 1), nodes))
    start = i + 1
    if (isTurnOver()) await giveTurn()
  }
  if (above.length > 1) return grow(level + 1, above, nodes)
  return above[0]?.[1] ?? null
}

/** Removes a top node that has a single child. The child becomes the root. */
async function shrink<V>(top: string, load: Load<V>, nodes: NewNodes<V>): Promise<string> {
  const node = nodes.get(top)?.node ?? (await loadOne(top, load))
  if (isLeaf(node) || node.nodes.length > 1) return top
  nodes.delete(top)
  return shrink(needItem(node.nodes, 0), load, nodes)
}

function addNode<V>(level: number, row: Entry<unknown>[], nodes: NewNodes<V>): Entry<string> {
  const keys = row.map(([key]) => key)
  const items = row.map(([, item]) => item)
  const json = JSON.stringify(level === 0 ? { level, keys, values: items } : { level, keys, nodes: items })
  const hash = nodeAddress(json)
  // The node is parsed from its JSON. A cached node then shares nothing with the caller's values, and equals what a
  // later read returns.
  if (!nodes.has(hash)) nodes.set(hash, { json, node: parseNode(json) })
  return [needLast(keys), hash]
}

interface Place<V> {
  hash: string
  node: MapNode<V>
  /** Whether the node is the rightmost of its level. */
  last: boolean
}

/** Finds the node of a level that covers a key. With `after`, finds the first node whose last key is greater. */
async function locate<V>(
  root: string,
  level: number,
  key: string,
  after: boolean,
  load: Load<V>,
): Promise<Place<V>> {
  const place = { hash: root, node: await loadOne(root, load), last: true }
  while (!isLeaf(place.node) && place.node.level > level) {
    const { keys, nodes } = place.node
    const at = Math.min(after ? firstAfter(keys, key) : firstAtLeast(keys, key), keys.length - 1)
    place.last &&= at === keys.length - 1
    place.hash = needItem(nodes, at)
    place.node = await loadOne(place.hash, load)
  }
  return place
}

function byKey(a: Edit<unknown>, b: Edit<unknown>): number {
  if (a[0] === b[0]) return 0
  return a[0] < b[0] ? -1 : 1
}
