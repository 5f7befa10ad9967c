/** The links of a whole revision in flat arrays: how they are packed, and how they are read. */
import { firstIndex, firstNumber, needItem } from '../data/lists.ts'
import type { ContentRef } from '../document/model.ts'
import { type PackedTexts, packTexts, textAt } from '../text/packed-texts.ts'

/** The status `elsewhere` means that the result depends on content outside the revision, and on the caller. */
export const INDEXED_STATUSES = ['ok', 'broken', 'in-app', 'elsewhere'] as const
export type IndexedStatus = (typeof INDEXED_STATUSES)[number]

/** Whether the content links to the target, or cannot be shown without it. */
const RELATIONS = ['reference', 'dependsOn'] as const
export type Relation = (typeof RELATIONS)[number]

/**
 * The links of a revision, in flat arrays, which take little memory and move between threads quickly.
 *
 * A use is everything that refers to one target in one way. Uses are numbered from 0, in the order of their keys. Sources
 * are the pages and the reusable contents, numbered in the order of their keys (`sourceKey`). A holder is one reference.
 * Holders are numbered from 0 in the order of uses, sources and places.
 */
export interface WholeIndex {
  /** The key of each use: unique within a revision, and the same in every revision. */
  keys: PackedTexts
  /** The resolved target of each use, as the JSON of a `ContentRef`. An anchor includes its page. */
  targets: PackedTexts
  /** The status of each use, as an index of `INDEXED_STATUSES`. */
  statuses: Uint8Array
  /** The relation of each use, as an index of `RELATIONS`. */
  relations: Uint8Array
  /** The first holder of each use. The last number is the number of holders. */
  starts: Uint32Array
  /** The source of each holder. */
  sources: Uint32Array
  /** The place of each holder: an index in `placesIn` of its source. */
  places: Uint32Array
  /** The rank of each holder's block among the blocks of its source. */
  blocks: Uint32Array
  /** The key of each source. */
  sourceKeys: PackedTexts
  /** The start in `sourceHolders` of each source. The last number is the number of holders. */
  sourceStarts: Uint32Array
  /** The holders, by their source. */
  sourceHolders: Uint32Array
  /** Tokens (`link-tokens.ts`), sorted. */
  asked: Uint32Array
  /** The dependents of each token: twice the number of a source, plus one if only its anchors depend on the token. */
  askedBy: Uint32Array
}

/** A use as `indexLinks` finds it. */
export interface FoundUse {
  key: string
  relation: Relation
  target: ContentRef
  status: IndexedStatus
  /** For each holder: its source, its place, and its block. */
  sources: number[]
  places: number[]
  blocks: number[]
}

/** Packs uses into flat arrays. @param dependents tokens, with what depends on each */
export function packUses(
  found: readonly FoundUse[],
  sourceKeys: readonly string[],
  dependents: readonly (readonly [by: number, asked: Uint32Array])[],
): WholeIndex {
  const uses = found.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const total = uses.reduce((sum, use) => sum + use.sources.length, 0)
  const [sources, places, blocks] = [new Uint32Array(total), new Uint32Array(total), new Uint32Array(total)]
  const starts = new Uint32Array(uses.length + 1)
  let start = 0
  for (const [number, use] of uses.entries()) {
    sources.set(use.sources, start)
    places.set(use.places, start)
    blocks.set(use.blocks, start)
    start += use.sources.length
    starts[number + 1] = start
  }
  return {
    keys: packTexts(uses.map(({ key }) => key)),
    targets: packTexts(uses.map(({ target }) => JSON.stringify(target))),
    statuses: Uint8Array.from(uses, ({ status }) => INDEXED_STATUSES.indexOf(status)),
    relations: Uint8Array.from(uses, ({ relation }) => RELATIONS.indexOf(relation)),
    starts,
    sources,
    places,
    blocks,
    sourceKeys: packTexts(sourceKeys),
    ...bySource(sources, sourceKeys.length),
    ...packTokens(dependents),
  }
}

/** Sorts holders by source, by counting. */
function bySource(sources: Uint32Array, count: number): Pick<WholeIndex, 'sourceStarts' | 'sourceHolders'> {
  const counts = new Uint32Array(count)
  for (const source of sources) counts[source] = needItem(counts, source) + 1
  const sourceStarts = new Uint32Array(count + 1)
  let start = 0
  for (const [source, own] of counts.entries()) sourceStarts[source + 1] = start += own
  const next = sourceStarts.slice()
  const sourceHolders = new Uint32Array(sources.length)
  for (const [holder, source] of sources.entries()) {
    const place = needItem(next, source)
    sourceHolders[place] = holder
    next[source] = place + 1
  }
  return { sourceStarts, sourceHolders }
}

function packTokens(
  dependents: readonly (readonly [by: number, asked: Uint32Array])[],
): Pick<WholeIndex, 'asked' | 'askedBy'> {
  const total = dependents.reduce((sum, [, asked]) => sum + asked.length, 0)
  // A token and its dependent in one number, both of 32 bits, so that the pairs are sorted without objects.
  const pairs = new BigUint64Array(total)
  let at = 0
  for (const [by, asked] of dependents)
    for (const token of asked) pairs[at++] = (BigInt(token) << 32n) | BigInt(by)
  const halves = new Uint32Array(pairs.toSorted().buffer)
  const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1
  const [low, high] = isLittleEndian ? [0, 1] : [1, 0]
  const every = (half: number) => halves.filter((_, i) => i % 2 === half)
  return { asked: every(high), askedBy: every(low) }
}

/** The size of an index in bytes. */
export function wholeBytes({ keys, targets, sourceKeys, ...arrays }: WholeIndex): number {
  const all = [keys, targets, sourceKeys].flatMap(({ bytes, ends }) => [bytes, ends])
  return [...all, ...Object.values(arrays)].reduce((sum, { byteLength }) => sum + byteLength, 0)
}

/** The number of the first of some sorted texts that is not before a text. */
export function firstText(texts: PackedTexts, text: string): number {
  return firstNumber(texts.ends.length, (at) => textAt(texts, at) >= text)
}

/** The number of the use of a holder. */
export function useOfHolder({ starts }: WholeIndex, holder: number): number {
  return firstIndex(starts, (start) => start > holder) - 1
}

/** Returns the dependents of a token. */
export function dependentsOf({ asked, askedBy }: WholeIndex, token: number): Uint32Array {
  const start = firstIndex(asked, (one) => one >= token)
  const end = firstIndex(asked, (one) => one > token)
  return askedBy.subarray(start, end)
}

/** The holders of a source, in the order of their uses. */
export function holdersOfSource({ sourceStarts, sourceHolders }: WholeIndex, source: number): Uint32Array {
  return sourceHolders.subarray(sourceStarts[source], sourceStarts[source + 1])
}

/** The relation of a use of a whole index. */
export function wholeRelation({ relations }: WholeIndex, use: number): Relation {
  return needItem(RELATIONS, needItem(relations, use))
}

/** The status of a use of a whole index. */
export function wholeStatus({ statuses }: WholeIndex, use: number): IndexedStatus {
  return needItem(INDEXED_STATUSES, needItem(statuses, use))
}

/** The holders of a use of a whole index, from the first to before the end. */
export function holdersOfUse({ starts }: WholeIndex, use: number): { start: number; end: number } {
  return { start: needItem(starts, use), end: needItem(starts, use + 1) }
}
