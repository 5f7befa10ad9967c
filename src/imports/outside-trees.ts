/** The parts of an archive that hold pages, but are not those that an import has chosen. */
import { projectFiles } from '../core/repository/project-files.ts'
import { because } from '../core/languages/reasons.ts'
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
  const named = trees.flatMap((tree): Problem[] => {
    const { folder, named: count } = tree
    if (count === undefined) return []
    return [{ kind: 'unlisted-page', path: folder, ...notImported(tree, { count, folder }) }]
  })
  const others = trees.filter(
    (tree) => tree.named === undefined && tree.folder !== root && tree.folder !== '',
  )
  if (root === '' && others.length === 0) return named
  const paths = [...files.keys()]
  const { hidden } = projectFiles(paths, '')
  const isAbout = (path: string) =>
    hidden.has(path) || (folderOf(path) === '' && /^readme\./i.test(lastSegment(path)))
  const folderOutside = (path: string): string | undefined => {
    if (!/\.(?:mdx?|markdown)$/i.test(path) || isLeftAlone(path)) return undefined
    const tree = others.find(({ folder }) => isBelow(path, folder))
    if (tree) return tree.folder
    if (isBelow(path, root) || isAbout(path)) return undefined
    return TREES.exec(path)?.[1] ?? path.split('/', 1)[0] ?? ''
  }
  const folders = Map.groupBy(paths, folderOutside)
  const outside = [...folders].flatMap(([folder, { length: count }]): Problem[] => {
    if (folder === undefined) return []
    const tree = others.find((one) => one.folder === folder)
    const why = files.has(folder)
      ? because('file-outside-root', { root })
      : tree
        ? notImported(tree, { count, folder })
        : because('folder-outside-root', { root, count, folder })
    return [{ kind: 'unlisted-page', path: folder, ...why }]
  })
  return [...named, ...outside]
}

/** What a tree is among those of its project, and how it is imported. */
function notImported({ language, version }: ProjectTree, about: { count: number; folder: string }) {
  if (language === undefined) return because('version-not-imported', { version: version ?? '', ...about })
  return version === undefined
    ? because('language-not-imported', { language, ...about })
    : because('language-of-version-not-imported', { language, version, ...about })
}
