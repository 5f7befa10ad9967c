/**
 * The limits of one page. They are checked when a page is written, and the reader shows what exceeds them as source, so
 * that reading, printing and rendering any page takes a bounded time.
 */
import { changeSettings, coreSettings } from '../../runtime/operator-settings.ts'
import { greatest } from '../../data/lists.ts'
import { because, type ReasonId } from '../../languages/reasons.ts'
import { type Reasoned } from '../../languages/reasoned.ts'
import type { Block, Document, Inline, Text } from '../model.ts'

/** Reusable contents nested deeper than this are left out. */
export const INCLUDE_DEPTH = 4

/** Beyond these, a page is not written, and a stored one is shown as its source. */
export const PAGE_LIMITS = {
  /**
   * Of the whole source in UTF-8, with front matter and title, unless `limitPageBytes` says otherwise. The largest of
   * about 4,700 real pages has 190,000.
   */
  bytes: 1_000_000,
  /** Paragraphs, headings, list items, lines of code and so on, also those in other blocks and in cells. */
  blocks: 20_000,
  /** Rows times columns, of all tables together. */
  cells: 10_000,
  /** Links, images, formulas and other inlines, and pieces of text between them. */
  inlines: 50_000,
  /** Formulas in blocks and in lines. */
  formulas: 1_000,
  /** The formulas of a page together. A character takes the renderer up to ten microseconds. */
  formulaCharacters: 100_000,
  /** In characters, like the title that a request sets. */
  title: 1_000,
} as const

/** Sets the largest size of a page, in bytes, for this process and its threads. */
export function limitPageBytes(bytes: number): void {
  changeSettings({ pageBytes: bytes })
}

/** The largest size of a page, in bytes: `PAGE_LIMITS.bytes`, unless `limitPageBytes` says otherwise. */
export function mostPageBytes(): number {
  return coreSettings().pageBytes ?? PAGE_LIMITS.bytes
}

/** Why a source is not parsed, if it is too large. */
export function bytesProblem(source: string): Reasoned | undefined {
  const mostBytes = mostPageBytes()
  // A UTF-16 unit takes at most three bytes in UTF-8, so short sources need no count.
  if (source.length <= mostBytes / 3) return undefined
  const bytes = Buffer.byteLength(source)
  if (bytes <= mostBytes) return undefined
  return because('has-too-many-bytes', { bytes, limit: mostBytes })
}

type Node = Block | Inline | Text

/** Why a document is not shown, if it has too many parts. Its nesting is limited by the reader. */
export function documentProblem(document: Pick<Document, 'nodes'>): Reasoned | undefined {
  const counts = countParts(document)
  for (const [part, reason] of Object.entries(TOO_MANY) as [keyof Counts, ReasonOfCount][]) {
    const [size, limit] = [counts[part], PAGE_LIMITS[part]]
    if (size > limit) return because(reason, { size, limit })
  }
  return undefined
}

/** How much a document has of what the limits count. */
export interface Counts {
  blocks: number
  cells: number
  inlines: number
  formulas: number
  formulaCharacters: number
}

type ReasonOfCount = (typeof TOO_MANY)[keyof Counts]

const TOO_MANY = {
  blocks: 'has-too-many-blocks',
  cells: 'has-too-many-cells',
  inlines: 'has-too-many-inlines',
  formulas: 'has-too-many-formulas',
  formulaCharacters: 'has-too-many-formula-characters',
} as const satisfies Record<keyof Counts, ReasonId>

/** Counts the parts of a document, those in fragments too. */
export function countParts({ nodes }: Pick<Document, 'nodes'>): Counts {
  const counts: Counts = { blocks: 0, cells: 0, inlines: 0, formulas: 0, formulaCharacters: 0 }
  for (let level: Node[] = nodes; level.length > 0;) {
    const next: Node[] = []
    for (const node of level) {
      count(node, counts)
      if (node.object === 'text') continue
      for (const inner of node.nodes ?? []) next.push(inner)
      for (const { nodes: inside } of ('fragments' in node && node.fragments) || [])
        for (const inner of inside) next.push(inner)
    }
    level = next
  }
  return counts
}

function count(node: Node, counts: Counts): void {
  if (node.object === 'block') counts.blocks += 1
  else counts.inlines += 1
  if (node.object === 'text') return
  if (node.type === 'math' || node.type === 'inline-math') {
    counts.formulas += 1
    counts.formulaCharacters += node.data.formula.length
  }
  if (node.type === 'table')
    counts.cells += Object.keys(node.data.records).length * Object.keys(node.data.definition).length
}

/** The characters that could begin or end a block, an inline or a formula. */
const SIGNS = new Set([...'\n\r|<>{*_`~[!:$@&\\-+.)#'].map((sign) => sign.charCodeAt(0)))
/** A sign begins at most four parts, and a formula takes four signs. */
const FEW_SIGNS = 4_000

/** True for a source that is surely within the limits of parts, so that it need not be parsed to know. */
export function hasFewParts(source: string): boolean {
  if (source.length > PAGE_LIMITS.formulaCharacters && /\$\$|<span/i.test(source)) return false
  let signs = 0
  for (let at = 0; at < source.length && signs <= FEW_SIGNS; at += 1) {
    if (SIGNS.has(source.charCodeAt(at))) signs += 1
  }
  return signs <= FEW_SIGNS && mostCells(source) <= PAGE_LIMITS.cells
}

/** The most cells that the tables of a source can have: short rows have as many as the longest. */
function mostCells(source: string): number {
  const lines = source.split('\n').filter((line) => line.includes('|'))
  const rows = source.split(/<tr\b/i).slice(1)
  const columns = greatest(
    lines.map((line) => line.split('|').length),
    0,
  )
  const cells = greatest(
    rows.map((row) => row.split(/<t[dh]\b/i).length),
    0,
  )
  return lines.length * columns + rows.length * cells
}
