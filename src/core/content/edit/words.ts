/** Merges texts word by word. */
import { diffSequences, type Hunk, mergeSequences } from '../line-merge.ts'
import type { Effort } from '../myers-diff.ts'

/** An address in Markdown or an attribute, a Chinese, Japanese or Korean character, a word, blank space, or a sign. */
const WORD =
  /(?<=\]\()[^\s()]+|(?<=(?:href|src|url)=")[^"\n]*|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[^\S\n]+|\n|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{N}\p{M}_])+|./gsu

/** The words of a text, with the blank space and signs between them. Joined, they are the text. */
export function splitWords(text: string): string[] {
  return text.match(WORD) ?? []
}

/** The effort of merging the words of one block: a few milliseconds. */
function wordEffort(): Effort {
  return { left: 2_000_000 }
}

/** A text as it was and as two sides have it. */
export interface ThreeTexts {
  base: string
  primary: string
  own: string
}

/**
 * Merges three texts by words. Where both sides changed the same words, the result has those of side `own`, or there is
 * none if `strict`.
 */
export function mergeWords(
  { base, primary, own }: ThreeTexts,
  { strict, effort = wordEffort() }: { strict: boolean; effort?: Effort },
): string | undefined {
  if (primary === own || own === base) return primary
  if (primary === base) return own
  const words = { base: splitWords(base), primary: splitWords(primary), own: splitWords(own) }
  const chunks = mergeSequences(words, effort)
  if (strict && chunks.some(({ kind }) => kind === 'conflict')) return undefined
  return chunks
    .map((chunk) => {
      const part = (side: keyof ThreeTexts) => words[side].slice(chunk[side][0], chunk[side][1]).join('')
      if (chunk.kind === 'conflict')
        return settle({ base: part('base'), primary: part('primary'), own: part('own') })
      return part(chunk.kind === 'own' ? 'own' : 'primary')
    })
    .join('')
}

/** Takes side `own`, with the blank space around it of the other side if only that side changed it. */
function settle({ base, primary, own }: ThreeTexts): string {
  const [b, p, o] = [around(base), around(primary), around(own)]
  const start = o.start === b.start ? p.start : o.start
  const end = o.end === b.end ? p.end : o.end
  return start + (o.inner === b.inner ? p.inner : o.inner) + end
}

function around(text: string): { start: string; inner: string; end: string } {
  const inner = text.trim()
  const start = text.slice(0, text.length - text.trimStart().length)
  return { start, inner, end: text.slice(start.length + inner.length) }
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
  return diffSequences(a, b, effort).map(({ aStart, aEnd, bStart, bEnd }) => ({
    before: [inA[aStart]!, inA[aEnd]!],
    after: [inB[bStart]!, inB[bEnd]!],
  }))
}

/** The hunks that turn a list of words, or of what stands for them, into another. */
export function diffWords(before: readonly string[], after: readonly string[]): Hunk[] {
  return diffSequences(before, after, wordEffort())
}

function offsetsOf(words: readonly string[]): number[] {
  const offsets = [0]
  for (const word of words) offsets.push(offsets.at(-1)! + word.length)
  return offsets
}
