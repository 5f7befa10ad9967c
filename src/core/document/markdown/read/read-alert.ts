import type { MdastNode } from 'satteri'

import type { HintStyle } from '../../model.ts'
import { childrenOf, spanOf } from '../reading.ts'
import type { ReadingContext } from '../reading.ts'

/** The styles of hints by the kinds of alerts that GitHub knows. */
const STYLES: Record<string, HintStyle> = {
  NOTE: 'info',
  TIP: 'success',
  IMPORTANT: 'warning',
  WARNING: 'warning',
  CAUTION: 'danger',
}

/** The first line of an alert, and what the next line of the quote begins with. */
const FIRST_LINE = /\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]{0,300}(?:(?:\r\n|\n|\r)[ \t>]{0,300}|$)/iy

/** An alert: the style of its hint, and the nodes below its first line. */
export interface Alert {
  style: HintStyle
  children: MdastNode[]
}

/**
 * Reads a quote whose first line is the kind of an alert of GitHub, such as `[!NOTE]`. Returns undefined for another quote, and
 * for one with nothing below that line, which GitHub shows as a quote too.
 */
export function readAlert(quote: MdastNode, { masked }: ReadingContext): Alert | undefined {
  const [first, ...below] = childrenOf(quote)
  if (first?.type !== 'paragraph') return undefined
  const { start, end } = spanOf(first)
  FIRST_LINE.lastIndex = start
  const found = FIRST_LINE.exec(masked.text)
  const style = found && STYLES[found[1]?.toUpperCase() ?? '']
  if (!found || !style) return undefined

  const from = Math.min(start + found[0].length, end)
  const phrases = childrenOf(first).flatMap((phrase) => behind(phrase, from))
  const children =
    phrases.length === 0 ? below : [Object.assign(startingAt(first, from), { children: phrases }), ...below]
  return children.length === 0 ? undefined : { style, children }
}

/** The part of a phrase of the first paragraph that is behind the line with the kind. */
function behind(phrase: MdastNode, from: number): MdastNode[] {
  if (phrase.type === 'text' && phrase.value.startsWith('[!')) {
    const value = phrase.value.replace(/^\[![A-Z]{3,9}\][ \t]*(?:\r\n|\n|\r)?/i, '')
    return value === '' ? [] : [{ ...startingAt(phrase, from), value }]
  }
  return spanOf(phrase).start < from ? [] : [phrase]
}

/** A copy of a node that begins at an offset. */
function startingAt<T extends MdastNode>(node: T, offset: number): T {
  const { position } = node
  return position ? { ...node, position: { ...position, start: { ...position.start, offset } } } : { ...node }
}
