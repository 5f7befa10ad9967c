/** Texts with marks in them: what was inserted, what was deleted, and what looks different. */
import type { ReactNode } from 'react'
import type { Inline } from '../../../../core/document/model.ts'
import { t } from '../../words/words.ts'

/**
 * A part of the text of a block, in UTF-16 units of all its leaves. `gone` is what the earlier version had there. A part
 * that is `altered` has the same text in both versions.
 */
export interface TextMark {
  start: number
  end: number
  kind: 'inserted' | 'deleted' | 'altered'
  gone?: ReactNode
}

/** The change of an inline: another inline was in its place, or it is shown with a mark. */
export type InlineMark = TextMark['kind'] | { was: Inline }

export type InlineMarks = ReadonlyMap<Inline, InlineMark>

/** Where in the text of a block the painting is, and the marks that are still to come. */
export interface Brush {
  at: number
  marks: readonly TextMark[]
  inlines: InlineMarks
  next: number
  /** The mark whose text that is gone has been shown. */
  shown: number
}

const NO_INLINES: InlineMarks = new Map()

export const plainBrush = (marks: readonly TextMark[] = [], inlines: InlineMarks = NO_INLINES): Brush => ({
  at: 0,
  marks,
  inlines,
  next: 0,
  shown: -1,
})

/** A text without formatting, with marks in it. */
export function MarkedText({ text, marks }: { text: string; marks: readonly TextMark[] }) {
  return painted(text, plainBrush(marks))
}

/** Text that only the earlier version has. */
export function Gone({ text }: { text: ReactNode }) {
  return (
    <del>
      <span className="unseen">{t('diff.deleted-text')} </span>
      {text}
    </del>
  )
}

/** Text that only the later version has. */
export function Added({ text }: { text: ReactNode }) {
  return (
    <ins>
      <span className="unseen">{t('common.inserted')} </span>
      {text}
    </ins>
  )
}

/** A part that both versions have, which differs in more than its text. */
function Altered({ text }: { text: ReactNode }) {
  return (
    <mark className="altered">
      <span className="unseen">{t('diff.changed-text')} </span>
      {text}
    </mark>
  )
}

/** A part with its mark, by what happened to it. */
export const PIECES = { inserted: Added, deleted: Gone, altered: Altered }

/** The next text of the block with the marks in it. */
export function painted(text: string, brush: Brush): ReactNode[] {
  const parts: ReactNode[] = []
  const [start, end] = [brush.at, brush.at + text.length]
  let from = start
  while (brush.next < brush.marks.length) {
    const index = brush.next
    const mark = brush.marks[index]!
    if (mark.start > end || (mark.start === end && mark.end > end)) break
    if (from < mark.start) parts.push(text.slice(from - start, mark.start - start))
    from = Math.max(from, mark.start)
    if (mark.gone && brush.shown < index) parts.push(<Gone key={`gone ${index}`} text={mark.gone} />)
    brush.shown = index
    const to = Math.min(mark.end, end)
    if (to > from) {
      const piece = text.slice(from - start, to - start)
      const Piece = PIECES[mark.kind]
      parts.push(<Piece key={`${index} ${from}`} text={piece} />)
      from = to
    }
    if (mark.end > end) break
    brush.next++
  }
  if (from < end) parts.push(text.slice(from - start))
  brush.at = end
  return parts
}
