import type { WordChange } from '../../../core/content/edit/word-merge.ts'
import { leafText } from '../../../core/document/leaf-text.ts'
import type { Block, Inline } from '../../../core/document/model.ts'
import { type InlineChange, inlineChanges, type PlacedInline, restyledTexts } from './inline-changes.ts'
import { ShownInline } from './shown/lines.tsx'
import type { InlineMark, InlineMarks, TextMark } from './shown/painting.tsx'
import { formatSettings, inlineSettings, SEEN, type SettingChange } from './setting-changes.ts'

/** Which versions are shown: both in one, or one of them. */
export type Side = 'both' | 'before' | 'after'

/** The differences in the text of a block: marks in it, and settings that no mark can show. */
export interface ChangedText {
  marks: TextMark[]
  inlines: InlineMarks
  settings: SettingChange[]
}

/** Compares two versions of a block that has a text. @param words the words that differ */
export function changedText(was: Block, is: Block, words: readonly WordChange[], side: Side): ChangedText {
  const changes = inlineChanges(was, is).filter((one) => !isInWords(one, words))
  const restyled = restyledTexts(was, is, words)
  const gone = changes.flatMap((one) =>
    side === 'both' && one.was && !one.is && !one.was.inline.nodes ? [one.was] : [],
  )
  const marks = [
    ...wordMarks(words, side, leafText(was)),
    ...restyled.map(({ before, after }): TextMark => ({
      ...(side === 'before' ? before : after),
      kind: 'altered',
    })),
    ...gone.map((one) => goneMark(one, words)),
  ]
  return {
    marks: marks.toSorted((a, b) => a.start - b.start || a.end - b.end),
    inlines: new Map(changes.flatMap((one) => inlineMark(one, side))),
    settings: [...inlineSettings(changes), ...formatSettings(restyled)],
  }
}

/** Whether an inline with a text is new with all its words, or gone with them. */
function isInWords({ was, is }: InlineChange, words: readonly WordChange[]): boolean {
  const one = is ?? was
  if ((was && is) || !one?.inline.nodes) return false
  return words.some((word) => {
    const [start, end] = is ? word.after : word.before
    return start <= one.start && one.end <= end
  })
}

function wordMarks(words: readonly WordChange[], side: Side, earlier: string): TextMark[] {
  return words.flatMap(({ before, after }): TextMark[] => {
    const [start, end] = side === 'before' ? before : after
    const gone = side === 'both' ? earlier.slice(before[0], before[1]) : ''
    if (start === end && gone === '') return []
    const kind = side === 'before' ? 'deleted' : 'inserted'
    return [{ start, end, kind, ...(gone === '' ? {} : { gone }) }]
  })
}

/** An inline that is gone, where it was among the words that are left. */
function goneMark({ inline, start }: PlacedInline, words: readonly WordChange[]): TextMark {
  let at = start
  for (const { before, after } of words) {
    if (before[1] <= start) at = start + after[1] - before[1]
    else if (before[0] < start) at = after[0]
  }
  return { start: at, end: at, kind: 'inserted', gone: <ShownInline inline={inline} /> }
}

function inlineMark({ was, is }: InlineChange, side: Side): [Inline, InlineMark][] {
  const one = (side === 'before' ? was : is)?.inline
  if (!one) return []
  // A link or a note is around a text that may be the same.
  if (one.nodes || (was && is && !SEEN.includes(one.type))) return [[one, 'altered']]
  if (side === 'both' && was && is) return [[one, { was: was.inline }]]
  return [[one, side === 'before' ? 'deleted' : 'inserted']]
}
