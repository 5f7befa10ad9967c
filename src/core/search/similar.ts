import { needItem, needLast } from '../data/lists.ts'

/**
 * Whether a word could be a typing error for another: they differ by one letter that is added, missing, wrong or swapped
 * with its neighbour, or by two in a long word (the optimal string alignment distance).
 * @returns the number of differences, or undefined if there are too many
 */
export function typingErrors(typed: string, word: string): number | undefined {
  const most = mostErrors(typed)
  if (Math.abs(typed.length - word.length) > most) return undefined
  let before: number[] = []
  let last = Array.from({ length: word.length + 1 }, (_, i) => i)
  for (let i = 1; i <= typed.length; i++) {
    const row = [i]
    for (let j = 1; j <= word.length; j++) {
      const isSame = typed[i - 1] === word[j - 1]
      const without = Math.min(needItem(last, j), needItem(row, j - 1)) + 1
      let cost = Math.min(without, needItem(last, j - 1) + (isSame ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1]
      if (isSwapped) cost = Math.min(cost, needItem(before, j - 2) + 1)
      row.push(cost)
    }
    if (row.every((cost) => cost > most)) return undefined
    ;[before, last] = [last, row]
  }
  const errors = needLast(last)
  return errors <= most ? errors : undefined
}

/** Short words have no typing errors: too many of them are similar. */
export const SHORTEST_MISTYPED = 4
const LONG_WORD = 8

/** How many typing errors a word can have. */
export function mostErrors(typed: string): number {
  if (typed.length < SHORTEST_MISTYPED) return 0
  return typed.length < LONG_WORD ? 1 : 2
}
