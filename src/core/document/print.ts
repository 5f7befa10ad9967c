import { isBlankLine } from './build.ts'
import { type FootnoteLabels, footnoteLabels } from './footnote-labels.ts'
import { printFrontMatter } from './front-matter/front-matter.ts'
import { leafText } from './leaf-text.ts'
import { GUARD, printBlocks } from './markdown/print/print-blocks.ts'
import { escapeLastSigns, escapeLineStart, escapeText, keepEdges } from './markdown/print/escape.ts'
import { printInline } from './markdown/print/print-inline.ts'
import { printItem, printList } from './markdown/print/print-list.ts'
import { htmlBlocks, htmlCell, printPre } from './markdown/print/print-html.ts'
import { printHtmlTable, printPipeCell, printPipeTable } from './markdown/print/print-table.ts'
import { isListBlock } from './markdown/print/print-line.ts'
import type { Printing } from './markdown/print/print-line.ts'
import type { Block, BlockOf, Document, PageMeta } from './model.ts'
import { onOneLine } from '../text/trimming.ts'

/**
 * A document as Markdown, with its footnotes at the end and a line break behind them unless it is empty. Reading it
 * gives the document back, with new identifiers: keys, computed anchors, names of table columns and records.
 * @param labels of its footnotes; by default they count from 1
 */
export function printDocument(document: Document, labels = footnoteLabels(1)): string {
  const { printing, footnotes } = newPrinting(labels)
  const parts = [printBlocks(document.nodes, printing)]
  for (const { text } of printFootnotes(footnotes, printing)) parts.push(text)
  const printed = parts.filter((part) => part !== '').join('\n\n')
  return printed === '' ? '' : `${printed}\n`
}

/** A block as Markdown, and the definitions of its footnotes. */
export interface PrintedBlock {
  text: string
  footnotes: PrintedFootnote[]
}

/** The definition of a footnote with these blocks. */
export interface PrintedFootnote {
  label: string
  blocks: readonly Block[]
  text: string
}

/**
 * How a block is written, where there is more than one way: as an element of HTML, a line of inline elements, a table of
 * pipes, its cell, code by its indentation, a line of code, a heading with a line below, or what is beside the box of a
 * task, alone or above other blocks.
 */
export type WrittenAs =
  | 'markdown'
  | 'html'
  | 'html-line'
  | 'pipes'
  | 'cell'
  | 'indented'
  | 'code-line'
  | 'underlined'
  | 'task'
  | 'task-above-blocks'

/**
 * A block by itself, to stand among others.
 * @param options.other whether a list has the second sign of its kind, which keeps it apart from a list before it
 * @param options.tagsInLine the tags of conditions that are not printed, because they are in other blocks
 */
export function printAlone(
  block: Block,
  {
    labels,
    other = false,
    as = 'markdown',
    tagsInLine,
  }: { labels: FootnoteLabels; other?: boolean; as?: WrittenAs; tagsInLine?: Printing['tagsInLine'] },
): PrintedBlock {
  const { printing: plain, footnotes } = newPrinting(labels)
  const printing = { ...plain, ...(tagsInLine && { tagsInLine }) }
  const text = printAs(block, as, other, printing)
  return { text, footnotes: [...printFootnotes(footnotes, printing)] }
}

function printAs(block: Block, as: WrittenAs, other: boolean, printing: Printing): string {
  if (as === 'html') return block.type === 'code' ? printPre(block, printing) : htmlBlocks([block], printing)
  if (as === 'html-line') return htmlCell([block], printing)
  if (as === 'cell') return printPipeCell([block], printing)
  if (as === 'pipes' && block.type === 'table') return printPipeTable(block, printing)
  if (as === 'indented' && block.type === 'code') {
    const lines = block.nodes.map((node) => leafText(node))
    return lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')
  }
  if (as === 'code-line') return leafText(block)
  if (as === 'underlined')
    return `${escapeLineStart(printBlocks([block], printing).replace(/^#+ ?/, ''), true)}\n---`
  if (as === 'task' && isBlankLine(block)) return GUARD
  // One such element above other blocks is no paragraph: the box needs it.
  if (as === 'task-above-blocks' && isBlankLine(block)) return GUARD + GUARD
  if (block.type === 'list-item') return printBehindMarker(block, printing)
  return isListBlock(block) ? printList(block, printing, other) : printBlocks([block], printing)
}

/** What is behind the marker of an item. A list may follow the text without a blank line there. */
function printBehindMarker(item: BlockOf<'list-item'>, printing: Printing): string {
  return printItem({ ...item, data: {} }, '*', printing)
    .slice('* '.length)
    .replaceAll('\n  ', '\n')
}

type Footnotes = { label: string; blocks: Block[] }[]

function newPrinting(labels: FootnoteLabels): { printing: Printing; footnotes: Footnotes } {
  const footnotes: Footnotes = []
  const printing: Printing = {
    labelOf(blocks) {
      const { label, isNew } = labels.of(
        blocks,
        (one) => printFootnote({ label: one, blocks }, newPrinting(footnoteLabels(1)).printing).length,
      )
      if (isNew) footnotes.push({ label, blocks })
      return label
    },
    printInline,
    printList,
    printHtmlTable,
  }
  return { printing, footnotes }
}

/** A footnote may hold others, which are printed behind it. */
function* printFootnotes(footnotes: Footnotes, printing: Printing): Generator<PrintedFootnote> {
  for (const footnote of footnotes) yield { ...footnote, text: printFootnote(footnote, printing) }
}

function printFootnote({ label, blocks }: Footnotes[number], printing: Printing): string {
  return `[^${label}]: ${printBlocks(blocks, printing).replace(/\n(?=[^\n])/g, '\n    ')}`
}

/** A page as Markdown: front matter, title, body. */
export function printPage(page: { title?: string; meta?: PageMeta; document: Document }): string {
  const body = printDocument(page.document)
  const title = page.title === undefined ? '' : `# ${printTitle(page.title)}\n`
  return [printFrontMatter(page.meta ?? {}), title, body].filter((part) => part !== '').join('\n')
}

/** A page's title as the text of its heading. */
export function printTitle(title: string): string {
  return escapeLastSigns(keepEdges(escapeText(onOneLine(title))))
}
