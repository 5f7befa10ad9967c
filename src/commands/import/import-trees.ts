/** The documentation trees of what `lectern import` imports, and which of them it imports. */
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { LANGUAGES } from '../../core/languages/content-languages.ts'
import { canonicalTag } from '../../core/languages/language-tag.ts'
import { isSettingsFile, titleInSettings } from '../../core/repository/content-title.ts'
import { folderOf, joinPath, lastSegment, titleOfName } from '../../core/text/file-paths.ts'
import { slugify } from '../../core/text/slug.ts'
import { ImportRefused } from '../../core/repository/refused.ts'
import { type DocumentationTree, translationOf, treesOf } from '../../core/repository/trees.ts'
import { canHaveTrees, hasSettingsName, projectTrees } from '../../core/sources/project-trees.ts'
import type { ProjectTree } from '../../core/sources/projects/project-tree.ts'
import { pathsToRecognize, recognizeTool } from '../../core/sources/tools/recognize.ts'
import { readArchive } from '../../imports/archive.ts'
import type { SyncBody } from '../../model/proposals/space-source.ts'
import type { ImportOrigin } from '../git/origin.ts'
import { UsageError } from '../usage.ts'
import { nameInItself, type TreeVariant } from './import-site.ts'
import { printError } from '../print.ts'

/** A tree to import. Without a folder, it is what the server finds. */
export interface ImportTree {
  folder?: string
  /** A code or a tag. */
  language?: string
  /** What it is among the trees of a site; absent for the only one. */
  variant?: TreeVariant
  /** The title of its space if its content has none. */
  title: string
  sync: SyncBody
}

/** The trees to import. */
export interface ChosenTrees {
  trees: ImportTree[]
  /** The title of all of them together, if the settings at the top have one. */
  title?: string
  /** The languages and versions of a project of which only one is imported. */
  others?: string[]
}

/** Asks which trees to import. @returns the answer; undefined without a terminal */
export type AskForTree = (lines: string[]) => Promise<string> | undefined

/**
 * Chooses the trees: the one that `root` names, the only one, or all of them for a site.
 * @throws UsageError that lists the trees if there are several and none is chosen
 */
export async function chooseTrees(
  origin: ImportOrigin,
  {
    root,
    space,
    site,
  }: { root?: string | undefined; space?: string | undefined; site?: boolean | undefined },
  ask: AskForTree = askOnTerminal,
): Promise<ChosenTrees> {
  const { title, sync } = origin
  const { trees, project, settings } = await treesIn(origin)
  if (root !== undefined) {
    const folder = joinPath('', root) ?? root
    const named = project.find((tree) => tree.folder === folder)
    return { trees: [named ? treeOfProject(origin, named, project) : treeAt(origin, folder)] }
  }
  if (project.length > 0) {
    const others = project.filter((tree) => !tree.isMain).map((tree) => tree.folder)
    if (site !== true) return { trees: [{ title, sync }], others }
    if (space !== undefined) throw siteWithSpace()
    // The site begins with the tree with which that of the project begins.
    const ordered = project.toSorted((a, b) => Number(b.isFront) - Number(a.isFront))
    return { trees: ordered.map((tree) => treeOfProject(origin, tree, project)), ...settings }
  }
  if (trees.length <= 1) return { trees: [{ title, sync }] }

  const chosen = site === true ? 'a' : (await answerOf(trees, ask))?.trim().toLowerCase()
  if (chosen === 'a') {
    if (space !== undefined) throw siteWithSpace()
    return { trees: trees.map((tree) => treeAt(origin, tree.folder, tree.language)), ...settings }
  }
  const tree = /^\d{1,5}$/.test(chosen ?? '') ? trees[Number(chosen) - 1] : undefined
  if (tree) return { trees: [treeAt(origin, tree.folder, tree.language)] }
  throw new UsageError(
    `There are ${trees.length} documentation trees: ${listed(trees)}. Import one with --root <folder>, all as one site with --site, or all as one space with --root ''`,
  )
}

const siteWithSpace = () =>
  new UsageError('--site makes a space for each documentation tree; leave out --space')

const NAMED = 20

function listed(trees: readonly DocumentationTree[]): string {
  const named = trees.slice(0, NAMED).map((tree) => `"${tree.folder}" (${filesIn(tree)})`)
  return trees.length > NAMED ? `${named.join(', ')} and ${trees.length - NAMED} more` : named.join(', ')
}

const filesIn = ({ pages }: DocumentationTree) => `${pages} Markdown file${pages === 1 ? '' : 's'}`

function answerOf(trees: readonly DocumentationTree[], ask: AskForTree) {
  return ask([
    `There are ${trees.length} documentation trees:`,
    ...trees.map((tree, i) => `${String(i + 1).padStart(4)}  ${tree.folder} (${filesIn(tree)})`),
  ])
}

function askOnTerminal(lines: string[]): Promise<string> | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  printError(lines.join('\n'))
  return reader
    .question('Import one by its number, or all of them as one site (a)? ')
    .finally(() => reader.close())
}

/** The trees of a file: those of a repository, or those of a project. */
interface FoundTrees {
  trees: DocumentationTree[]
  project: ProjectTree[]
  settings: { title?: string }
}

/** The trees of a file. The server finds those of an address, and refuses several. */
async function treesIn({ source, from }: ImportOrigin): Promise<FoundTrees> {
  const none = { trees: [], project: [], settings: {} }
  if ('url' in from || (source !== 'zip' && !canHaveTrees(source))) return none
  try {
    const files = await readArchive(from.file, undefined, await settingsIn(from.file))
    const tool = source === 'zip' ? recognizeTool(files) : undefined
    const title = titleInSettings(files, '')
    return {
      trees: source !== 'zip' || tool?.isExport ? [] : treesOf(files),
      project: projectTrees(tool?.source ?? source, files),
      settings: title === undefined ? {} : { title },
    }
  } catch (error) {
    // The server refuses the archive too, with its own limits.
    if (error instanceof ImportRefused) return none
    throw error
  }
}

/** Returns which files of an archive decide what its trees are, by the paths of its entries. */
async function settingsIn(file: string): Promise<(path: string) => boolean> {
  const names = await readArchive(file, undefined, () => false)
  const marks = pathsToRecognize([...names.keys()])
  // The names of entries may begin with a folder that the paths do not have.
  const isMark = (path: string) => marks.has(path) || marks.has(path.slice(path.indexOf('/') + 1))
  return (path) => isSettingsFile(path) || hasSettingsName(path) || isMark(path)
}

/** Folders whose names say only that documentation is in them. */
const COMMON =
  /^(?:docs?|documentation|content|contents|src|source|book|guide|guides|pages|translations|i18n)$/i

/** A tree of an origin. */
function treeAt({ title, sync }: ImportOrigin, folder: string, language?: string): ImportTree {
  if (folder === '') return { folder, title, sync }
  const { documentation, tag } = translationOf(folder)
  let named = documentation
  while (COMMON.test(lastSegment(named))) named = folderOf(named)
  return {
    folder,
    ...(language === undefined ? {} : { language: tag ?? language }),
    variant: { documentation, ...(tag === undefined ? {} : { path: tag, name: nameInItself(tag) }) },
    title: named === '' ? title : titleOfName(lastSegment(named)),
    sync: syncIn(sync, folder),
  }
}

/** The source of a tree has its own key, so that a later import finds its space. */
const syncIn = (sync: SyncBody, folder: string): SyncBody => ({
  ...sync,
  key: createHash('sha256').update(`${sync.key}\0tree\0${folder}`).digest('hex'),
  name: `${sync.name}/${folder}`.slice(-200).toWellFormed(),
})

/** A tree of a project. The space of the one that is imported without a choice is that of the origin. */
function treeOfProject(
  { title, sync }: ImportOrigin,
  tree: ProjectTree,
  all: readonly ProjectTree[],
): ImportTree {
  const { folder, isMain, isFront, base } = tree
  const language = tree.language === undefined ? undefined : canonicalTag(tree.language)
  return {
    ...(folder === '' ? {} : { folder }),
    ...(language === undefined
      ? {}
      : { language: LANGUAGES.find((code) => code === language.toLowerCase()) ?? language }),
    variant: {
      documentation: '',
      path: slugify(variantPath(tree, all.find((one) => one.isFront)?.language)),
      name: [tree.language && nameInItself(tree.language.replaceAll('_', '-')), tree.version]
        .filter(Boolean)
        .join(', '),
      isFront,
      base,
    },
    title,
    sync: isMain ? sync : syncIn(sync, folder),
  }
}

/**
 * The path of a tree of a project among its variants. With the one that it had on the site of the project, its addresses stay
 * as they are.
 * @param main the language with which the site begins, whose versions need not name it
 */
function variantPath({ base, isFront, language, version }: ProjectTree, main: string | undefined): string {
  if (!isFront && base !== '' && !base.includes('/')) return base
  if (version !== undefined && language === main) return version
  return [language?.toLowerCase().replaceAll('_', '-'), version].filter(Boolean).join('-')
}
