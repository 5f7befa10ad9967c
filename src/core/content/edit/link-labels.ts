/** Links whose text is the label of their definition, `[docs]` or `[docs][]`, and whose text changes. */
import { normalLabel } from '../../document/markdown/reading.ts'

/** A new text for a range of the author's text. */
export interface Replacement {
  start: number
  end: number
  text: string
}

/** A text in brackets that no other brackets follow or precede: the label, with `[]` behind it or without. */
const SHORT = /(?<!\])\[((?:[^[\]\\]|\\.)+)\](\[\])?(?![[(])/gs

/**
 * The replacements, in order, and behind each such link in which one is, the label that it had: its definition, with its
 * address and its title, would have another label otherwise.
 */
export function withLinkLabels(
  text: string,
  replaced: readonly Replacement[],
  labels: ReadonlySet<string>,
): Replacement[] {
  if (labels.size === 0 || replaced.length === 0) return [...replaced]
  const completed: Replacement[] = []
  let next = 0
  for (const link of text.matchAll(SHORT)) {
    const [whole, label = ''] = link
    if (!labels.has(normalLabel(label))) continue
    const [from, to] = [link.index + 1, link.index + 1 + label.length]
    for (let one = replaced[next]; one && one.end < from; one = replaced[++next]) completed.push(one)
    const first = replaced[next]
    if (!first || first.start < from || first.end > to) continue
    for (let one = replaced[next]; one && one.end <= to; one = replaced[++next]) completed.push(one)
    completed.push({ start: to + 1, end: link.index + whole.length, text: `[${label}]` })
  }
  return [...completed, ...replaced.slice(next)]
}
