/** The parts of an archive that hold pages, but are not those that an import has chosen. */
import { projectFiles } from '../core/repository/project-files.ts'
import type { Problem } from '../core/repository/model.ts'
import type { SourceFiles } from '../core/sources/converted.ts'
import { folderOf, isBelow, isLeftAlone, lastSegment } from '../core/text/file-paths.ts'

/** Folders that hold a tree for each language or version. */
const TREES = /^((?:.{0,300}\/)?(?:i18n|versioned_docs|[^/]{1,80}_versioned_docs)\/[^/]+)\//

/**
 * Lists the folders with pages outside of the folder that was imported, each once with the number of its pages.
 * @param root the folder that was imported; nothing is outside of the top
 */
export function outsideTrees(files: SourceFiles, root: string): Problem[] {
  if (root === '') return []
  const paths = [...files.keys()]
  const { hidden } = projectFiles(paths, '')
  const isAbout = (path: string) =>
    hidden.has(path) || (folderOf(path) === '' && /^readme\./i.test(lastSegment(path)))
  const pages = paths.filter(
    (path) =>
      /\.(?:mdx?|markdown)$/i.test(path) && !isBelow(path, root) && !isLeftAlone(path) && !isAbout(path),
  )
  const trees = Map.groupBy(pages, (path) => TREES.exec(path)?.[1] ?? path.split('/', 1)[0] ?? '')
  return [...trees].map(([folder, { length }]) => {
    const count = `${length} Markdown ${length === 1 ? 'file' : 'files'}`
    const message = `is outside of "${root}" and not imported: ${count}. Import it with the root "${folder}"`
    const isFile = files.has(folder)
    return {
      kind: 'unlisted-page',
      path: folder,
      message: isFile ? `is outside of "${root}" and not imported` : message,
    }
  })
}
