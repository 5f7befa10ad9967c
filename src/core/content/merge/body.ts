/**
 * Merges three Markdown sources. If a merge by lines is clean, it is the result, as in git. Otherwise the merge goes
 * block by block, and by lines inside a block. It parses blocks only when lines conflict, and merges by blocks only
 * around those lines.
 */
import { needItem, needLast } from '../../data/lists.ts'
import { frontMatterEnd } from '../../document/front-matter/front-matter.ts'
import type { Effort } from '../myers-diff.ts'
import { mergeEntries } from './entries.ts'
import {
  linesOfChunk,
  mergeSequences,
  splitLines,
  textOfChunks,
  type Chunk,
  type Range,
} from '../line-merge.ts'
import type { SideName } from './model.ts'
import { reveals } from './reveals.ts'
import { isBlankUnit, runOf, unitsOf, type Units } from '../body-units.ts'
import { weave, type BlockConflict, type Woven } from './weave.ts'

/** Three sources. */
export type Sources = Readonly<Record<'base' | SideName, string>>

/** The effort for merging all bodies of two contents: two or three seconds. */
export function mergeEffort(): Effort {
  return { left: 300_000_000 }
}

/**
 * Merges the sources of a page or reusable content. For a block in conflict, the result has the text of side `keep`. If
 * no effort is left, a body that does not merge cleanly by lines becomes one conflict. So does a body of which the merge
 * would show to everyone what both sides hide.
 */
export function mergeBodies(sources: Sources, keep: SideName, effort = mergeEffort()): Woven {
  const { base, primary, own } = sources
  if (primary === own || own === base) return { text: primary, conflicts: [] }
  if (primary === base) return { text: own, conflicts: [] }

  const alike = withOneBreak(sources)
  const merged = mergeAlike(alike, keep, effort)
  if (!reveals(merged.text, [alike.primary, alike.own])) return merged
  const head = mergeEntries(mapSources(alike, frontMatterOf), keep, effort)
  return joined([head, asOne(alike, keep)])
}

function mergeAlike(alike: Sources, keep: SideName, effort: Effort): Woven {
  const lines = mapSources(alike, splitLines)
  const chunks = mergeSequences(lines, effort)
  const clean = textOfChunks(chunks, lines)
  if (clean !== undefined) return { text: clean, conflicts: [] }

  const fronts = mapSources(alike, frontMatterOf)
  const head = mergeEntries(fronts, keep, effort)
  const onlyBody = Object.values(fronts).every((front) => front === '')
  const body = mergeBlocks(alike, keep, effort, onlyBody ? chunks : undefined)
  return joined([head, body.conflicts.length > MOST_CONFLICTS ? asOne(alike, keep) : body])
}

/**
 * Above this number, the whole body is one conflict: both sides rewrote the page, and nobody resolves so many blocks
 * one by one.
 */
const MOST_CONFLICTS = 500

/** The body as one conflict. */
function asOne(sources: Sources, keep: SideName): Woven {
  const bodies = mapSources(sources, (source) => source.slice(frontMatterEnd(source)))
  const { base, primary, own } = mapSources(bodies, (body) => body.trim() || null)
  const text = bodies[keep]
  const offset = text.length - text.trimStart().length
  return { text, conflicts: [{ base, primary, own, offset, length: text.trim().length }] }
}

function mapSources<T>({ base, primary, own }: Sources, map: (source: string) => T) {
  return { base: map(base), primary: map(primary), own: map(own) }
}

function frontMatterOf(source: string): string {
  return source.slice(0, frontMatterEnd(source))
}

/**
 * Rewrites all sources with one line break, so that no line differs by its line break alone. If a side changed the line
 * break, that side's is used. If a source has mixed line breaks, nothing changes.
 */
function withOneBreak(sources: Sources): Sources {
  const { base, primary, own } = mapSources(sources, breakOf)
  if (base === 'mixed' || primary === 'mixed' || own === 'mixed') return sources
  const side = primary === undefined || primary === base ? own : primary
  const wanted = side ?? base
  if (wanted === undefined || [base, primary, own].every((one) => one === wanted)) return sources
  return mapSources(sources, (source) => source.replace(/\r?\n/g, wanted))
}

/** The line break of a source; undefined if it has none. */
function breakOf(source: string): '\n' | '\r\n' | 'mixed' | undefined {
  const [windows, plain] = [/\r\n/.test(source), /(?<!\r)\n/.test(source)]
  if (windows && plain) return 'mixed'
  if (windows) return '\r\n'
  return plain ? '\n' : undefined
}

/** The effort of parsing a line and a character into blocks. */
const LINE_STEPS = 1000
const CHARACTER_STEPS = 3

/** @param known the chunks of the lines of the bodies, if the caller has them */
function mergeBlocks(sources: Sources, keep: SideName, effort: Effort, known: Chunk[] | undefined): Woven {
  if (effort.left <= 0) return asOne(sources, keep)
  const units = mapSources(sources, unitsOf)
  const lines = { base: units.base.lines, primary: units.primary.lines, own: units.own.lines }
  const segments = segmentsOf(known ?? mergeSequences(lines, effort), units)
  const parts: Woven[] = []
  for (const segment of segments) {
    if (!segment.some(({ kind }) => kind === 'conflict')) {
      parts.push({ text: segment.map((chunk) => linesOfChunk(chunk, lines)).join(''), conflicts: [] })
      continue
    }
    if (effort.left <= 0) return asOne(sources, keep)
    const run = (name: 'base' | SideName) => {
      const range: Range = [needItem(segment, 0)[name][0], needLast(segment)[name][1]]
      return runOf(units[name], range)
    }
    const runs = { base: run('base'), primary: run('primary'), own: run('own') }
    parts.push(weave(runs, keep, segment === segments.at(-1), effort))
  }
  // This effort counts only against later bodies: the first body is merged by blocks, however long it is.
  for (const name of ['base', 'primary', 'own'] as const)
    effort.left -= LINE_STEPS * lines[name].length + CHARACTER_STEPS * sources[name].length
  return joined(parts)
}

/** Groups the chunks into segments. Each segment begins where a block begins in all three sources. */
function segmentsOf(chunks: readonly Chunk[], units: Readonly<Record<'base' | SideName, Units>>): Chunk[][] {
  const starts = {
    base: startsOf(units.base),
    primary: startsOf(units.primary),
    own: startsOf(units.own),
  }
  const begins = (base: number, primary: number, own: number) =>
    starts.base.has(base) && starts.primary.has(primary) && starts.own.has(own)

  const segments: Chunk[][] = []
  const add = (chunk: Chunk) => {
    const last = segments.at(-1)
    if (last && !(begins(chunk.base[0], chunk.primary[0], chunk.own[0]) && anchored(chunk, needLast(last))))
      last.push(chunk)
    else segments.push([chunk])
  }
  // Equal blank lines before two blocks do not make the blocks the same, because every block has blank lines around it.
  const anchored = (chunk: Chunk, before: Chunk) =>
    chunk.kind === 'same' ||
    (before.kind === 'same' && units.base.lines.slice(...before.base).some((line) => !isBlankUnit(line)))
  for (const chunk of chunks) {
    if (chunk.kind !== 'same') {
      add(chunk)
      continue
    }
    const part = (from: number, to: number): Chunk => ({
      kind: 'same',
      base: [chunk.base[0] + from, chunk.base[0] + to],
      primary: [chunk.primary[0] + from, chunk.primary[0] + to],
      own: [chunk.own[0] + from, chunk.own[0] + to],
    })
    const length = chunk.base[1] - chunk.base[0]
    let from = 0
    for (let to = 1; to < length; to++) {
      if (!begins(chunk.base[0] + to, chunk.primary[0] + to, chunk.own[0] + to)) continue
      add(part(from, to))
      from = to
    }
    add(part(from, length))
  }
  return segments
}

function startsOf({ ranges }: Units): ReadonlySet<number> {
  return new Set(ranges.map(([start]) => start))
}

function joined(parts: readonly Woven[]): Woven {
  const conflicts: BlockConflict[] = []
  let length = 0
  for (const part of parts) {
    for (const one of part.conflicts) conflicts.push({ ...one, offset: one.offset + length })
    length += part.text.length
  }
  return { text: parts.map(({ text }) => text).join(''), conflicts }
}
