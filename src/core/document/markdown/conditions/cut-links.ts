/**
 * Links over several lines of which one begins with a tag. The parser reads that line as a block, so it sees no link, and a
 * condition that ends in the label would show the address.
 */
import type { Span } from '../../model.ts'
import type { HiddenRange } from './hide-ranges.ts'
import type { ConditionPairs } from './pair-conditions.ts'
import type { Masked } from '../mask.ts'
import type { ReadingContext } from '../reading.ts'

/** What matters for links: escapes, blank lines, ends of lines and brackets. */
const SIGNS = /\\.|\n(?:[ \t>]*\r?\n)+|\n|\[|\]\(?|\)/g
/** What stands before the text of a line, such as the marker of a quote or a list. */
const MARKERS = /[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*/y

/** What the conditions that end in such links hide behind their ends, in order. */
export function rangesOfCutLinks(
  { masked, settled }: ReadingContext,
  { opener, branches, placeOf }: ConditionPairs,
): HiddenRange[] {
  const closers = [...masked.tags].filter(([tag]) => tag.closes && opener.has(tag) && !settled.has(tag))
  if (closers.length === 0) return []
  const ranges: HiddenRange[] = []
  let next = 0
  for (const link of cutLinks(withoutLeads(masked), new Set(masked.tags.values()))) {
    while (next < closers.length && closers[next]![1] < link.start) next += 1
    for (; next < closers.length && closers[next]![1] < link.end; next += 1) {
      const [tag, start] = closers[next]!
      const first = opener.get(tag)!
      for (const { argument } of [first, ...(branches.get(first) ?? [])])
        if (placeOf(first) < link.start)
          ranges.push({ start: start + tag.source.length, end: link.end, expression: argument })
    }
  }
  return ranges
}

/** The text without the empty lines that stand before tags. */
function withoutLeads({ text, tags, leadOf }: Masked): string {
  const parts: string[] = []
  let done = 0
  for (const [tag, start] of tags) {
    const lead = leadOf(tag)
    if (lead === 0) continue
    parts.push(text.slice(done, start), '<'.repeat(lead))
    done = start + lead
  }
  return parts.join('') + text.slice(done)
}

/** The outermost such links, in order. */
function cutLinks(text: string, tags: ReadonlySet<number>): Span[] {
  const startsWithTag = (line: number) => {
    MARKERS.lastIndex = line
    return tags.has(line + (MARKERS.exec(text)?.[0].length ?? 0))
  }
  const links: Span[] = []
  let line = 0
  /** The start of the last line that begins with a tag. */
  let tagged = startsWithTag(0) ? 0 : -1
  /** The brackets that are open, each with the start of its line. */
  let labels: [at: number, line: number][] = []
  let label: [at: number, line: number] | undefined
  const finish = (end: number) => {
    if (!label) return
    const [start, first] = label
    label = undefined
    if (line === first || tagged < first) return
    while (links.length > 0 && links.at(-1)!.start > start) links.pop()
    links.push({ start, end })
  }
  for (const { 0: sign, index } of text.matchAll(SIGNS)) {
    if (sign.startsWith('\n')) {
      line = index + sign.length
      if (startsWithTag(line)) tagged = line
      if (sign.length === 1) continue
      labels = []
      label = undefined
    } else if (sign === '[') labels.push([index, line])
    else if (sign === '](') label = labels.pop() ?? label
    else if (sign === ']') labels.pop()
    else if (sign === ')') finish(index + 1)
  }
  return links
}
