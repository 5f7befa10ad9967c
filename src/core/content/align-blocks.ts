/** Aligns the blocks of a side with those of the base. */
import type { Effort } from './myers-diff.ts'
import { diffSequences } from './line-merge.ts'

/** Blocks with a lower similarity are aligned only if no better partner is left. */
const ALIKE = 0.4
/** Comparing every block with every other takes too long beyond this many pairs. */
const MOST_PAIRS = 2500
/** Of long blocks, only the first words are compared. */
const MOST_WORDS = 500
/** The steps of one word lookup, and the most lookups. Beyond them, blocks are paired in order. */
const WORD_STEPS = 3
const MOST_LOOKUPS = 10_000_000

/**
 * For each base block, the index of the side's block that it became, or -1 if the side deleted it. The indexes
 * increase. Equal blocks are paired first. Between these, the most similar blocks are paired. The remaining blocks are
 * paired in order, as far as both sides have some.
 */
export function alignBlocks(base: readonly string[], side: readonly string[], effort: Effort): number[] {
  const matches = base.map(() => -1)
  const lookups = { left: MOST_LOOKUPS }
  let [inBase, inSide] = [0, 0]
  const equal = (to: number) => {
    while (inBase < to) matches[inBase++] = inSide++
  }
  for (const hunk of diffSequences(base, side, effort)) {
    equal(hunk.aStart)
    const pairs = pairUp(base.slice(hunk.aStart, hunk.aEnd), side.slice(hunk.bStart, hunk.bEnd), lookups)
    for (const [a, b] of pairs) matches[hunk.aStart + a] = hunk.bStart + b
    inBase = hunk.aEnd
    inSide = hunk.bEnd
  }
  effort.left -= WORD_STEPS * (MOST_LOOKUPS - lookups.left)
  equal(base.length)
  return matches
}

type Pair = [base: number, side: number]

function pairUp(base: readonly string[], side: readonly string[], lookups: Effort): Pair[] {
  const pairs: Pair[] = []
  let [a, b] = [0, 0]
  const inOrder = (aEnd: number, bEnd: number) => {
    for (let i = 0; a + i < aEnd && b + i < bEnd; i++) pairs.push([a + i, b + i])
  }
  for (const [nextA, nextB] of mostAlike(base, side, lookups)) {
    inOrder(nextA, nextB)
    pairs.push([nextA, nextB])
    ;[a, b] = [nextA + 1, nextB + 1]
  }
  inOrder(base.length, side.length)
  return pairs
}

/** Returns the ordered pairs with the greatest total similarity. */
function mostAlike(base: readonly string[], side: readonly string[], lookups: Effort): Pair[] {
  const [rows, columns] = [base.length, side.length]
  if (lookups.left <= 0 || rows * columns > MOST_PAIRS || rows * columns <= 1) return []
  const [baseWords, sideWords] = [base.map(wordCounts), side.map(wordCounts)]
  const sizeOf = (all: readonly Map<string, number>[]) => all.reduce((sum, { size }) => sum + size, 0)
  lookups.left -= rows * sizeOf(sideWords) + columns * sizeOf(baseWords)
  const likeness = baseWords.map((words) => sideWords.map((others) => alike(words, others)))

  const best = Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0))
  for (const [a, row] of [...best.entries()].toReversed()) {
    for (let b = columns - 1; b >= 0; b--) {
      const likely = cell(likeness, a, b)
      const taken = likely >= ALIKE ? likely + cell(best, a + 1, b + 1) : 0
      row[b] = Math.max(cell(best, a + 1, b), cell(best, a, b + 1), taken)
    }
  }
  const pairs: Pair[] = []
  for (let a = 0, b = 0; cell(best, a, b) > 0;) {
    const [here, likely] = [cell(best, a, b), cell(likeness, a, b)]
    const together = likely + cell(best, a + 1, b + 1)
    if (likely >= ALIKE && together === here) pairs.push([a++, b++])
    else if (cell(best, a + 1, b) === here) a++
    else b++
  }
  return pairs
}

/** A number of a table; 0 outside of it. */
const cell = (table: readonly (readonly number[])[], row: number, column: number) => table[row]?.[column] ?? 0

function wordCounts(text: string): Map<string, number> {
  const words = new Map<string, number>()
  for (const word of text.slice(0, MOST_WORDS * 20).split(/\s+/, MOST_WORDS)) {
    if (word !== '') words.set(word, (words.get(word) ?? 0) + 1)
  }
  return words
}

/** The share of words that two texts have in common, from 0 to 1. */
function alike(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let [common, all] = [0, 0]
  for (const [word, count] of a) {
    common += Math.min(count, b.get(word) ?? 0)
    all += count
  }
  for (const count of b.values()) all += count
  return all === 0 ? 1 : (2 * common) / all
}
