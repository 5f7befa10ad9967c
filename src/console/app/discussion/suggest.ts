/** The content of a comment that suggests another text for a block. Pure. */
import type { NewComment } from '../api/review-types.ts'

/** Letters and digits of scripts that put spaces between words. */
const IN_WORD = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d]/u

const isInWord = (text: string, at: number): boolean => IN_WORD.test(text.charAt(at))
const isSecondHalf = (text: string, at: number): boolean => /[\uDC00-\uDFFF]/.test(text.charAt(at))

/**
 * The smallest range of whole words in the text of a block that turns it into another text, so that the formatting around
 * it stays. An empty text deletes the block. Undefined if the texts are equal.
 */
export function suggestionFor(
  before: string,
  after: string,
): Pick<NewComment, 'range' | 'suggestion'> | undefined {
  if (before === after) return undefined
  if (after.trim() === '') return { suggestion: {} }
  // Without a text, there is no range in it to replace.
  if (before === '') return { suggestion: { markdown: after } }
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let same = 0
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same++
  let end = before.length - same
  // A range is never empty, and has whole characters.
  if (start === end && start > 0) start--
  else if (start === end) end++
  if (isSecondHalf(before, start)) start--
  if (isSecondHalf(before, end)) end++
  while (start > 0 && isInWord(before, start - 1)) start--
  while (end < before.length && isInWord(before, end)) end++
  const text = after.slice(start, after.length - (before.length - end))
  return { range: { start, end }, suggestion: { text } }
}
