/** The documentations of one project: its generator builds one in each language and version. */
import { canonicalTag } from '../../languages/language-tag.ts'
import { isBelow, lastSegment, pathBelow } from '../../text/file-paths.ts'
import type { SourceFiles } from '../converted.ts'
import { inFolder, isProjectPage } from './project.ts'

/** One documentation of a project that has several. */
export interface ProjectTree {
  /** The folder of its pages, by which an import chooses it; empty for the top. */
  folder: string
  /** Its language, as the project writes it, such as `zh-Hans`; absent if the project has only one. */
  language?: string | undefined
  /** The name of its version, such as `2.x`; absent if the project has only one. */
  version?: string | undefined
  /** The path below which the site of the project has its pages, such as `de/docs/1.0`. */
  base: string
  /** Whether the site of the project begins with it. */
  isFront: boolean
  /** Whether an import takes it that chooses no other. */
  isMain: boolean
  /** The folder whose pages it shows where it has none, because they are not translated. */
  behind?: string | undefined
  /**
   * The number of its pages, if they have the language in their names and lie beside those of the main tree. Its folder is
   * then only its name, and not in the archive.
   */
  named?: number
}

/** The most languages, and the most versions of each, that a project has. */
export const MOST_TREES = 100

/** The tree of a project in a folder; without a folder, the one that an import takes. */
export const treeWith = <T extends ProjectTree>(trees: readonly T[], folder: string | undefined) =>
  trees.find((tree) => (folder === undefined ? tree.isMain : tree.folder === folder))

/** The folders of other trees in that of a tree, whose pages are not its pages. */
export const foldersOfOthers = (trees: readonly ProjectTree[], { folder }: ProjectTree): string[] =>
  trees.map((tree) => tree.folder).filter((other) => other !== folder && isBelow(other, folder))

/**
 * The files of a project, with those that a tree takes over from the folder behind it: pages and pictures that have no
 * counterpart in the tree.
 * @param left folders in the one behind whose files are not taken over
 */
export function withPagesBehind(
  files: SourceFiles,
  { folder, behind }: Pick<ProjectTree, 'folder' | 'behind'>,
  left: readonly string[] = [],
): SourceFiles {
  if (behind === undefined) return files
  const known = new Set([...files.keys()].filter((path) => isBelow(path, folder)).map(counterpart))
  const taken: [string, Uint8Array][] = []
  for (const [path, bytes] of files) {
    if (!isBelow(path, behind) || isBelow(path, folder) || left.some((one) => isBelow(path, one))) continue
    const own = inFolder(folder, pathBelow(path, behind))
    if (!known.has(counterpart(own))) taken.push([own, bytes])
  }
  return new Map([...files, ...taken])
}

/** The name by which a page and its translation are one: the path, without the extension of a page. */
const counterpart = (path: string) => path.replace(/\.(?:mdx?|markdown)$/i, '.md')

/** Whether a folder is named after a language: `de`, `zh-Hans` or `pt_BR`. */
export const isLanguageName = (name: string): boolean =>
  /^[a-z]{2,3}(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/i.test(name) && canonicalTag(name) !== undefined

/** The folders in a folder that are named after languages and have pages. */
export function languageFolders(files: SourceFiles, root: string): string[] {
  const found = new Set<string>()
  for (const path of files.keys()) {
    if (!isProjectPage(path) || !isBelow(path, root)) continue
    const [name = '', ...inside] = pathBelow(path, root).split('/')
    if (inside.length > 0 && isLanguageName(name)) found.add(inFolder(root, name))
  }
  return [...found].toSorted().slice(0, MOST_TREES)
}

/** The trees of a project that has a folder for each language: `content/en`, which comes first, and `content/de`. */
export function treesInLanguageFolders(files: SourceFiles, root: string): ProjectTree[] {
  const folders = languageFolders(files, root)
  const isWhole = files.keys().every((path) => {
    const isPage = isProjectPage(path) && isBelow(path, root)
    return !isPage || folders.some((folder) => isBelow(path, folder))
  })
  if (folders.length < 2 || !isWhole) return []
  const first = folders.find((folder) => /^en(?:[-_]|$)/i.test(lastSegment(folder))) ?? folders[0]
  return folders.map((folder) => ({
    folder,
    language: lastSegment(folder),
    base: lastSegment(folder),
    isFront: folder === first,
    isMain: folder === first,
  }))
}
