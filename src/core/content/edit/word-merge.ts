/** Merges texts word by word. */
import { needItem } from '../../data/lists.ts'
import { diffSequences, type Hunk, mergeSequences, textOfChunks } from '../line-merge.ts'
import type { Effort } from '../myers-diff.ts'

/** An address in Markdown or an attribute, a Chinese, Japanese or Korean character, a word, blank space, or a sign. */
const WORD =
  /(?<=\]\()[^\s()]+|(?<=(?:href|src|url)=")[^"\n]*|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[^\S\r\n]+|\r?\n|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{N}\p{M}_])+|./gsu

/** The words of a text, with the blank space and signs between them. Joined, they are the text. */
export function splitWords(text: string): string[] {
  return text.match(WORD) ?? []
}

/** The effort of merging the words of one block: a few milliseconds. */
export function wordEffort(): Effort {
  return { left: 2_000_000 }
}

/** A text as it was and as two sides have it. */
export interface ThreeTexts {
  base: string
  primary: string
  own: string
}

/** Merges three texts by words. There is no result if both sides changed the same words differently. */
export function mergeWords(
  { base, primary, own }: ThreeTexts,
  effort: Effort = wordEffort(),
): string | undefined {
  if (primary === own || own === base) return primary
  if (primary === base) return own
  const words = { base: splitWords(base), primary: splitWords(primary), own: splitWords(own) }
  return textOfChunks(mergeSequences(words, effort), words)
}

/** A range of characters of one text that became a range of another. */
export interface WordChange {
  /** In UTF-16 units, half-open. */
  before: [start: number, end: number]
  after: [start: number, end: number]
}

/** The words that differ between two texts, in order. */
export function wordChanges(before: string, after: string, effort = wordEffort()): WordChange[] {
  const [a, b] = [splitWords(before), splitWords(after)]
  const [inA, inB] = [offsetsOf(a), offsetsOf(b)]
  const hunks = hunksInCharacters(diffSequences(a, b, effort), inA, inB)
  return hunks.map(({ aStart, aEnd, bStart, bEnd }) => ({ before: [aStart, aEnd], after: [bStart, bEnd] }))
}

/** Hunks of words in characters. @param inA the offset of each word, and the end, as `offsetsOf` returns them */
export function hunksInCharacters(
  hunks: readonly Hunk[],
  inA: readonly number[],
  inB: readonly number[],
): Hunk[] {
  return hunks.map(({ aStart, aEnd, bStart, bEnd }) => ({
    aStart: needItem(inA, aStart),
    aEnd: needItem(inA, aEnd),
    bStart: needItem(inB, bStart),
    bEnd: needItem(inB, bEnd),
  }))
}

/** The hunks that turn a list of words, or of what stands for them, into another. */
export function diffWords(before: readonly string[], after: readonly string[]): Hunk[] {
  return diffSequences(before, after, wordEffort())
}

/** Where each word begins, and the length of the text. */
export function offsetsOf(words: readonly string[]): number[] {
  let offset = 0
  return [0, ...words.map((word) => (offset += word.length))]
}
