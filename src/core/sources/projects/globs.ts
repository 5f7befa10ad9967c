/** Patterns of paths in the settings of generators, such as `guide/**\/*.{md,yml}`. */
import { folderOf, joinPath } from '../../text/file-paths.ts'

/** The most patterns that the braces of one pattern stand for. */
const MOST_PATTERNS = 64
/** The most characters of a pattern. */
const LONGEST_PATTERN = 1000

/**
 * Makes a test for paths from patterns. `*` and `?` stand for characters within a segment, `**` for any number of segments,
 * and `{a,b}` for each of its parts. A test takes at most the time of comparing each character with each of the patterns.
 */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const all = patterns.flatMap(withoutBraces).map((pattern) => pattern.split('/').filter((one) => one !== ''))
  return (path) => {
    const segments = path.split('/')
    return all.some((pattern) => matchesItems(pattern, segments, '**', matchesSegment))
  }
}

/** A pattern with a folder before it; undefined if it leads out of the archive. */
export function patternBelow(folder: string, pattern: string): string | undefined {
  const star = pattern.search(/[*?{]/)
  const fixed = star === -1 ? pattern : folderOf(pattern.slice(0, star))
  const start = joinPath(folder, fixed)
  if (start === undefined || star === -1) return start
  return [start, pattern.slice(fixed === '' ? 0 : fixed.length + 1)].filter((one) => one !== '').join('/')
}

function withoutBraces(pattern: string): string[] {
  if (pattern.length > LONGEST_PATTERN) return []
  let patterns = [pattern]
  for (;;) {
    const next = patterns.flatMap((one) => {
      const [whole, before = '', inside = '', after = ''] = /^([^{}]*)\{([^{}]*)\}(.*)$/s.exec(one) ?? []
      return whole === undefined ? [one] : inside.split(',').map((part) => before + part + after)
    })
    if (next.length > MOST_PATTERNS || next.every((one, at) => one === patterns[at])) return patterns
    patterns = next
  }
}

const matchesSegment = (pattern: string, segment: string): boolean =>
  matchesItems(pattern, segment, '*', (one, character) => one === '?' || one === character)

/** Whether items match a pattern in which a star stands for any number of them. Only the last star is tried again. */
function matchesItems(
  pattern: ArrayLike<string>,
  items: ArrayLike<string>,
  star: string,
  matches: (pattern: string, item: string) => boolean,
): boolean {
  let at = 0
  let place = 0
  let lastStar = -1
  let again = 0
  while (at < items.length) {
    if (pattern[place] === star) {
      lastStar = place
      place += 1
      again = at
    } else if (place < pattern.length && matches(pattern[place] ?? '', items[at] ?? '')) {
      place += 1
      at += 1
    } else if (lastStar === -1) return false
    else {
      place = lastStar + 1
      again += 1
      at = again
    }
  }
  while (pattern[place] === star) place += 1
  return place === pattern.length
}
