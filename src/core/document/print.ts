import { printFrontMatter } from './front-matter.ts'
import { printBlocks } from './markdown/print-blocks.ts'
import { escapeLastSigns, escapeText, keepEdges } from './markdown/escape.ts'
import { printInline } from './markdown/print-inline.ts'
import { printList } from './markdown/print-list.ts'
import { printHtmlTable } from './markdown/print-table.ts'
import type { Printing } from './markdown/print-line.ts'
import type { Document, PageMeta } from './model.ts'
import { onOneLine } from '../trimming.ts'

/**
 * A document as Markdown, with its footnotes at the end and a line break behind them unless it is empty. Reading it
 * gives the document back, with new identifiers: keys, computed anchors, names of table columns and records.
 */
export function printDocument(document: Document): string {
  const printing: Printing = {
    footnotes: [],
    label: (count) => String(count + 1),
    printInline,
    printList,
    printHtmlTable,
  }
  const parts = [printBlocks(document.nodes, printing)]

  // A footnote may hold others, which are printed behind it.
  for (const { label, blocks } of printing.footnotes) {
    const text = printBlocks(blocks, printing)
    parts.push(`[^${label}]: ${text.replace(/\n(?=[^\n])/g, '\n    ')}`)
  }
  const printed = parts.filter((part) => part !== '').join('\n\n')
  return printed === '' ? '' : `${printed}\n`
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
