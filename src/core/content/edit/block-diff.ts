/** The differences between two versions of a page, by blocks and words. Pure, so that a browser can compute them too. */
import { needItem } from '../../data/lists.ts'
import { leafText } from '../../document/leaf-text.ts'
import type { Block } from '../../document/model.ts'
import { normalText } from '../../document/normal-form.ts'
import { alignBlocks } from '../align-blocks.ts'
import { diffSequences } from '../line-merge.ts'
import type { Effort } from '../myers-diff.ts'
import { wordChanges, type WordChange } from './word-merge.ts'

/**
 * A block of the later version, or one that only the earlier version has, in the order in which a reader sees them.
 * `before` and `after` are the keys of the block in the two versions.
 */
export type BlockChange =
  | { change: 'same' | 'moved'; before: string; after: string }
  | { change: 'inserted'; after: string }
  | { change: 'deleted'; before: string }
  | {
      change: 'changed'
      before: string
      after: string
      /** It also has another place among the blocks around it. */
      moved?: true
      /** The words that differ between the texts of the block. */
      words?: WordChange[]
      /** For a block that contains others: their differences. */
      blocks?: BlockChange[]
    }

/** The work that the comparison of one page may take: some ten milliseconds. */
export function diffEffort(): Effort {
  return { left: 10_000_000 }
}

/** Blocks of which a smaller share of the text is the same are different blocks. */
const LEAST_ALIKE = 0.35
/** Comparing every block with every other takes too long beyond this many pairs. */
const MOST_PAIRS = 400
/** Of long texts, only the start decides whether they are alike. */
const MOST_CHARACTERS = 2000

/** Compares the blocks of two versions. Takes linear time for pages that are mostly the same, and is bounded for others. */
export function diffBlocks(
  before: readonly Block[],
  after: readonly Block[],
  effort = diffEffort(),
): BlockChange[] {
  const pairs = pairBlocks(before, after, effort)
  const of = new Map(pairs.map((pair) => [pair.after, pair]))
  const paired = new Set(pairs.map((pair) => pair.before))
  const changes: BlockChange[] = []
  let next = 0
  const deletedUpTo = (end: number) => {
    for (; next < end; next++)
      if (!paired.has(next)) changes.push({ change: 'deleted', before: blockKey(needItem(before, next)) })
  }
  for (const [index, block] of after.entries()) {
    const pair = of.get(index)
    if (pair && !pair.isMoved) deletedUpTo(pair.before)
    changes.push(
      pair
        ? changeOf(pair, needItem(before, pair.before), block, effort)
        : { change: 'inserted', after: blockKey(block) },
    )
  }
  deletedUpTo(before.length)
  return changes
}

/** A block in a later version of a page. */
export interface FollowedBlock {
  key: string
  /** For a block without blocks in it: the words that changed in its text. */
  words?: WordChange[]
}

/** The blocks of a page in a later version, by their keys in the earlier one; those of blocks that are gone are missing. */
export function followBlocks(
  before: readonly Block[],
  after: readonly Block[],
  effort = diffEffort(),
): Map<string, FollowedBlock> {
  const followed = new Map<string, FollowedBlock>()
  const follow = (from: readonly Block[], to: readonly Block[]) => {
    for (const pair of pairBlocks(from, to, effort)) {
      const [was, is] = [needItem(from, pair.before), needItem(to, pair.after)]
      const [inWas, inIs] = [innerBlocks(was), innerBlocks(is)]
      if (was.key !== undefined && is.key !== undefined) {
        const isLeaf = !pair.isSame && inWas.length === 0 && effort.left > 0
        const words = isLeaf ? followedWords(leafText(was), leafText(is), effort) : []
        followed.set(was.key, { key: is.key, ...(words.length > 0 ? { words } : {}) })
      }
      follow(inWas, inIs)
    }
  }
  follow(before, after)
  return followed
}

/** The words that changed. Where only blank space and signs are left of words, the words are deleted. */
function followedWords(was: string, is: string, effort: Effort): WordChange[] {
  const changes = wordChanges(was, is, effort)
  const isGone = ({ after }: WordChange) => !hasWords(is.slice(after[0], after[1]))
  return changes.flatMap((change, i) => {
    if (!isGone(change)) return [change]
    // Between deleted words may be signs that are not.
    const follows = (last: WordChange | undefined, next: WordChange | undefined) =>
      last && next && isGone(last) && isGone(next) && !hasWords(was.slice(last.before[1], next.before[0]))
    if (follows(changes[i - 1], change)) return []
    let end = i
    while (follows(changes[end], changes[end + 1])) end++
    const last = needItem(changes, end)
    const before: WordChange['before'] = [change.before[0], last.before[1]]
    const after: WordChange['after'] = [change.after[0], last.after[1]]
    if (after[0] === after[1] || !hasWords(was.slice(before[0], before[1]))) return changes.slice(i, end + 1)
    return [
      { before, after: [after[0], after[0]] },
      { before: [before[1], before[1]], after },
    ]
  })
}

const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text)

/** A range of a block's text, in UTF-16 units; `end` is not included. */
export interface TextRange {
  start: number
  end: number
}

/** The range in the changed text; undefined if nothing of it is left. */
export function followRange(
  { start, end }: TextRange,
  words: readonly WordChange[] = [],
): TextRange | undefined {
  const place = (offset: number, isEnd: boolean) => {
    let shift = 0
    for (const { before, after } of words) {
      // Text that is inserted at either end of the range is not part of it.
      const isBehind = isEnd ? before[0] >= offset : before[0] >= offset && before[1] > offset
      if (isBehind) break
      if (before[1] > offset) return isEnd ? after[1] : after[0]
      shift = after[1] - before[1]
    }
    return offset + shift
  }
  const followed = { start: place(start, false), end: place(end, true) }
  return followed.start < followed.end ? followed : undefined
}

function changeOf(pair: Pair, was: Block, is: Block, effort: Effort): BlockChange {
  const keys = { before: blockKey(was), after: blockKey(is) }
  if (pair.isSame) return { change: pair.isMoved ? 'moved' : 'same', ...keys }
  const moved = pair.isMoved ? { moved: true as const } : {}
  const [from, to] = [innerBlocks(was), innerBlocks(is)]
  if (from.length > 0 && to.length > 0 && is.type !== 'code')
    return { change: 'changed', ...keys, ...moved, blocks: diffBlocks(from, to, effort) }
  const words = effort.left > 0 ? wordChanges(leafText(was), leafText(is), effort) : []
  return { change: 'changed', ...keys, ...moved, ...(words.length > 0 ? { words } : {}) }
}

const blockKey = ({ key = '' }: Block) => key

/** The blocks directly within a block: its children, and those of its fragments. */
function innerBlocks({ nodes, fragments = [] }: Block): Block[] {
  const children = (nodes ?? []).flatMap((node) => (node.object === 'block' ? [node] : []))
  return [...fragments.flatMap((fragment) => fragment.nodes), ...children]
}

/** A block of the earlier version and what became of it. */
interface Pair {
  before: number
  after: number
  isSame: boolean
  isMoved: boolean
}

function pairBlocks(before: readonly Block[], after: readonly Block[], effort: Effort): Pair[] {
  const [was, is] = [before.map(normalText), after.map(normalText)]
  const pairs: Pair[] = []
  const [gone, added] = [new Set<number>(), new Set<number>()]
  let inBefore = 0
  let inAfter = 0
  const same = (to: number) => {
    for (; inBefore < to; inBefore++, inAfter++)
      pairs.push({ before: inBefore, after: inAfter, isSame: true, isMoved: false })
  }
  const take = (pair: Pair) => {
    pairs.push(pair)
    gone.delete(pair.before)
    added.delete(pair.after)
  }
  const hunks = diffSequences(was, is, effort)
  for (const { aStart, aEnd, bStart, bEnd } of hunks) {
    same(aStart)
    for (let i = aStart; i < aEnd; i++) gone.add(i)
    for (let i = bStart; i < bEnd; i++) added.add(i)
    inBefore = aEnd
    inAfter = bEnd
  }
  same(before.length)

  const places = new Map<string, number[]>()
  for (const index of [...gone].toReversed()) {
    const text = needItem(was, index)
    const known = places.get(text)
    if (known) known.push(index)
    else places.set(text, [index])
  }
  for (const index of added) {
    const from = places.get(needItem(is, index))?.pop()
    if (from !== undefined) take({ before: from, after: index, isSame: true, isMoved: true })
  }
  // A block that moved as it was is no version of another one that is gone.
  for (const { aStart, aEnd, bStart, bEnd } of hunks) {
    const [from, to] = [within(gone, aStart, aEnd), within(added, bStart, bEnd)]
    for (const [a, b] of alikeInOrder(before, after, [from, to], effort))
      take({ before: a, after: b, isSame: false, isMoved: false })
  }
  // The blocks that are left may be moved and changed.
  if (gone.size * added.size > MOST_PAIRS) return pairs
  for (const b of added) {
    const block = needItem(after, b)
    const from = [...gone].find((a) => areAlike(needItem(before, a), block, effort))
    if (from !== undefined) take({ before: from, after: b, isSame: false, isMoved: true })
  }
  return pairs
}

function within(indexes: ReadonlySet<number>, start: number, end: number): number[] {
  const found: number[] = []
  for (let index = start; index < end; index++) if (indexes.has(index)) found.push(index)
  return found
}

/** Pairs blocks of a part that differs in both versions, in order. */
function alikeInOrder(
  before: readonly Block[],
  after: readonly Block[],
  [from, to]: [number[], number[]],
  effort: Effort,
): [number, number][] {
  if (from.length === 0 || to.length === 0) return []
  const comparedText = (block: Block) => `${block.type} ${leafText(block)}`
  const matches = alignBlocks(
    from.map((index) => comparedText(needItem(before, index))),
    to.map((index) => comparedText(needItem(after, index))),
    effort,
  )
  return matches.flatMap((at, nth): [number, number][] => {
    const [a, b] = [needItem(from, nth), to[at]]
    if (b === undefined) return []
    return areAlike(needItem(before, a), needItem(after, b), effort) ? [[a, b]] : []
  })
}

/** Whether one block is a version of the other. */
function areAlike(was: Block, is: Block, effort: Effort): boolean {
  if (was.type !== is.type) return false
  const [from, to] = [was, is].map(leafText).map((text) => text.slice(0, MOST_CHARACTERS)) as [string, string]
  if (from === to) return true
  if (from === '' || to === '' || effort.left <= 0) return false
  const kept = wordChanges(from, to, effort).reduce(
    (sum, { after: [start, end] }) => sum - (end - start),
    to.length,
  )
  return kept >= LEAST_ALIKE * Math.min(from.length, to.length)
}
