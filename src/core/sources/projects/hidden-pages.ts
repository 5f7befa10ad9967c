/** Pages that a generator builds without listing them: they keep their address, and no navigation shows them. */
import { need } from '../../data/lists.ts'
import { decodeText } from '../../repository/decode-text.ts'
import { bytesOf, type ConvertedSource, type SourceFiles } from '../converted.ts'
import { type ListedPage, titlesInTree } from '../page-list.ts'
import { headLines } from './addresses.ts'
import { listedPage } from './mdx-project.ts'

/** The pages of a project that its tree does not list, for the end of the tree. */
export function unlistedPages(
  files: SourceFiles,
  tree: readonly ListedPage[],
  paths: Iterable<string>,
): ListedPage[] {
  const listed = titlesInTree(tree)
  return [...paths].filter((path) => !listed.has(path)).map((path) => listedPage(files, path))
}

/** Hides pages of a project that is converted. */
export function hidePages({ files }: ConvertedSource, pages: readonly ListedPage[]): void {
  for (const { file } of pages) {
    if (file === undefined) continue
    const written = file.replace(/\.mdx$/i, '.md')
    const text = decodeText(need(files, written)) ?? ''
    const head = headLines(text)
    if (/^hidden:/m.test(head)) continue
    const rest = text.slice(head.length)
    const fields = head === '' ? '---\nhidden: true\n---\n\n' : head.replace('---\n', '---\nhidden: true\n')
    files.set(written, bytesOf(fields + rest))
  }
}
