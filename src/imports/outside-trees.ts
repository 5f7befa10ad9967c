/** The parts of an archive that hold pages, but are not those that an import has chosen. */
import { projectFiles } from '../core/repository/project-files.ts'
import type { Problem } from '../core/repository/model.ts'
import type { SourceFiles } from '../core/sources/converted.ts'
import type { ProjectTree } from '../core/sources/projects/project-tree.ts'
import { folderOf, isBelow, isLeftAlone, lastSegment } from '../core/text/file-paths.ts'

/** Folders that hold a tree for each language or version. */
const TREES = /^((?:.{0,300}\/)?(?:i18n|versioned_docs|[^/]{1,80}_versioned_docs)\/[^/]+)\//

/**
 * Lists the folders with pages outside of what was imported, each once with the number of its pages.
 * @param root the folder that was imported
 * @param trees the documentations of the project; without them, nothing is outside of the top
 */
export function outsideTrees(
  files: SourceFiles,
  root: string,
  trees: readonly ProjectTree[] = [],
): Problem[] {
  const others = trees.filter(({ folder }) => folder !== root && folder !== '')
  if (root === '' && others.length === 0) return []
  const paths = [...files.keys()]
  const { hidden } = projectFiles(paths, '')
  const isAbout = (path: string) =>
    hidden.has(path) || (folderOf(path) === '' && /^readme\./i.test(lastSegment(path)))
  const treeAround = (path: string) => others.find(({ folder }) => isBelow(path, folder))
  const pages = paths.filter(
    (path) =>
      /\.(?:mdx?|markdown)$/i.test(path) &&
      !isLeftAlone(path) &&
      (treeAround(path) ?? (!isBelow(path, root) && !isAbout(path))),
  )
  const folders = Map.groupBy(
    pages,
    (path) => treeAround(path)?.folder ?? TREES.exec(path)?.[1] ?? path.split('/', 1)[0] ?? '',
  )
  return [...folders].map(([folder, { length }]) => {
    const count = `${length} Markdown ${length === 1 ? 'file' : 'files'}`
    const tree = others.find((one) => one.folder === folder)
    const name = tree && describeTree(tree)
    const message = `is outside of "${root}" and not imported: ${count}. Import it with the root "${folder}"`
    const isFile = files.has(folder)
    return {
      kind: 'unlisted-page',
      path: folder,
      message: isFile
        ? `is outside of "${root}" and not imported`
        : name === undefined
          ? message
          : `is ${name} of the documentation, and not imported: ${count}. Import it with the root "${folder}"`,
    }
  })
}

/** What a tree is among those of its project: `the language "de" in version "1.0"`. */
function describeTree({ language, version }: ProjectTree): string {
  const languages = language === undefined ? [] : [`the language "${language}"`]
  const versions = version === undefined ? [] : [`version "${version}"`]
  return [...languages, ...versions].join(' in ')
}
