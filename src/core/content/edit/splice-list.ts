/** Adds items to a list and removes items, in the way that its author wrote the others. */
import { append, needItem } from '../../data/lists.ts'
import { alignBlocks } from '../align-blocks.ts'
import { mergeEffort } from '../merge/body.ts'
import type { FootnoteLabels } from '../../document/footnote-labels.ts'
import type { SourceMap } from '../../document/markdown/reading.ts'
import type { List } from '../../document/markdown/print/print-line.ts'
import type { Block, BlockOf } from '../../document/model.ts'
import { normalText } from '../../document/normal-form.ts'
import { printAlone, type PrintedFootnote } from '../../document/print.ts'
import { type Edit, replaceSpans } from '../../document/splice.ts'
import { indented, prefixAt } from './line-prefix.ts'

/** A list as the source has it, and as it is printed before and after the change. */
export interface ChangedList {
  raw: List
  was: List
  is: List
}

/** The page of a list, and what splices the items that stay. */
export interface ListPage {
  source: string
  map: SourceMap
  newline: string
  labels: FootnoteLabels
  /** Adds the edits that change an item. @returns false if its place is not known */
  spliceItem(changed: Record<keyof ChangedList, Block>, edits: Edit[]): boolean
}

/** The edits that change a list, and the footnotes of its new items. */
export interface SplicedList {
  edits: Edit[]
  footnotes: PrintedFootnote[]
}

/** An item of the source: the offsets of its marker and of the end of its content, and what its marker consists of. */
interface PlacedItem {
  start: number
  end: number
  /** `-`, or `.` behind the number of an item. */
  sign: string
  /** '' for an item without a number. */
  number: string
  /** The blank space between the marker and the content. */
  gap: string
}

/**
 * Changes only the lines of the items that a list gets, loses or changes. Where the numbers of the items ascend, those
 * behind follow. @returns undefined if the list cannot be changed so
 */
export function spliceList({ raw, was, is }: ChangedList, page: ListPage): SplicedList | undefined {
  if (raw.type !== is.type || was.nodes.length === is.nodes.length || is.nodes.length === 0) return undefined
  if (JSON.stringify(was.data) !== JSON.stringify(is.data)) return undefined
  const items = placedItems(raw, page)
  const [first, last] = [items?.[0], items?.at(-1)]
  if (!items || !first || !last) return undefined

  const origins = originsOf(was, is)
  const within: Edit[] = []
  for (const [at, origin] of origins.entries()) {
    if (origin === undefined) continue
    const changed = {
      raw: needItem(raw.nodes, origin),
      was: needItem(was.nodes, origin),
      is: needItem(is.nodes, at),
    }
    if (!page.spliceItem(changed, within)) return undefined
  }
  const isInside = ({ span }: Edit) => span.start >= first.start && span.end <= last.end
  const inside = within.filter(isInside)
  const footnotes: PrintedFootnote[] = []
  const numbers = numbersOf(items, origins)
  let text = ''
  for (const [at, origin] of origins.entries()) {
    const before = origins[at - 1]
    if (at > 0) text += gapBetween(items, before, origin, page)
    const item = origin === undefined ? undefined : items[origin]
    if (item) text += keptItem(item, numbers[at] ?? '', inside, page)
    else {
      const printed = newItem(is, at, numbers[at] ?? '', items[before ?? 0] ?? first, page)
      text += printed.text
      append(footnotes, printed.footnotes)
    }
  }
  const span = { start: first.start, end: last.end }
  return { edits: [{ span, text }, ...within.filter((edit) => !isInside(edit))], footnotes }
}

const MARKER = /^(\d{0,9})([-*+.)])([ \t]+)/

/** The places of the items of a list; undefined if one is not known. */
function placedItems({ nodes }: List, { source, map }: ListPage): PlacedItem[] | undefined {
  const items = nodes.map((item): PlacedItem | undefined => {
    const [start, end] = [map.markers.get(item), map.spans.get(item)?.end]
    if (start === undefined || end === undefined) return undefined
    const [, number = '', sign, gap] = MARKER.exec(source.slice(start, start + 30)) ?? []
    return sign === undefined || gap === undefined ? undefined : { start, end, sign, number, gap }
  })
  return items.every((item) => item !== undefined) ? items : undefined
}

/** For each new item, the index of the item that it was; undefined for an added one. */
function originsOf(was: List, is: List): (number | undefined)[] {
  const origins: (number | undefined)[] = is.nodes.map(() => undefined)
  const matches = alignBlocks(was.nodes.map(normalText), is.nodes.map(normalText), mergeEffort())
  for (const [origin, at] of matches.entries()) if (at !== -1) origins[at] = origin
  return origins
}

/** The numbers of the new items: ascending if those of the source do, else as they were. */
function numbersOf(items: readonly PlacedItem[], origins: readonly (number | undefined)[]): string[] {
  const [first, second] = items
  if (!first || first.number === '') return []
  const isAscending = items.every(({ number }, nth) => Number(number) === Number(first.number) + nth)
  const step = isAscending || !second ? 1 : 0
  return origins.map((origin, at) => {
    const kept = origin === undefined ? undefined : items[origin]?.number
    const number = String(Number(first.number) + at * step)
    // A longer number would indent the content otherwise.
    return kept !== undefined && (step === 0 || kept.length !== number.length) ? kept : number
  })
}

function keptItem(
  { start, end, number }: PlacedItem,
  wanted: string,
  edits: readonly Edit[],
  { source }: ListPage,
): string {
  const inside = edits
    .filter(({ span }) => span.start >= start && span.end <= end)
    .map(({ span, text }) => ({ span: { start: span.start - start, end: span.end - start }, text }))
  if (wanted !== number) inside.unshift({ span: { start: 0, end: number.length }, text: wanted })
  return replaceSpans(source.slice(start, end), inside)
}

/** An item that the source does not have, written as the item beside it. */
function newItem(
  list: List,
  at: number,
  number: string,
  { start, sign, gap }: PlacedItem,
  { source, newline, labels }: ListPage,
): { text: string; footnotes: PrintedFootnote[] } {
  const item = list.nodes[at] as BlockOf<'list-item'>
  const alone = (
    list.type === 'list-ordered'
      ? { ...list, data: { start: Number(number) }, nodes: [item] }
      : { ...list, nodes: [item] }
  ) as List
  const printed = printAlone(alone, { labels, other: sign === '-' || sign === ')' })
  const width = gap.length > 1 && !gap.includes('\t') ? gap.length - 1 : 0
  const marked = printed.text.replace(
    /^(\d*)[-*.)]/,
    (_, digits: string) => `${digits}${sign}${' '.repeat(width)}`,
  )
  const text = indented(indented(marked, ' '.repeat(width)), prefixAt(source, start))
  return { text: text.replaceAll('\n', newline), footnotes: printed.footnotes }
}

/** What is between two items: as in the source if they were neighbours, else as between its first items. */
function gapBetween(
  items: readonly PlacedItem[],
  before: number | undefined,
  after: number | undefined,
  { source, newline }: ListPage,
): string {
  if (before !== undefined && after === before + 1)
    return source.slice(needItem(items, before).end, needItem(items, after).start)
  const [first, second] = items
  const isLoose = first && second && /\n[\s>]*\n/.test(source.slice(first.end, second.start))
  const prefix = prefixAt(source, needItem(items, 0).start)
  return (isLoose ? newline + prefix.trimEnd() : '') + newline + prefix
}
