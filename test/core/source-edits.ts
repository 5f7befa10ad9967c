/** Edits of a source that random histories make, as functions of texts. */
import { frontMatterEnd } from '../../src/core/document/front-matter/front-matter.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { retitle } from '../../src/core/document/splice.ts'

/** Adds or replaces a comment or blank line at the start or the end of the front matter. */
export function commented(source: string, line: string, atStart: boolean): string {
  const match = /^---\n([\s\S]*?)^---\n/m.exec(source)
  if (!match) return source
  const [whole, entries = ''] = match
  const next = atStart
    ? line + entries.replace(/^(?:#.*)?\n/, '')
    : entries.replace(/^(?:#.*)?\n$(?![\s\S])/m, '') + line
  return `---\n${next}---\n${source.slice(whole.length)}`
}

/** Removes the body, and keeps the front matter and the title of the page. */
export function emptied(source: string, title: string): string {
  const said = source.slice(0, frontMatterEnd(source))
  return said === '' ? '' : retitle(said, title)
}

/** Removes one of the blocks. */
export function withoutBlock(source: string, at: number): string {
  const { spans } = parsePage(source)
  const span = spans[at % spans.length]
  if (!span) return source
  return source.slice(0, span.start) + source.slice(span.end).replace(/^\s*\n/, '')
}
