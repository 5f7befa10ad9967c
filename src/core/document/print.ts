import { printFrontMatter } from './front-matter.ts'
import { printBlocks } from './markdown/print-blocks.ts'
import { escapeText, keepEdges } from './markdown/escape.ts'
import type { Printing } from './markdown/print-line.ts'
import type { Block, Document, PageMeta } from './model.ts'

/**
 * A document as Markdown, ending in a line break unless it is empty. Reading it gives the document back, with
 * identifiers (keys, anchors that were computed, names of table columns and records) made anew.
 */
export function printDocument(document: Document): string {
  const printed = printNodes(document.nodes)
  return printed === '' ? '' : `${printed}\n`
}

/**
 * Blocks as Markdown without a line break at the end, to stand among others. Their footnotes follow them;
 * `taken` are labels that the page has already.
 */
export function printNodes(blocks: readonly Block[], taken: ReadonlySet<string> = new Set()): string {
  const labels = freeLabels(taken)
  const printing: Printing = { footnotes: [], label: labels }
  const body = printBlocks(blocks, printing)

  const notes: string[] = []
  for (let index = 0; index < printing.footnotes.length; index += 1) {
    const { label, blocks: inside } = printing.footnotes[index] as Printing['footnotes'][number]
    const text = printBlocks(inside, printing)
    notes.push(`[^${label}]: ${text.replace(/\n(?=[^\n])/g, '\n    ')}`)
  }
  return [body, ...notes].filter((part) => part !== '').join('\n\n')
}

/** A page as Markdown: front matter, title, body. */
export function printPage(page: { title?: string; meta?: PageMeta; document: Document }): string {
  const body = printDocument(page.document)
  const title = page.title === undefined ? '' : `# ${printTitle(page.title)}\n`
  return [printFrontMatter(page.meta ?? {}), title, body].filter((part) => part !== '').join('\n')
}

/** A page's title as the text of its heading. */
export function printTitle(title: string): string {
  const escaped = keepEdges(escapeText(title.replace(/\s*[\r\n]\s*/g, ' ')))
  return escaped.replace(/#+$/, (signs) => signs.replaceAll('#', '\\#'))
}

function freeLabels(taken: ReadonlySet<string>): (count: number) => string {
  let last = 0
  return () => {
    do last += 1
    while (taken.has(String(last)))
    return String(last)
  }
}
