/** The pages of a project of Sphinx that are written in reStructuredText. */
import type { SourceFiles } from '../../../converted.ts'
import { bytesOf } from '../../../converted.ts'
import { pageSource } from '../../addresses.ts'
import { mystOfRst } from './rst.ts'

/** A project whose pages are all MyST. */
export interface RstPages {
  files: SourceFiles
  /** The path in the source of each page that was rewritten. */
  sources: ReadonlyMap<string, string>
  /** The line in the source of each line of such a page, by the path of the page. */
  lines: ReadonlyMap<string, readonly number[]>
}

/**
 * Adds the pages of reStructuredText as MyST, beside their files.
 * @param endings of the names of such pages, such as `.rst`
 * @param more definitions for all pages
 */
export function withRstPages(
  files: SourceFiles,
  isInProject: (path: string) => boolean,
  endings: readonly string[],
  more: string,
): RstPages {
  const added = new Map<string, Uint8Array>()
  const sources = new Map<string, string>()
  const lines = new Map<string, readonly number[]>()
  for (const [path, bytes] of files) {
    const end = endings.find((one) => path.endsWith(one))
    const page = end === undefined ? '' : `${path.slice(0, path.length - end.length)}.md`
    if (end === undefined || files.has(page) || added.has(page) || !isInProject(path)) continue
    const written = mystOfRst(pageSource(bytes) ?? '', more)
    added.set(page, bytesOf(`${written.lines.join('\n')}\n`))
    sources.set(page, path)
    lines.set(page, written.sources)
  }
  return { files: new Map([...files, ...added]), sources, lines }
}
