/** The redirects of a site, by their sources: a path such as `/old`, or a path with all below it, as in `/old/*`. */

import { firstIndex, need } from '../data/lists.ts'
import { giveTurn } from '../runtime/turns.ts'

/** The longest source of a redirect, in characters. */
export const LONGEST_SOURCE = 512
/** A chain of more redirects is refused. Browsers follow about 20. */
export const LONGEST_CHAIN = 10

interface Rule {
  id: string
  source: string
  captureWildcard: boolean
}

/** The redirect that a path matches, and the segments below the source of a wildcard, decoded. */
export interface RedirectMatch<R> {
  rule: R
  rest: string[]
}

/** Finds the redirects of a site by path. */
export interface RedirectTable<R> {
  readonly size: number
  /** The redirect with the same source as this one, written in any way. */
  sameSource(source: string): R | undefined
  /** The redirect from exactly this path. */
  exact(path: string): RedirectMatch<R> | undefined
  /** The redirect with the longest wildcard that matches a path. */
  wildcard(path: string): RedirectMatch<R> | undefined
  put(rule: R): void
  drop(rule: R): void
  rules(): Iterable<R>
  /** The paths below a path that have a redirect of their own: the segments of the first ones in the order of keys. */
  below(start: readonly string[], most: number): string[][]
}

/** Indexes redirects. */
export function redirectTable<R extends Rule>(rules: Iterable<R>): RedirectTable<R> {
  const bySource = new Map<string, R>()
  for (const rule of rules) bySource.set(sourceKey(rule.source), rule)
  /** The keys of redirects without a wildcard in order; only a table that looks for loops has them. */
  let ordered: string[] | undefined

  return {
    get size() {
      return bySource.size
    },
    sameSource: (source) => bySource.get(sourceKey(source)),
    exact(path) {
      const rule = bySource.get(segmentsKey(segmentsOf(path)))
      return rule && !isWildcard(rule.source) ? { rule, rest: [] } : undefined
    },
    wildcard(path) {
      const segments = segmentsOf(path)
      // A segment with a slash in it is not in any source.
      if (segments.some((segment) => segment.includes('/'))) return undefined
      let key = segmentsKey(segments)
      for (let kept = segments.length; kept >= 0; kept--) {
        const rule = key.length <= LONGEST_SOURCE ? bySource.get(`${key}/*`) : undefined
        if (rule) return matchOf(rule, segments.slice(kept))
        key = key.slice(0, key.lastIndexOf('/'))
      }
      return undefined
    },
    put(rule) {
      const key = sourceKey(rule.source)
      if (ordered && !isWildcard(rule.source) && !bySource.has(key))
        ordered.splice(sortedIndex(ordered, key), 0, key)
      bySource.set(key, rule)
    },
    drop({ source }) {
      const key = sourceKey(source)
      if (bySource.delete(key) && ordered && !isWildcard(source)) ordered.splice(sortedIndex(ordered, key), 1)
    },
    rules: () => bySource.values(),
    below(start, most) {
      ordered ??= [...bySource].flatMap(([key, { source }]) => (isWildcard(source) ? [] : [key])).toSorted()
      const prefix = `${segmentsKey(start)}/`
      const found: string[][] = []
      const first = sortedIndex(ordered, prefix)
      for (const key of ordered.slice(first, first + most)) {
        if (!key.startsWith(prefix)) break
        found.push(segmentsOf(need(bySource, key).source).slice(start.length))
      }
      return found
    },
  }
}

/** Where a key is in a sorted list, or would be. */
const sortedIndex = (keys: readonly string[], key: string) => firstIndex(keys, (one) => one >= key)

/** Relative segments would lead out of the destination, so no wildcard captures them. */
function matchOf<R extends Rule>(rule: R, rest: string[]): RedirectMatch<R> | undefined {
  if (!rule.captureWildcard) return { rule, rest: [] }
  return rest.some((segment) => segment === '.' || segment === '..') ? undefined : { rule, rest }
}

/** Whether a source stands for all paths below it. */
export function isWildcard(source: string): boolean {
  return source.endsWith('/*')
}

/** A path with segments at its end, percent-encoded. @param path ends without a slash, unless it is only a slash */
export function withSegments(path: string, segments: readonly string[]): string {
  if (segments.length === 0) return path
  return [path.replace(/\/$/, ''), ...segments.map(encodeURIComponent)].join('/')
}

/** The most paths that are tried for the wildcards of one request, to find loops. */
const MOST_SAMPLES_TOGETHER = 5000

/** The paths that may still be tried in a request, which several redirects share. */
export interface LoopSamples {
  left: number
}

/** The paths that a request may try. */
export const loopSamples = (): LoopSamples => ({ left: MOST_SAMPLES_TOGETHER })

/**
 * Why a redirect may not be added: the redirects of the chain that leads back to one of its own paths, or a chain that
 * is too long.
 * @param table the other redirects and this one
 * @param samples the paths that may be tried besides an arbitrary one. Takes a time in proportion to them, in turns.
 * @param lead the path that a match leads to within the site, and whether a page is there, which comes before wildcards
 */
export async function findLoop<R extends Rule>(
  table: RedirectTable<R>,
  rule: R,
  samples: LoopSamples,
  lead: (match: RedirectMatch<R>) => Promise<{ path: string; isPage: boolean } | undefined>,
): Promise<R[] | undefined> {
  for (const rest of samplesOf(table, rule, samples, (await lead({ rule, rest: [] }))?.path)) {
    await giveTurn()
    const start = withSegments(rule.source.replace(/\*$/, ''), rest)
    const seen = new Set([segmentsKey(segmentsOf(start))])
    const chain = [rule]
    let next = await lead({ rule, rest: rule.captureWildcard ? rest : [] })
    while (next) {
      const key = segmentsKey(segmentsOf(next.path))
      if (seen.has(key)) return chain
      seen.add(key)
      const match = table.exact(next.path) ?? (next.isPage ? undefined : table.wildcard(next.path))
      if (!match) break
      chain.push(match.rule)
      if (chain.length > LONGEST_CHAIN) return chain
      next = await lead(match)
    }
  }
  return undefined
}

/** No path of a site has a segment such as this one. */
const ANY_SEGMENT = '~any~'
const MOST_SAMPLES = 100

/**
 * Returns samples of the segments that the wildcard of a redirect may match: an arbitrary segment, and the segments
 * that lead from or to a path that has a redirect of its own.
 * @param target the path that the redirect leads to
 */
function samplesOf<R extends Rule>(
  table: RedirectTable<R>,
  rule: R,
  samples: LoopSamples,
  target: string | undefined,
): string[][] {
  if (!isWildcard(rule.source)) return [[]]
  if (!rule.captureWildcard) return [[ANY_SEGMENT]]
  const starts = [rule.source.slice(0, -2), ...(target === undefined ? [] : [target])]
  const found = starts.flatMap((start) => {
    const below = table.below(segmentsOf(start), Math.min(MOST_SAMPLES / starts.length, samples.left))
    samples.left -= below.length
    return below
  })
  return [[ANY_SEGMENT], ...found]
}

const sourceKey = (source: string) =>
  isWildcard(source) ? `${segmentsKey(segmentsOf(source.slice(0, -2)))}/*` : segmentsKey(segmentsOf(source))

/** Paths are compared in lower case, as those of pages are. */
function segmentsKey(segments: readonly string[]): string {
  return segments
    .map((segment) => `/${segment}`)
    .join('')
    .toLowerCase()
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean).map(decoded)
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment.normalize('NFC')
  try {
    return decodeURIComponent(segment).normalize('NFC')
  } catch {
    return segment
  }
}
