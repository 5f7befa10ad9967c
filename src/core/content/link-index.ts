/** The links of a revision: every reference in its pages and reusable contents, by target. */
import { firstIndex, need, needItem } from '../data/lists.ts'
import type { ContentRef } from '../document/model.ts'
import { textAt } from '../text/packed-texts.ts'
import { type LinkSource, sourceKey } from './link-places.ts'
import {
  keysTo,
  type LinkedContent,
  linkResolver,
  type ResolvedLink,
  type SourceLinks,
} from './link-resolving.ts'
import {
  firstText,
  type FoundUse,
  holdersOfSource,
  holdersOfUse,
  INDEXED_STATUSES,
  type IndexedStatus,
  packUses,
  type Relation,
  useOfHolder,
  wholeBytes,
  type WholeIndex,
  wholeRelation,
  wholeStatus,
} from './link-uses.ts'

/**
 * The links of a revision: those of an earlier revision in flat arrays, and what differs since. Both are shared between
 * indexes and never change. The uses that only the later part has are numbered after those of the whole.
 */
export interface LinkIndex {
  readonly whole: WholeIndex
  readonly later: LaterLinks
}

/** The differences from a whole index. */
export interface LaterLinks {
  /** The sources that changed, or whose references resolve differently, by their keys; null for a deleted one. */
  readonly sources: ReadonlyMap<string, SourceLinks | null>
  /** The numbers in the whole of these sources. */
  readonly replaced: ReadonlySet<number>
  /** The uses with other holders or another status, by their keys. */
  readonly uses: ReadonlyMap<string, LaterUse>
  /** The same uses by their number, for those in the whole. */
  readonly byNumber: ReadonlyMap<number, LaterUse>
  /** The keys of the uses that the whole does not have, sorted. */
  readonly added: readonly string[]
  /** The pages whose anchors were read again, with the tokens that these depend on. */
  readonly anchors: ReadonlyMap<string, Uint32Array>
}

/** A use that differs from the whole index. */
export interface LaterUse {
  readonly key: string
  /** Its number in the whole. */
  readonly number: number | undefined
  readonly relation: Relation
  readonly target: ContentRef
  status: IndexedStatus
  /** How many of its holders in the whole are in sources that changed. */
  lost: number
  /** Its holders in sources that changed, by the keys of these. */
  readonly holders: Map<string, ResolvedLink[]>
}

/** A reference: the key of its source, its index in `placesIn` of it, and the rank of its block among those of it. */
export interface Holder {
  source: string
  place: number
  block: number
}

export const NOTHING_LATER: LaterLinks = {
  sources: new Map(),
  replaced: new Set(),
  uses: new Map(),
  byNumber: new Map(),
  added: [],
  anchors: new Map(),
}

/** Indexes the references of a content from nothing. */
export function indexLinks(content: LinkedContent): WholeIndex {
  const resolver = linkResolver(content)
  const records: LinkSource[] = [...content.tree.pages(), ...content.reusables.values()]
  const sources = records
    .map((record) => ({ key: sourceKey(record), record }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const numbers = new Map(sources.map(({ key }, number) => [key, number]))
  const uses = new Map<string, FoundUse>()
  const dependents: [number, Uint32Array][] = []
  for (const [source, { record }] of sources.entries()) {
    const { links, asked } = resolver.source(record)
    dependents.push([2 * source, asked])
    for (const { key, relation, target, place, block } of links) {
      let use = uses.get(key)
      if (!use) {
        use = { key, relation, target, status: resolver.status(target), sources: [], places: [], blocks: [] }
        uses.set(key, use)
      }
      use.sources.push(source)
      use.places.push(place)
      use.blocks.push(block)
    }
  }
  for (const [page, { asked }] of resolver.anchors)
    dependents.push([2 * need(numbers, `page ${page}`) + 1, asked])
  return packUses(
    [...uses.values()],
    sources.map(({ key }) => key),
    dependents,
  )
}

/** The numbers of all uses, in the order of their keys. */
export function usesOf(index: LinkIndex): number[] {
  const { whole, later } = index
  const uses: number[] = []
  const count = whole.statuses.length
  let next = 0
  const addUpTo = (end: number) => {
    for (; next < end; next++) {
      const changed = later.byNumber.get(next)
      if (!changed || isHeld(whole, changed)) uses.push(next)
    }
  }
  for (const [at, key] of later.added.entries()) {
    addUpTo(firstText(whole.keys, key))
    uses.push(count + at)
  }
  addUpTo(count)
  return uses
}

/** Whether a use still has a holder. */
export function isHeld(whole: WholeIndex, { number, lost, holders }: LaterUse): boolean {
  if (holders.size > 0 || number === undefined) return holders.size > 0
  const { start, end } = holdersOfUse(whole, number)
  return end - start > lost
}

/** The key of a use: unique within a revision, and the same in every revision. */
export function keyAt({ whole, later }: LinkIndex, use: number): string {
  const count = whole.statuses.length
  return use < count ? textAt(whole.keys, use) : needItem(later.added, use - count)
}

function laterAt({ whole, later }: LinkIndex, use: number): LaterUse | undefined {
  const count = whole.statuses.length
  return use < count ? later.byNumber.get(use) : later.uses.get(needItem(later.added, use - count))
}

/** The resolved target of a use. */
export function targetAt(index: LinkIndex, use: number): ContentRef {
  return laterAt(index, use)?.target ?? (JSON.parse(textAt(index.whole.targets, use)) as ContentRef)
}

/** The status of a use. */
export function statusAt(index: LinkIndex, use: number): IndexedStatus {
  return laterAt(index, use)?.status ?? wholeStatus(index.whole, use)
}

/** The status of each use, by its number, as an index of `INDEXED_STATUSES`. */
export function statusesOf({ whole, later }: LinkIndex): Uint8Array {
  const statuses = new Uint8Array(whole.statuses.length + later.added.length)
  statuses.set(whole.statuses)
  for (const [use, { status }] of later.byNumber) statuses[use] = INDEXED_STATUSES.indexOf(status)
  for (const [at, key] of later.added.entries())
    statuses[whole.statuses.length + at] = INDEXED_STATUSES.indexOf(need(later.uses, key).status)
  return statuses
}

/** The estimated size in bytes of one reference, one use or one source that differs from the whole. */
const LATER_BYTES = 400

/** The size of an index in bytes. */
export function indexBytes({ whole, later }: LinkIndex): number {
  let count = later.uses.size + later.anchors.size
  for (const source of later.sources.values()) count += 1 + (source ? source.links.length : 0)
  return wholeBytes(whole) + count * LATER_BYTES
}

/** The relation of a use. */
export function relationAt(index: LinkIndex, use: number): Relation {
  return laterAt(index, use)?.relation ?? wholeRelation(index.whole, use)
}

/** The holders of a use, in the order of the keys of their sources. */
export function holdersAt(index: LinkIndex, use: number): Holder[] {
  const { whole, later } = index
  const holders: Holder[] = []
  if (use < whole.statuses.length) {
    const { start, end } = holdersOfUse(whole, use)
    for (let at = start; at < end; at++)
      if (!later.replaced.has(needItem(whole.sources, at))) holders.push(wholeHolder(whole, at))
  }
  const changed = laterAt(index, use)
  if (!changed || changed.holders.size === 0) return holders
  for (const [source, links] of changed.holders)
    for (const { place, block } of links) holders.push({ source, place, block })
  return holders.toSorted(bySourceAndPlace)
}

function wholeHolder({ sources, sourceKeys, places, blocks }: WholeIndex, at: number): Holder {
  const source = textAt(sourceKeys, needItem(sources, at))
  return { source, place: needItem(places, at), block: needItem(blocks, at) }
}

function bySourceAndPlace(a: Holder, b: Holder): number {
  return a.source === b.source ? a.place - b.place : a.source < b.source ? -1 : 1
}

/** The uses that a source holds, in the order of their keys, each with its holders in the source. */
export function holdersIn(index: LinkIndex, source: string): Map<number, Holder[]> {
  const { whole, later } = index
  const found = new Map<number, Holder[]>()
  const add = (use: number, holder: Holder) => {
    const holders = found.get(use)
    if (holders) holders.push(holder)
    else found.set(use, [holder])
  }
  const changed = later.sources.get(source)
  if (changed === undefined) {
    for (const at of holdersOfSource(whole, numberOfSource(whole, source) ?? whole.sourceKeys.ends.length))
      add(useOfHolder(whole, at), wholeHolder(whole, at))
    return found
  }
  const links = (changed?.links ?? []).toSorted((a, b) =>
    a.key === b.key ? a.place - b.place : a.key < b.key ? -1 : 1,
  )
  for (const { key, place, block } of links) add(useNumber(index, key), { source, place, block })
  return found
}

/** The number of a source in a whole index, by its key. */
export function numberOfSource({ sourceKeys }: WholeIndex, source: string): number | undefined {
  const at = firstText(sourceKeys, source)
  return at < sourceKeys.ends.length && textAt(sourceKeys, at) === source ? at : undefined
}

function useNumber({ whole, later }: LinkIndex, key: string): number {
  return later.uses.get(key)?.number ?? whole.statuses.length + firstKey(later.added, key)
}

/** The number of the first of some sorted keys that is not before a key. */
const firstKey = (keys: readonly string[], key: string) => firstIndex(keys, (one) => one >= key)

/** The numbers of the uses whose keys begin so, in the order of the keys. */
export function usesFrom(index: LinkIndex, beginning: string): number[] {
  const { whole, later } = index
  const uses: number[] = []
  for (let use = firstText(whole.keys, beginning); use < whole.statuses.length; use++) {
    if (!textAt(whole.keys, use).startsWith(beginning)) break
    const changed = later.byNumber.get(use)
    if (!changed || isHeld(whole, changed)) uses.push(use)
  }
  const first = firstKey(later.added, beginning)
  for (const [i, key] of later.added.slice(first).entries()) {
    if (!key.startsWith(beginning)) break
    uses.push(whole.statuses.length + first + i)
  }
  return uses.toSorted((a, b) => (keyAt(index, a) < keyAt(index, b) ? -1 : 1))
}

/**
 * The holders outside a page or reusable content that refer to it or to a part of it, or those that refer to a file, in
 * the order of the keys of their sources and blocks. Each block occurs once.
 */
export function backlinksTo(
  index: LinkIndex,
  kind: 'page' | 'file' | 'reusable-content',
  id: string,
): Holder[] {
  const last = new Map<string, Holder>()
  for (const use of usesFrom(index, keysTo(kind, id)))
    for (const holder of holdersAt(index, use))
      if (holder.source !== `${kind} ${id}`) last.set(`${holder.source} ${holder.block}`, holder)
  return [...last.values()].toSorted((a, b) =>
    a.source === b.source ? a.block - b.block : a.source < b.source ? -1 : 1,
  )
}
