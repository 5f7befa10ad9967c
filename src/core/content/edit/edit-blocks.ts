/**
 * Writes top-level blocks back into the Markdown of a page. Blocks that did not change keep their bytes; changed ones
 * keep the bytes of the words that did not change.
 */
import { append, needItem } from '../../data/lists.ts'
import { alignBlocks } from '../align-blocks.ts'
import { mergeEffort } from '../merge/body.ts'
import type { Block, ContentRef, Document } from '../../document/model.ts'
import { footnoteLabels } from '../../document/footnote-labels.ts'
import { showsAll } from '../../document/kept-conditions.ts'
import { isFootnote } from '../../document/normal-form.ts'
import { parseMarkdown, parsePage } from '../../document/parse.ts'
import { printAlone, printDocument, type PrintedBlock } from '../../document/print.ts'
import { type Edit, replaceSpans } from '../../document/splice.ts'
import {
  blockOfPage,
  documentWith,
  type EditedPage,
  headOf,
  readEditedPage,
  resolved,
  tailOf,
  written,
} from './edited-page.ts'
import { definitionEdits } from './new-footnotes.ts'
import { saidBy, type Said, sayTheSame } from './said.ts'
import { agreedFootnotes, type Spliced, spliceBlock } from './splice-blocks.ts'
import { withoutEmptied } from './tags-in-lines.ts'
import { because } from '../../languages/reasons.ts'
import { type Reasoned } from '../../languages/reasoned.ts'

/** A block of the page that stays as it is, by its key, or a block to write. The key of a block says which it was. */
export type BlockEntry = { keep: string } | { block: Block }

/** New blocks of a page. */
export interface BlockEdit {
  /** The Markdown of the page. */
  source: string
  /** The resolved references of the source, by `referenceKey`. */
  references: ReadonlyMap<string, ContentRef>
  entries: readonly BlockEntry[]
  /** The Markdown that the result is merged with, if that is another: new footnotes have labels that it does not have. */
  mergedWith?: string
}

/** The new Markdown. It reads back as the blocks of the edit. */
export interface EditedBlocks {
  source: string
  /** For each entry, the key of the block of the old source that it was; undefined for a new block. */
  origins: (string | undefined)[]
  /** For each block of the new source, its entry; -1 for the definition of a footnote. */
  entryOf: number[]
}

/** Why blocks cannot be written: the entry, or -1 if it is all of them, and the reason. */
export interface EntryFault extends Reasoned {
  entry: number
}

/** How an entry is written. Each way is tried if the one before does not read back as it should. */
const WAYS = ['as-is', 'letters', 'same-words', 'words', 'lines', 'all', 'printed', 'other-sign'] as const

interface Entry {
  /** The block that the page is to contain. */
  block: Block
  /** The block that it was; -1 for a new one. */
  origin: number
  way: (typeof WAYS)[number]
  /** The content of the block; if Markdown cannot express it, that of the blocks that are read back. */
  says: Said[]
  /** Whether `says` is known to be what Markdown can say. */
  isSayable: boolean
}

/** The most times that a page is read to find the blocks that do not read back. */
const MOST_ROUNDS = 12

/** Writes the entries in place of the blocks of the page. Front matter and title stay. */
export function editBlocks({
  source,
  references,
  entries: sent,
  mergedWith = source,
}: BlockEdit): EditedBlocks | EntryFault {
  const page = readEditedPage(source, { references, mergedWith })
  const entries = readBlockEntries(page, sent)
  if ('message' in entries) return entries
  const changes = entries.flatMap(({ block, origin }) =>
    origin < 0 ? [] : [{ raw: needItem(page.raw, origin), is: block }],
  )
  const agreed = agreedFootnotes(page.map, changes)
  const origins = entries.map(({ origin }) => page.blocks[origin]?.key)
  const done = (text: string, read: readonly Block[]): EditedBlocks => {
    const rest = entries.flatMap((entry, index) => wantedOf(entry).map(() => index)).values()
    return {
      source: text,
      origins,
      entryOf: read.map((block) => (isFootnote(block) ? -1 : (rest.next().value ?? -1))),
    }
  }
  if (page.isSplit)
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const text = assemble(page, entries, agreed)
      const { wrong, read } = misread(text, page, entries)
      if (wrong.length === 0) return done(text, read)
      if (!makeSayable(wrong, page) && !escalate(wrong)) break
    }
  const document = documentWith(entries.map(({ block }) => written(page, block)))
  const labels = footnoteLabels(mergedWith === source ? 1 : page.firstLabel)
  const text = headOf(page) + printDocument(document, labels)
  const read = parsePage(text).document
  if (showsAll(withoutFootnotes(document), withoutFootnotes(read))) return done(text, read.nodes)
  return { entry: -1, message: SHOWS_OTHERWISE }
}

const SHOWS_OTHERWISE =
  'cannot be written, because the page would show or hide other words with it: HTML such as "<!--" has no end, or ends behind the end of a condition; write the end of the HTML first, or remove it'

/** Markdown has footnotes at the end. */
const withoutFootnotes = ({ nodes }: Document) => documentWith(nodes.filter((block) => !isFootnote(block)))

/** Finds the block that each entry was: by its key, by what it says, or by its likeness. */
function readBlockEntries(page: EditedPage, sent: readonly BlockEntry[]): Entry[] | EntryFault {
  const byKey = new Map(page.blocks.map(({ key }, index) => [key, index]))
  const free = new Set(page.blocks.keys())
  const entries: Entry[] = []
  for (const [index, one] of sent.entries()) {
    if ('keep' in one) {
      const origin = byKey.get(one.keep)
      if (origin === undefined) return { entry: index, ...because('block-not-of-page', { key: one.keep }) }
      if (!free.delete(origin)) return { entry: index, ...because('block-kept-twice', { key: one.keep }) }
      const { block, says } = blockOfPage(page, origin)
      entries.push({ block, origin, way: 'as-is', says: [says], isSayable: true })
      continue
    }
    const [block] = resolved(documentWith([one.block]), page.references) as [Block]
    entries.push({ block, origin: -1, way: 'printed', says: [saidBy(block)], isSayable: false })
  }
  const sayable = withoutEmptied(page.map)
  const become = (entry: Entry, origin: number) => {
    free.delete(origin)
    entry.origin = origin
    const { raw, span, says } = blockOfPage(page, origin)
    const { printed, read } = sayable(entry.block, raw, page.source.slice(span.start, span.end))
    if (printed !== entry.block || read !== printed) entry.says = [saidBy(read)]
    entry.block = printed
    entry.way = sayTheSame(entry.says[0], says) ? 'as-is' : 'letters'
  }
  for (const [index, entry] of entries.entries()) {
    const one = needItem(sent, index)
    const origin = 'block' in one && one.block.key !== undefined ? byKey.get(one.block.key) : undefined
    if (origin !== undefined && free.has(origin)) become(entry, origin)
  }
  alignRest(page, entries, free, become)
  return entries
}

/** Pairs the blocks that have no key, in order, by what they say. */
function alignRest(
  page: EditedPage,
  entries: readonly Entry[],
  free: ReadonlySet<number>,
  become: (entry: Entry, origin: number) => void,
): void {
  const added = entries.filter(({ origin }) => origin === -1)
  const gone = [...free].toSorted((a, b) => a - b)
  if (added.length === 0 || gone.length === 0) return
  const effort = mergeEffort()
  const equal = alignBlocks(
    gone.map((index) => needItem(page.says, index).text()),
    added.map(({ says }) => needItem(says, 0).text()),
    effort,
  )
  equal.forEach((at, nth) => {
    const [origin, entry] = [needItem(gone, nth), added[at]]
    // Blocks of different types have no words in common that are worth keeping.
    if (entry?.block.type === needItem(page.blocks, origin).type) become(entry, origin)
  })
}

/** The Markdown of the page with the entries, each written in its way. */
function assemble(page: EditedPage, entries: readonly Entry[], agreed: ReadonlySet<string>): string {
  const { newline } = page
  const footnotes: string[] = []
  const { edits, footnotes: added } = spliceEntries(page, entries, agreed)
  const definitions = definitionEdits(added, page)
  const editsIn = editsOfBlocks(page, [...edits, ...definitions])
  let firstLabel = page.firstLabel + added.length
  let text = entries.length > 0 ? headOf(page) : headOf(page).trimEnd() + newline
  let before: Entry | undefined
  for (const entry of entries) {
    if (before) text += gapBetween(page, before, entry)
    const printed = textOfEntry(page, entry, editsIn[entry.origin] ?? [], firstLabel)
    text += printed.text
    firstLabel += printed.footnotes.length
    for (const footnote of printed.footnotes) footnotes.push(footnote.text)
    before = entry
  }
  const made = new Set(entries.filter(isSame).flatMap(({ origin }) => editsIn[origin] ?? []))
  const defined = new Set(definitions.flatMap((edit) => (made.has(edit) ? edit.footnotes : [])))
  for (const footnote of added)
    if (!defined.has(footnote) && hasLabel(text, footnote.label)) footnotes.push(footnote.text)
  if (footnotes.length > 0) return [text, ...footnotes].join(newline + newline) + newline
  if (!before) return text.trim() === '' ? '' : text
  return text + (isSame(before) && before.origin === page.spans.length - 1 ? tailOf(page) : newline)
}

/** The edits of the blocks that change where they are. */
function spliceEntries(page: EditedPage, entries: readonly Entry[], agreed: ReadonlySet<string>): Spliced {
  const known = [...page.map.labels].map(([blocks, label]): [Block[], string] => [
    resolved(documentWith([...blocks]), page.references).map((block) => written(page, block)),
    label,
  ])
  const labels = footnoteLabels(page.firstLabel, known)
  const all: Spliced = { edits: [], footnotes: [] }
  for (const { block, origin, way } of entries) {
    if (way === 'as-is' || way === 'printed' || way === 'other-sign') continue
    const { raw, block: was, span } = blockOfPage(page, origin)
    const changed = { raw, was: written(page, was), is: written(page, block) }
    const { edits, footnotes } = spliceBlock(changed, span, way, { ...page, labels, agreed })
    append(all.edits, edits)
    append(all.footnotes, footnotes)
  }
  return all
}

/** The edits in each block of the page, once: several annotations may change one footnote. */
function editsOfBlocks({ spans }: EditedPage, edits: readonly Edit[]): Edit[][] {
  const within = spans.map((span) => ({ span, edits: [] as Edit[] }))
  let at = 0
  let done = 0
  for (const edit of edits.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)) {
    while (at < spans.length - 1 && needItem(within, at).span.end < edit.span.end) at++
    const block = needItem(within, at)
    if (edit.span.start < done || edit.span.start < block.span.start) continue
    block.edits.push(edit)
    done = Math.max(edit.span.end, edit.span.start + 1)
  }
  return within.map((block) => block.edits)
}

const isSame = ({ way }: Entry) => way !== 'printed' && way !== 'other-sign'

function gapBetween({ source, spans, newline }: EditedPage, before: Entry, after: Entry): string {
  const wereNeighbours = before.origin >= 0 && after.origin === before.origin + 1
  if (wereNeighbours && isSame(before) && isSame(after))
    return source.slice(needItem(spans, before.origin).end, needItem(spans, after.origin).start)
  return newline + newline
}

function textOfEntry(
  page: EditedPage,
  entry: Entry,
  edits: readonly Edit[],
  firstLabel: number,
): PrintedBlock {
  const { source, spans, newline } = page
  const { block, origin, way } = entry
  const span = spans[origin]
  if (span && isSame(entry)) {
    const { start, end } = span
    const moved = edits.map(({ span: at, text }) => ({
      span: { start: at.start - start, end: at.end - start },
      text,
    }))
    return { text: replaceSpans(source.slice(start, end), moved), footnotes: [] }
  }
  const asWritten = (text: string) => (newline === '\n' ? text : text.replace(/\r?\n/g, newline))
  const labels = footnoteLabels(firstLabel)
  const fresh = printAlone(written(page, block), { labels, other: way === 'other-sign' })
  const footnotes = fresh.footnotes.map((footnote) => ({ ...footnote, text: asWritten(footnote.text) }))
  return { text: asWritten(fresh.text), footnotes }
}

function hasLabel(text: string, label: string): boolean {
  return text.includes(`[^${label}]`) || text.includes(`fn-${label}"`)
}

/** Reads the text. @returns its blocks, and the entries that it does not say */
function misread(
  text: string,
  page: EditedPage,
  entries: readonly Entry[],
): { wrong: Entry[]; read: Block[] } {
  const { document, title } = parsePage(text)
  const read = document.nodes
  const wanted = entries.flatMap((entry) => wantedOf(entry).map((says) => ({ entry, says })))
  const says = saysOf(resolved(document, page.references))
  const entriesOfParts = (parts: readonly (typeof wanted)[number][]) => [
    ...new Set(parts.map(({ entry }) => entry)),
  ]
  if (says.length === wanted.length) {
    const wrong = wanted.filter((part, i) => !sayTheSame(part.says, says[i]))
    // A first block that was taken for the title is printed as what it is.
    const isRight = wrong.length > 0 || title === page.title
    return { wrong: entriesOfParts(isRight ? wrong : wanted.slice(0, 1)), read }
  }
  let start = 0
  while (sayTheSame(wanted[start]?.says, says[start])) start++
  let end = 0
  while (end < wanted.length - start && sayTheSame(wanted.at(-1 - end)?.says, says.at(-1 - end))) end++
  // Blocks became one, or one became two: the neighbours take part in it.
  return { wrong: entriesOfParts(wanted.slice(Math.max(0, start - 1), wanted.length - end + 1)), read }
}

const saysOf = (blocks: readonly Block[]) =>
  blocks.flatMap((block) => (isFootnote(block) ? [] : [saidBy(block)]))

/** Returns the content that the page is to have in the place of the entry. */
const wantedOf = ({ block, says }: Entry) => (isFootnote(block) ? [] : says)

/**
 * Replaces what entries shall say by what they say if they are printed and read alone, because Markdown cannot say
 * everything that a request can. @returns whether that changes something
 */
function makeSayable(entries: readonly Entry[], page: EditedPage): boolean {
  let isAny = false
  for (const entry of entries) {
    if (entry.isSayable) continue
    entry.isSayable = true
    const printed = printAlone(written(page, entry.block), { labels: footnoteLabels(1) })
    const text = [printed.text, ...printed.footnotes.map((footnote) => footnote.text)].join('\n\n')
    const says = saysOf(resolved(parseMarkdown(text).document, page.references))
    if (says.length === entry.says.length && sayTheSame(says[0], entry.says[0])) continue
    entry.says = says
    isAny = true
  }
  return isAny
}

/**
 * Writes entries in their next way: those that the writer sent, else of lists that became one the later, else all.
 * @returns whether one has a next way
 */
function escalate(entries: readonly Entry[]): boolean {
  const sent = entries.filter(({ way }) => way !== 'as-is')
  const lists = entries.filter(({ block }) => isList(block))
  return [sent, lists.slice(1), entries].some(advance)
}

function advance(entries: readonly Entry[]): boolean {
  let isAny = false
  for (const entry of entries) {
    const next = entry.way === 'as-is' ? 'printed' : WAYS[WAYS.indexOf(entry.way) + 1]
    if (next === undefined || (next === 'other-sign' && !isList(entry.block))) continue
    entry.way = next
    isAny = true
  }
  return isAny
}

const isList = ({ type }: Block) => type.startsWith('list-') && type !== 'list-item'
