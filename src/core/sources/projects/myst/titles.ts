/** Titles of the blocks that directives of MyST and Sphinx become. */
import type { MystPrinter } from './printer.ts'

/** Text without the marks of Markdown, for the titles of blocks. */
export const plainText = (markdown: string) =>
  markdown
    .replace(/!?\[([^[\]]{0,500})\]\([^()]{0,1000}\)/g, '$1')
    .replace(/<[^<>]{1,200}>/g, '')
    .replace(/[*`]|\\(?=[\p{P}\p{S}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

/** A title of a block, whose roles are text. */
export const titleText = (text: string, line: number, printer: MystPrinter) =>
  plainText(printer.inline(text, line))
