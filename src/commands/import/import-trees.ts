/** The documentation trees of what `lectern import` imports, and which of them it imports. */
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { isSettingsFile, titleInSettings } from '../../core/repository/content-title.ts'
import { folderOf, joinPath, lastSegment, titleOfName } from '../../core/text/file-paths.ts'
import { ImportRefused } from '../../core/repository/refused.ts'
import { type DocumentationTree, translationOf, treesOf } from '../../core/repository/trees.ts'
import { recognizeTool } from '../../core/sources/tools/recognize.ts'
import { readArchive } from '../../imports/archive.ts'
import type { SyncBody } from '../../model/proposals/space-source.ts'
import type { ImportOrigin } from '../git/origin.ts'
import { UsageError } from '../usage.ts'
import { printError } from '../print.ts'

/** A tree to import. Without a folder, it is what the server finds. */
export interface ImportTree {
  folder?: string
  language?: string
  /** The title of its space if its content has none. */
  title: string
  sync: SyncBody
}

/** The trees to import. */
export interface ChosenTrees {
  trees: ImportTree[]
  /** The title of all of them together, if the settings at the top have one. */
  title?: string
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
  if (root !== undefined) return { trees: [treeAt(origin, joinPath('', root) ?? root)] }
  const { trees, settings } = await treesIn(origin)
  if (trees.length <= 1) return { trees: [{ title, sync }] }

  const chosen = site === true ? 'a' : (await answerOf(trees, ask))?.trim().toLowerCase()
  if (chosen === 'a') {
    if (space !== undefined)
      throw new UsageError('--site makes a space for each documentation tree; leave out --space')
    return { trees: trees.map((tree) => treeAt(origin, tree.folder, tree.language)), ...settings }
  }
  const tree = /^\d{1,5}$/.test(chosen ?? '') ? trees[Number(chosen) - 1] : undefined
  if (tree) return { trees: [treeAt(origin, tree.folder, tree.language)] }
  throw new UsageError(
    `There are ${trees.length} documentation trees: ${listed(trees)}. Import one with --root <folder>, all as one site with --site, or all as one space with --root ''`,
  )
}

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

/** The trees of a file. The server finds those of an address, and refuses several. */
async function treesIn(
  origin: ImportOrigin,
): Promise<{ trees: DocumentationTree[]; settings: { title?: string } }> {
  if (origin.source !== 'zip' || 'url' in origin.from) return { trees: [], settings: {} }
  try {
    const files = await readArchive(origin.from.file, undefined, isSettingsFile)
    const title = titleInSettings(files, '')
    const trees = recognizeTool(files)?.isExport ? [] : treesOf(files)
    return { trees, settings: title === undefined ? {} : { title } }
  } catch (error) {
    // The server refuses the archive too, with its own limits.
    if (error instanceof ImportRefused) return { trees: [], settings: {} }
    throw error
  }
}

/** Folders whose names say only that documentation is in them. */
const COMMON =
  /^(?:docs?|documentation|content|contents|src|source|book|guide|guides|pages|translations|i18n)$/i

/** A tree of an origin. Its source has its own key, so that a later import finds its space. */
function treeAt({ title, sync }: ImportOrigin, folder: string, language?: string): ImportTree {
  if (folder === '') return { folder, title, sync }
  let named = translationOf(folder).documentation
  while (COMMON.test(lastSegment(named))) named = folderOf(named)
  return {
    folder,
    ...(language === undefined ? {} : { language }),
    title: named === '' ? title : titleOfName(lastSegment(named)),
    sync: {
      ...sync,
      key: createHash('sha256').update(`${sync.key}\0tree\0${folder}`).digest('hex'),
      name: `${sync.name}/${folder}`.slice(-200).toWellFormed(),
    },
  }
}
