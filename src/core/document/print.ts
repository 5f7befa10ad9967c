import { printFrontMatter } from './front-matter.ts'
import { printBlocks } from './markdown/print-blocks.ts'
import { escapeLastSigns, escapeText, keepEdges } from './markdown/escape.ts'
import { printInline } from './markdown/print-inline.ts'
import { printList } from './markdown/print-list.ts'
import { printHtmlTable } from './markdown/print-table.ts'
import type { Printing } from './markdown/print-line.ts'
import type { Block, Document, PageMeta } from './model.ts'
import { onOneLine } from '../trimming.ts'

/**
 * A document as Markdown, with its footnotes at the end and a line break behind them unless it is empty. Reading it
 * gives the document back, with new identifiers: keys, computed anchors, names of table columns and records.
 * @param firstLabel the label of its first footnote; those that follow count on
 */
export function printDocument(document: Document, firstLabel = 1): string {
  const printing = newPrinting(firstLabel)
  const parts = [printBlocks(document.nodes, printing)]
  for (const { text } of printFootnotes(printing)) parts.push(text)
  const printed = parts.filter((part) => part !== '').join('\n\n')
  return printed === '' ? '' : `${printed}\n`
}

/** A block as Markdown, and the definitions of its footnotes. */
export interface PrintedBlock {
  text: string
  footnotes: { label: string; text: string }[]
}

/**
 * A block by itself, to stand among others.
 * @param options.firstLabel the label of its first footnote; those that follow count on
 * @param options.other whether a list has the second sign of its kind, which keeps it apart from a list before it
 */
export function printAlone(block: Block, options: { firstLabel: number; other: boolean }): PrintedBlock {
  const printing = newPrinting(options.firstLabel)
  const text =
    block.type === 'list-unordered' || block.type === 'list-ordered' || block.type === 'list-tasks'
      ? printList(block, printing, options.other)
      : printBlocks([block], printing)
  return { text, footnotes: [...printFootnotes(printing)] }
}

function newPrinting(firstLabel: number): Printing {
  return {
    footnotes: [],
    label: (count) => String(count + firstLabel),
    printInline,
    printList,
    printHtmlTable,
  }
}

/** A footnote may hold others, which are printed behind it. */
function* printFootnotes(printing: Printing): Generator<{ label: string; text: string }> {
  for (const { label, blocks } of printing.footnotes) {
    const text = printBlocks(blocks, printing)
    yield { label, text: `[^${label}]: ${text.replace(/\n(?=[^\n])/g, '\n    ')}` }
  }
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
