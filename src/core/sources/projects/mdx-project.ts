/** What the generators share whose pages are MDX. */
import { decodeText } from '../../repository/decode-text.ts'
import { titleOfName } from '../../text/file-paths.ts'
import { withoutSlashes } from '../../text/trimming.ts'
import type { SourceFiles } from '../converted.ts'
import { readModule } from '../literals.ts'
import { dialectLines, type DialectLine } from '../markdown/dialect.ts'
import { type MdxSource, mdxMarkdown } from '../mdx/page.ts'
import type { ListedPage } from '../page-list.ts'
import { pageBeginning } from './addresses.ts'
import { colonLines } from './colon-lines.ts'
import { bareName, inFolder, pageTitleIn } from './project.ts'

/** The lines of a page of MDX as Lectern writes them. */
export const mdxLines = (text: string, source: MdxSource): DialectLine[] =>
  colonLines(dialectLines(mdxMarkdown(text, source)))

/** The most bytes of a file of settings. */
const MOST_BYTES = 1_000_000

/** The text of a file of settings; undefined if it does not exist or is too large. */
export function settingsText(files: SourceFiles, path: string): string | undefined {
  const bytes = files.get(path)
  return bytes && bytes.length <= MOST_BYTES ? decodeText(bytes) : undefined
}

/** The value that a file of JSON has, or that a module exports, as far as it is literals. */
export function settingsValue(files: SourceFiles, path: string): unknown {
  const text = settingsText(files, path)
  if (text === undefined) return undefined
  if (!path.endsWith('.json')) return readModule(text)
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

/** The first of some files that exists. */
export const firstFile = (files: SourceFiles, folder: string, name: RegExp): string | undefined =>
  files.keys().find((path) => {
    const start = inFolder(folder, '')
    return path.startsWith(start) && name.test(path.slice(start.length))
  })

const ENDINGS = ['.mdx', '.md', '/index.mdx', '/index.md']

/** The file of a page that a generator names without its extension. */
export function namedFile(files: SourceFiles, root: string, name: string): string | undefined {
  const bare = withoutSlashes(name).replace(/\.mdx?$/, '')
  const path = inFolder(root, bare)
  const forms =
    bare === ''
      ? ['index.mdx', 'index.md'].map((one) => inFolder(root, one))
      : ENDINGS.map((end) => path + end)
  return forms.find((one) => files.has(one))
}

/** A page of the tree, with a title that its entry or the page has. */
export function listedPage(files: SourceFiles, file: string, title?: string): ListedPage {
  const own = title ?? pageTitleIn(pageBeginning(files.get(file)))
  return { title: own ?? titleOfName(bareName(file)), file, children: [] }
}
