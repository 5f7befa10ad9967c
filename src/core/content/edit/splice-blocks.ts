/** Finds the smallest parts of a page that differ from what a writer wants, and what to write there. */
import { canonical } from '../../data/json.ts'
import { append, needItem } from '../../data/lists.ts'
import type { Line } from '../../document/build.ts'
import type { FootnoteLabels } from '../../document/footnote-labels.ts'
import type { SourceMap } from '../../document/markdown/reading.ts'
import type { Block, Fragment, Span } from '../../document/model.ts'
import { normalText } from '../../document/normal-form.ts'
import { isListBlock } from '../../document/markdown/print/print-line.ts'
import { printAlone, type PrintedBlock, type WrittenAs } from '../../document/print.ts'
import type { Edit } from '../../document/splice.ts'
import { blockParts, inlinesIn, isLine } from './block-parts.ts'
import { indented, prefixAt } from './line-prefix.ts'
import type { NewFootnote } from './new-footnotes.ts'
import { placeChanges, type ChangeReach } from './place-changes.ts'
import { saidBy, sayTheSame } from './said.ts'
import { spliceList } from './splice-list.ts'
import { tagsInLines } from './tags-in-lines.ts'

/** A block as the source has it, and as it is printed before and after the change. All have the same structure but the last. */
export interface ChangedBlock {
  raw: Block
  was: Block
  is: Block
}

/** What the blocks of a page are spliced into. */
export interface SplicedPage {
  source: string
  map: SourceMap
  newline: string
  /** The labels of footnotes that the page defines, and of new ones. */
  labels: FootnoteLabels
  /** The footnotes that all their annotations change alike, by their labels. */
  agreed: ReadonlySet<string>
}

/** The edits of the source that change a block, and its new footnotes. */
export interface Spliced {
  edits: Edit[]
  footnotes: NewFootnote[]
}

/** @param span the place of the block. @param reach how much around each change is written with it */
export function spliceBlock(
  changed: ChangedBlock,
  span: Span,
  reach: ChangeReach,
  page: SplicedPage,
): Spliced {
  const spliced: Spliced = { edits: [], footnotes: [] }
  spliceInto(
    changed,
    span,
    styleOf(changed.raw, page.source.slice(span.start, span.end)),
    reach,
    page,
    spliced,
  )
  return spliced
}

/** @returns false if the place of a part that differs is not known; nothing is added then */
function spliceInto(
  { raw, was, is }: ChangedBlock,
  span: Span | undefined,
  as: WrittenAs,
  reach: ChangeReach,
  page: SplicedPage,
  spliced: Spliced,
): boolean {
  if (sayTheSame(saidBy(was), saidBy(is))) return true
  if (spliceParts({ raw, was, is }, reach, page, spliced)) return true
  if (spliceItems({ raw, was, is }, reach, page, spliced)) return true
  if (!span || !haveSameBox(was, is)) return false

  const { source, labels, newline } = page
  const wanted = isLine(was) ? spliceFootnotes({ raw, was, is }, reach, page, spliced) : is
  if (wanted !== is && sayTheSame(saidBy(was), saidBy(wanted))) return true
  const prefix =
    as === 'cell' || as === 'html' || as === 'html-line' || as === 'code-line'
      ? ''
      : prefixAt(source, span.start)
  const tagsInLine = tagsInLines([raw, was, wanted], page.map)
  const print = (block: Block) => printAlone(block, { labels, as, tagsInLine })
  const [base, own]: [PrintedBlock, PrintedBlock] = [print(was), print(wanted)]
  const primary = source.slice(span.start, span.end)
  const texts = { base: indented(base.text, prefix), primary, own: indented(own.text, prefix) }
  spliced.edits.push({ span, text: placeChanges(texts, reach, { newline, linkLabels: page.map.linkLabels }) })
  const former = isLine(was) ? formerLabels(raw, is, page.map) : undefined
  for (const footnote of own.footnotes)
    spliced.footnotes.push({ ...footnote, former: former?.get(footnote.blocks) })
  return true
}

/** Splices the parts of a block whose frame stays as it is. */
function spliceParts(
  { raw, was, is }: ChangedBlock,
  reach: ChangeReach,
  page: SplicedPage,
  spliced: Spliced,
): boolean {
  const parts = blockParts(raw)
  const [before, after] = [blockParts(was), blockParts(is)]
  if (parts.length === 0 || before.length !== parts.length || after.length !== parts.length) return false
  if (frameOf(was) !== frameOf(is)) return false
  const inside: Spliced = { edits: [], footnotes: [] }
  for (const [i, part] of parts.entries()) {
    const changed = { raw: part, was: needItem(before, i), is: needItem(after, i) }
    const span = page.map.spans.get(part)
    const as = styleIn(raw, i) ?? styleOf(part, span ? page.source.slice(span.start, span.end) : '')
    if (!spliceInto(changed, span, as, reach, page, inside)) return false
  }
  append(spliced.edits, inside.edits)
  append(spliced.footnotes, inside.footnotes)
  return true
}

/** Whether two blocks are both no tasks, or tasks with the same state. The box of a task is outside of its content. */
function haveSameBox(was: Block, is: Block): boolean {
  const [before, after] = [was, is].map((block) => block.type === 'list-item' && block.data.checked)
  return before === after
}

/** Splices the items of a list that gets or loses some. */
function spliceItems(
  { raw, was, is }: ChangedBlock,
  reach: ChangeReach,
  page: SplicedPage,
  spliced: Spliced,
): boolean {
  if (!isListBlock(raw) || !isListBlock(was) || !isListBlock(is)) return false
  const inside: Spliced = { edits: [], footnotes: [] }
  const spliceItem = (item: ChangedBlock, edits: Edit[]) => {
    const own: Spliced = { edits, footnotes: inside.footnotes }
    return spliceInto(item, page.map.spans.get(item.raw), 'markdown', reach, page, own)
  }
  const list = spliceList({ raw, was, is }, { ...page, spliceItem })
  if (!list) return false
  append(spliced.edits, list.edits)
  append(spliced.footnotes, inside.footnotes)
  for (const footnote of list.footnotes) spliced.footnotes.push({ ...footnote, former: undefined })
  return true
}

/**
 * Splices the footnotes of a line into their definitions.
 * @returns the line with the footnotes that it had, where they are spliced
 */
function spliceFootnotes(
  { raw, was, is }: ChangedBlock,
  reach: ChangeReach,
  page: SplicedPage,
  spliced: Spliced,
): Block {
  const [inRaw, before, after] = [footnotesOf(raw), footnotesOf(was), footnotesOf(is)]
  if (inRaw.length !== after.length) return is
  const kept = new Map<Fragment, Fragment>()
  for (const [i, { nodes }] of inRaw.entries()) {
    const [from, to] = [needItem(before, i), needItem(after, i)]
    const label = page.map.labels.get(nodes)
    if (label === undefined || !page.agreed.has(label) || from.nodes.length !== to.nodes.length) continue
    const inside: Spliced = { edits: [], footnotes: [] }
    const isSpliced = nodes.every((block, at) => {
      const span = page.map.spans.get(block)
      const as = styleOf(block, span ? page.source.slice(span.start, span.end) : '')
      const changed = { raw: block, was: needItem(from.nodes, at), is: needItem(to.nodes, at) }
      return spliceInto(changed, span, as, reach, page, inside)
    })
    if (!isSpliced) continue
    append(spliced.edits, inside.edits)
    append(spliced.footnotes, inside.footnotes)
    kept.set(to, from)
  }
  return kept.size === 0 ? is : ({ ...is, nodes: withFootnotes(is.nodes as Line, kept) } as Block)
}

/** The labels that the footnotes of a line had before, by their new blocks. */
function formerLabels(
  raw: Block,
  is: Block,
  { labels }: SourceMap,
): Map<readonly Block[], string | undefined> {
  const [before, after] = [footnotesOf(raw), footnotesOf(is)]
  if (before.length !== after.length) return new Map()
  return new Map(after.map(({ nodes }, i) => [nodes, labels.get(needItem(before, i).nodes)]))
}

function withFootnotes(nodes: Line, kept: ReadonlyMap<Fragment, Fragment>): Line {
  return nodes.map((node) => {
    if (node.object === 'text' || !node.nodes) return node
    return {
      ...node,
      nodes: withFootnotes(node.nodes, kept),
      fragments: node.fragments?.map((fragment) => kept.get(fragment) ?? fragment),
    }
  })
}

/** The labels of the footnotes that all their annotations have with the same new content, so that it belongs to them. */
export function agreedFootnotes(
  map: SourceMap,
  blocks: readonly Pick<ChangedBlock, 'raw' | 'is'>[],
): ReadonlySet<string> {
  const wanted = new Map<string, string | undefined>()
  if (map.labels.size === 0) return new Set()
  const see = (was: Block, is: Block | undefined) => {
    const [before, after] = [footnotesOf(was), is ? footnotesOf(is) : []]
    for (const [i, { nodes }] of before.entries()) {
      const label = map.labels.get(nodes) ?? ''
      const inPlace = after.length === before.length ? after[i] : undefined
      const one = inPlace?.nodes.map(normalText).join('\n')
      wanted.set(label, wanted.has(label) && wanted.get(label) !== one ? undefined : one)
    }
    const parts = is ? blockParts(is) : []
    for (const [i, part] of blockParts(was).entries()) see(part, parts[i])
  }
  for (const { raw, is } of blocks) see(raw, is)
  return new Set([...wanted].flatMap(([label, says]) => (says === undefined ? [] : [label])))
}

/** The footnotes of the annotations in a line, in order. */
function footnotesOf(block: Block): Fragment[] {
  return [...inlinesIn(block)].flatMap(({ fragments }) => fragments ?? [])
}

/** All of a block but the blocks within it. */
function frameOf({ key: _key, meta: _meta, isVoid: _isVoid, nodes, fragments = [], ...rest }: Block): string {
  const inside = fragments.map(({ nodes: within, fragment, type }) => [fragment, type, within.length])
  return JSON.stringify(canonical({ ...rest, inside, count: nodes?.length }))
}

const HTML = /^<(?:p|h[1-6]|ul|ol|blockquote|pre|table)[\s>]/i
const INLINE_HTML = /^<[a-z][a-z0-9]*[\s>]/i
const FENCE = /^(?:`{3}|~{3}|\{%|<)/

/** How a part of a block is written because of the block that it is in. @param nth which part */
function styleIn({ type, data, nodes }: Block, nth: number): WrittenAs | undefined {
  if (type === 'table') return 'cell'
  if (type !== 'list-item' || data.checked === undefined || nth > 0) return undefined
  return nodes.length === 1 ? 'task' : 'task-above-blocks'
}

function styleOf({ type }: Block, written: string): WrittenAs {
  if (type === 'code-line') return 'code-line'
  if (HTML.test(written)) return 'html'
  if (type === 'table') return 'pipes'
  if (type === 'heading-1' && !written.startsWith('#')) return 'underlined'
  if (type === 'paragraph' && INLINE_HTML.test(written)) return 'html-line'
  return type === 'code' && !FENCE.test(written) ? 'indented' : 'markdown'
}
