/** Pages of a source that cannot be converted: the file is kept, and the page has a link to it. */
import { printTitle } from '../document/print.ts'
import { faultParameters } from '../languages/reasoned.ts'
import { because } from '../languages/reasons.ts'
import { ImportRefused } from '../repository/refused.ts'
import { lastSegment } from '../text/file-paths.ts'
import { freeName } from '../text/slug.ts'
import type { ConvertedSource } from './converted.ts'
import type { MarkupElement } from './html/markup.ts'
import { escapeLabel } from './pages-of-document.ts'

/** A page with the file that it is made of. */
interface PageFile {
  /** The path of the file in the source, and that of the page. */
  path: string
  to: string
  title: string
  bytes: Uint8Array
}

/**
 * The text of a page. If its file exceeds a limit, so that it cannot be converted, the text is a link to the file.
 * @param convert throws ImportRefused for such a file
 */
export function convertedOrKept(
  { path, to, title, bytes }: PageFile,
  { files, problems }: ConvertedSource,
  convert: () => string,
): string {
  try {
    return convert()
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error
    const kept = freeName(to.replace(/\.md$/, ''), (name) => files.has(name), { after: '.html' })
    files.set(kept, bytes)
    problems.push({ kind: 'conversion', path, ...because('page-kept-as-file', faultParameters(error)) })
    return `# ${printTitle(title)}\n\n[${escapeLabel(lastSegment(path))}](<${lastSegment(kept)}>)\n`
  }
}

/** What a file has; nothing if it exceeds a limit. @param read throws ImportRefused for such a file */
export function markupOrNothing(read: () => MarkupElement): MarkupElement {
  try {
    return read()
  } catch (error) {
    if (error instanceof ImportRefused) return { name: '', attributes: {}, children: [], holdsBlocks: false }
    throw error
  }
}
