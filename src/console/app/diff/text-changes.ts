import { wordChanges } from '../../../core/content/edit/word-merge.ts'
import type { TextMark } from './shown/painting.tsx'

/** The marks for the later of two versions of a text. Pure. */
export function textChanges(before: string, after: string): TextMark[] {
  return wordChanges(before, after).map(({ before: [from, to], after: [start, end] }) => ({
    start,
    end,
    kind: 'inserted',
    gone: before.slice(from, to),
  }))
}
