/** Merges three runs of blocks: block by block, and by lines inside a block that both sides changed. */
import { needItem } from '../../data/lists.ts'
import { alignBlocks } from '../align-blocks.ts'
import type { Effort } from '../myers-diff.ts'
import { diffSequences, mergeLines } from '../line-merge.ts'
import type { SideName } from './model.ts'
import type { BlockRun } from '../body-units.ts'

/** A block that both sides changed differently. Null means that a version has no such block. */
export interface BlockConflict {
  /** For an entry of the front matter: its key. */
  readonly key?: string
  readonly base: string | null
  readonly primary: string | null
  readonly own: string | null
  /** The position of the kept text, or where it would be, in characters from the start of the woven text. */
  readonly offset: number
  readonly length: number
}

export interface Woven {
  readonly text: string
  readonly conflicts: readonly BlockConflict[]
}

/** A block of the result, and its index in each of the three runs. */
interface Item {
  text: string
  base?: number | undefined
  primary?: number | undefined
  own?: number | undefined
  conflict?: Pick<BlockConflict, 'base' | 'primary' | 'own'>
}

type Runs = Readonly<Record<'base' | SideName, BlockRun>>

/**
 * Merges three runs. `ends` is true if the runs end where their sources end. Blocks that both sides insert at one place
 * are all kept; their order does not depend on which side is which.
 */
export function weave(runs: Runs, keep: SideName, ends: boolean, effort: Effort): Woven {
  const base = runs.base.blocks
  const primary = sideOf(base, runs.primary.blocks, effort)
  const own = sideOf(base, runs.own.blocks, effort)
  const items: Item[] = []
  for (let slot = 0; slot <= base.length; slot++) {
    const inserted = insertions(primary.inserted[slot] ?? [], own.inserted[slot] ?? [], runs, effort)
    for (const item of inserted) items.push(item)
    if (slot === base.length) continue
    const block = {
      base: slot,
      primary: needItem(primary.matches, slot),
      own: needItem(own.matches, slot),
    }
    items.push(mergeBlock(runs, block, keep, effort))
  }
  return assemble(items, runs, ends)
}

/**
 * Matches the blocks of a side with those of the base. `inserted` holds the added blocks by the index of the base block
 * after them.
 */
function sideOf(base: readonly string[], side: readonly string[], effort: Effort) {
  const matches = alignBlocks(base, side, effort)
  const inserted: number[][] = []
  let next = 0
  matches.forEach((match, slot) => {
    if (match < 0) return
    inserted[slot] = indexes(next, match)
    next = match + 1
  })
  inserted[base.length] = indexes(next, side.length)
  return { matches, inserted }
}

function indexes(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}

/** @param at the index of the block in each run; negative if the side deleted the block */
function mergeBlock(
  runs: Runs,
  at: Readonly<Record<'base' | SideName, number>>,
  keep: SideName,
  effort: Effort,
): Item {
  const text = needItem(runs.base.blocks, at.base)
  const primary = at.primary < 0 ? null : needItem(runs.primary.blocks, at.primary)
  const own = at.own < 0 ? null : needItem(runs.own.blocks, at.own)
  const item = {
    base: at.base,
    primary: at.primary < 0 ? undefined : at.primary,
    own: at.own < 0 ? undefined : at.own,
  }
  const merged = mergeTexts(text, primary, own, effort)
  if (merged !== undefined) return { ...item, text: merged ?? '' }
  return { ...item, text: (keep === 'primary' ? primary : own) ?? '', conflict: { base: text, primary, own } }
}

/** Undefined means a conflict. */
function mergeTexts(
  base: string,
  primary: string | null,
  own: string | null,
  effort: Effort,
): string | null | undefined {
  if (primary === own || own === base) return primary
  if (primary === base) return own
  if (primary === null || own === null) return undefined
  // The line break keeps an appended line from changing the line before it.
  return mergeLines(`${base}\n`, `${primary}\n`, `${own}\n`, effort)?.replace(/\r?\n$/, '')
}

/**
 * Merges the blocks that both sides inserted at one place: equal blocks once, and the different blocks of both sides
 * between them.
 */
function insertions(primary: readonly number[], own: readonly number[], runs: Runs, effort: Effort): Item[] {
  const inPrimary = primary.map((i) => ({ text: needItem(runs.primary.blocks, i), primary: i }))
  const inOwn = own.map((i) => ({ text: needItem(runs.own.blocks, i), own: i }))
  if (primary.length === 0) return inOwn
  if (own.length === 0) return inPrimary

  const items: Item[] = []
  const itemsText = (run: readonly Item[]) => run.map(({ text }) => text).join('\n\n')
  let [p, o] = [0, 0]
  const same = (to: number) => {
    while (p < to) items.push({ ...needItem(inPrimary, p++), own: needItem(own, o++) })
  }
  const hunks = diffSequences(itemTexts(inPrimary), itemTexts(inOwn), effort)
  for (const { aStart, aEnd, bStart, bEnd } of hunks) {
    same(aStart)
    const parts: [Item[], Item[]] = [inPrimary.slice(aStart, aEnd), inOwn.slice(bStart, bEnd)]
    if (itemsText(parts[1]) < itemsText(parts[0])) parts.reverse()
    for (const item of parts.flat()) items.push(item)
    ;[p, o] = [aEnd, bEnd]
  }
  same(inPrimary.length)
  return items
}

function itemTexts(items: readonly Item[]): string[] {
  return items.map(({ text }) => text)
}

function assemble(items: readonly Item[], runs: Runs, ends: boolean): Woven {
  // A deleted block has no text. If the kept side deleted a block that the other side changed, the block has only a
  // conflict.
  const shown = items.filter(({ text }) => text !== '')
  const texts: string[] = []
  const conflicts: BlockConflict[] = []
  let length = 0
  const put = (text: string) => {
    texts.push(text)
    length += text.length
  }
  const blank = blankLine(runs)
  let next = 0
  for (const item of items) {
    if (item.text !== '') {
      put(gapBetween(shown[next - 1], item, runs, ends) ?? blank)
      next++
    }
    if (item.conflict) conflicts.push({ ...item.conflict, offset: length, length: item.text.length })
    put(item.text)
  }
  put(gapBetween(shown.at(-1), undefined, runs, ends) ?? blank)
  return { text: texts.join(''), conflicts }
}

const NAMES = ['base', 'primary', 'own'] as const

/**
 * The gap between two blocks of the result; an undefined block is an end of the text. Runs in which the two blocks are
 * adjacent provide the gap. Returns undefined if no run does.
 */
function gapBetween(
  before: Item | undefined,
  after: Item | undefined,
  runs: Runs,
  ends: boolean,
): string | undefined {
  const [base, primary, own] = NAMES.map((name) => {
    const { blocks, gaps } = runs[name]
    const from = before ? before[name] : -1
    const to = after ? after[name] : blocks.length
    return from !== undefined && to === from + 1 ? gaps[to] : undefined
  })
  if (primary !== undefined || own !== undefined) return mergeGaps(base, primary, own)
  if (!before) return after ? mergeGaps(...gapsAt(runs, 0)) : ''
  return !after && ends ? mergeGaps(...gapsAt(runs, -1)) : undefined
}

function gapsAt(runs: Runs, place: 0 | -1): [string, string, string] {
  const [base = '', primary = '', own = ''] = NAMES.map((name) =>
    runs[name].blocks.length > 0 ? runs[name].gaps.at(place) : '',
  )
  return [base, primary, own]
}

function mergeGaps(base: string | undefined, primary: string | undefined, own: string | undefined): string {
  if (primary === undefined || own === undefined) return primary ?? own ?? ''
  if (primary === own || own === base) return primary
  if (primary === base) return own
  if (primary.length !== own.length) return primary.length > own.length ? primary : own
  return primary < own ? primary : own
}

function blankLine(runs: Runs): string {
  return NAMES.some((name) => runs[name].gaps.some((gap) => gap.includes('\r\n'))) ? '\r\n\r\n' : '\n\n'
}
