/** The setting `rewrites` of VitePress, which gives pages other paths than those of their files. */
import { isRecord } from '../../data/is-record.ts'
import { because } from '../../languages/reasons.ts'
import type { Problem } from '../../repository/model.ts'
import { isBelow, joinPath, pathBelow } from '../../text/file-paths.ts'
import type { SourceFiles } from '../converted.ts'
import type { PlacedFiles } from './named-languages.ts'
import { inFolder, isProjectPage } from './project.ts'

/** A segment of a pattern: `:name` stands for characters in it, and a star for any number of segments. */
interface PatternSegment {
  before: string
  after: string
  name?: string
  isStar: boolean
  /** Whether at least one segment must be there for the star. */
  isNeeded: boolean
}

/** A pattern of paths, and the path that a page gets which matches it. */
interface PageRewrite {
  pattern: PatternSegment[]
  to: string
}

/** The most rewrites, and the most characters of each. */
const MOST_REWRITES = 1000
const LONGEST_REWRITE = 500

/**
 * The files of a project with its pages at the paths that the setting gives them. The first pattern counts that a page matches.
 * @param root the folder to which the paths are relative
 * @param place the file of the settings; its problems take each rewrite that is not understood
 */
export function rewrittenFiles(
  files: SourceFiles,
  root: string,
  settings: Record<string, unknown>,
  place: { path: string; problems: Problem[]; isExcluded(path: string): boolean },
): PlacedFiles {
  const rewrites = rewritesIn(settings, place)
  const sources = new Map<string, string>()
  if (rewrites.length === 0) return { files, sources }
  const target = (path: string) => {
    if (!isProjectPage(path) || !isBelow(path, root) || place.isExcluded(path)) return path
    const own = rewritten(pathBelow(path, root), rewrites)
    return own === undefined ? path : inFolder(root, own)
  }
  const targets = new Map([...files.keys()].map((path) => [path, target(path)]))
  const placed = new Map<string, Uint8Array>()
  for (const [path, bytes] of files) {
    const to = targets.get(path) ?? path
    // A page keeps its path if another file has the new one.
    const isTaken = placed.has(to) || targets.get(to) === to
    if (to === path || isTaken) placed.set(path, bytes)
    else {
      placed.set(to, bytes)
      sources.set(to, path)
    }
  }
  return { files: placed, sources }
}

function rewritesIn(
  settings: Record<string, unknown>,
  { path, problems }: { path: string; problems: Problem[] },
): PageRewrite[] {
  if (!Object.hasOwn(settings, 'rewrites')) return []
  const report = (name: string) =>
    problems.push({ kind: 'setting', path, ...because('setting-not-understood', { name }) })
  if (!isRecord(settings.rewrites)) {
    report('rewrites')
    return []
  }
  return Object.entries(settings.rewrites)
    .slice(0, MOST_REWRITES)
    .flatMap(([from, to]): PageRewrite[] => {
      const pattern = typeof to === 'string' ? readPattern(from) : undefined
      if (pattern !== undefined && typeof to === 'string' && readPattern(to) !== undefined)
        return [{ pattern, to: to.replace(/^\/+/, '') }]
      report(`rewrites: ${from}`)
      return []
    })
}

/**
 * Reads a pattern with at most one value in each segment and at most one star. Others, such as those with regular expressions,
 * are not understood.
 */
function readPattern(pattern: string): PatternSegment[] | undefined {
  if (pattern.length > LONGEST_REWRITE) return undefined
  const segments = pattern
    .replace(/^\/+/, '')
    .split('/')
    .map((segment): PatternSegment | undefined => {
      const [, before = '', written, after = ''] =
        /^([^:(){}*?]*)(?::(\w{1,60}[*+]?)|\(\.\*\))([^:(){}*?]*)$/.exec(segment) ?? []
      const isValue = segment.length > before.length + after.length && /[:(]/.test(segment)
      if (!isValue) return /[:(){}*?]/.test(segment) ? undefined : literalSegment(segment)
      const sign = written?.slice(-1) ?? '*'
      const isStar = sign === '*' || sign === '+'
      const name = written?.replace(/[*+]$/, '') ?? '0'
      return { before, after, name, isStar, isNeeded: written === undefined || sign === '+' }
    })
  const known = segments.filter((one) => one !== undefined)
  const isUnderstood = known.length === segments.length && known.filter((one) => one.isStar).length <= 1
  return isUnderstood ? known : undefined
}

const literalSegment = (text: string): PatternSegment => ({
  before: text,
  after: '',
  isStar: false,
  isNeeded: true,
})

function rewritten(path: string, rewrites: readonly PageRewrite[]): string | undefined {
  const segments = path.split('/')
  for (const { pattern, to } of rewrites) {
    const values = matched(segments, pattern)
    if (values) return joinPath('', withValues(to, values))
  }
  return undefined
}

/** The values of the names in a pattern; undefined if it does not match. */
function matched(
  segments: readonly string[],
  pattern: readonly PatternSegment[],
): Map<string, string> | undefined {
  const values = new Map<string, string>()
  const star = pattern.findIndex((one) => one.isStar)
  const middle = segments.length - pattern.length + 1
  if (star === -1 ? segments.length !== pattern.length : middle < 0) return undefined
  for (const [at, part] of pattern.entries()) {
    const isBehind = star !== -1 && at > star
    const text =
      at === star
        ? segments.slice(at, at + middle).join('/')
        : (segments[isBehind ? at + middle - 1 : at] ?? '')
    const isValue = part.name !== undefined
    if (!isValue ? text !== part.before : !hasValue(text, part)) return undefined
    if (part.name !== undefined)
      values.set(part.name, text.slice(part.before.length, text.length - part.after.length))
  }
  return values
}

function hasValue(text: string, { before, after, isStar, isNeeded }: PatternSegment): boolean {
  const least = isStar && !isNeeded ? 0 : 1
  return (
    text.length >= before.length + after.length + least && text.startsWith(before) && text.endsWith(after)
  )
}

const withValues = (to: string, values: ReadonlyMap<string, string>) =>
  to.replace(/:(\w{1,60})[*+]?|\(\.\*\)/g, (_, name?: string) => values.get(name ?? '0') ?? '')
