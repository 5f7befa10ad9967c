import type { Span } from '../model.ts'

/** Searches in a source for what a pattern matches at or after an offset. */
export type Finder = (from: number) => RegExpExecArray | null

/** Finds the first match at or after an offset. The offsets must not decrease by more than a tag. */
export function finder(source: string, pattern: RegExp): Finder {
  let found: RegExpExecArray | null | undefined
  let asked = 0
  return (from) => {
    if (found !== undefined && from >= asked && (found === null || found.index >= from)) return found
    asked = from
    pattern.lastIndex = from
    found = pattern.exec(source)
    return found
  }
}

/** Whether offsets are in spans. The offsets must not decrease, and the spans are in order. */
export function spanFinder(spans: readonly Span[]): (at: number) => boolean {
  let next = 0
  return (at) => {
    while (next < spans.length && spans[next]!.end <= at) next += 1
    const span = spans[next]
    return span !== undefined && span.start <= at
  }
}

/**
 * Returns whether one of some ranges, in order, overlaps a span. Callers pass the spans in order, so that each range is looked
 * at once.
 */
export function overlaps(ranges: readonly Span[]): (span: Span) => boolean {
  let [next, furthest] = [0, -1]
  return ({ start, end }) => {
    for (; next < ranges.length && ranges[next]!.start < end; next += 1)
      furthest = Math.max(furthest, ranges[next]!.end)
    return furthest > start
  }
}
