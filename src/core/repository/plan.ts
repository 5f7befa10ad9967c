import { append } from '../data/lists.ts'
import type { Repository } from './addresses.ts'
import { arrangeEntries } from './arrange-entries.ts'
import { readConfiguration, readVariables } from './configuration.ts'
import type { Configuration } from './configuration.ts'
import { locateEntry, readContents } from './contents/contents.ts'
import { planFiles } from './files.ts'
import { openLibrary } from './library.ts'
import { divideLongPages } from './long-pages.ts'
import { repositoryLimits } from './model.ts'
import type { ImportPlan, PageReading, Problem, ReadPage } from './model.ts'
import { planPages } from './pages.ts'
import { isBelow, isHidden, isMarkdown, joinPath } from '../text/file-paths.ts'
import { planRedirects } from './redirects.ts'
import { planReusables } from './reusables.ts'
import { decodeText } from './decode-text.ts'
import { faultParameters } from '../languages/reasoned.ts'
import { because } from '../languages/reasons.ts'
import { repositoryYamlProblem } from './yaml.ts'

/**
 * Plans the import of a documentation repository. Paths are relative, with `/`, in Unicode NFC. Faults in single files
 * are listed in `problems`.
 *
 * Markdown files that the table of contents does not list are not imported, as authors expect. They are listed in
 * `leftOut`. Other files are imported if they are in `.gitbook/assets` or if an imported page refers to them.
 * @param folder the folder of the documentation, which has its settings: the whole repository, or a part of a monorepo
 * @throws ImportRefused if a page is not text, or if there is no page or there are too many
 */
export async function planImport<R extends PageReading>(
  files: ReadonlyMap<string, Uint8Array>,
  read: ReadPage<R>,
  folder = '',
): Promise<ImportPlan<R>> {
  const problems: Problem[] = []
  const configuration = openConfiguration(files, folder, problems)
  const { root } = configuration
  const repository: Repository = { files, root }
  const contents = readContents(repository, configuration, problems)
  const isPage = (path: string) => isMarkdown(path) && path !== contents.path
  const long = divideLongPages(files, isPage)
  const library = openLibrary(files, read, { long: long.sources, problems })
  const locate = (path: string) => locateEntry(repository, contents, path)
  const { entries, tooDeep } = arrangeEntries(contents.entries, locate, long)
  if (tooDeep > 0) problems.push(tooDeepProblem(contents.path, tooDeep))
  const tree = await planPages(entries, {
    root,
    contents: contents.path,
    lines: contents.lines,
    locate,
    open: (path) => library.open(path),
    problems,
  })
  const reusableContents = await planReusables(repository, tree, library, { long, problems })
  library.refuseUnreadable()
  const known = [...tree.documents.keys(), ...reusableContents.map((reusable) => reusable.path)]
  append(
    problems,
    known.flatMap((path) => long.pages.get(path)?.problem ?? []),
  )

  const { files: planned, missing } = planFiles(repository, tree, reusableContents, problems)
  const importedResources = tree.count - tree.missing + planned.length + reusableContents.length

  return {
    root,
    tree: contents.tree,
    contents: contents.path,
    pages: tree.pages,
    lines: tree.lines,
    files: planned,
    reusableContents,
    variables: openVariables(files, root, problems),
    redirects: planRedirects(repository, configuration, tree, { path: settingsIn(folder), problems }),
    problems,
    leftOut: leftOut(repository, [contents.path, ...known]),
    totalResources: importedResources + tree.missing + missing,
    importedResources,
  }
}

const tooDeepProblem = (path: string, count: number): Problem => ({
  kind: 'setting',
  path,
  ...because('contents-too-deep', { count, limit: repositoryLimits.depth }),
})

function leftOut({ files, root }: Repository, used: string[]): string[] {
  const known = new Set(used)
  const pages = [...files.keys()].filter((path) => isMarkdown(path) && isBelow(path, root) && !isHidden(path))

  return pages.filter((path) => !known.has(path)).toSorted()
}

const settingsIn = (folder: string) => joinPath(folder, '.gitbook.yaml') ?? ''

function openConfiguration(
  files: ReadonlyMap<string, Uint8Array>,
  folder: string,
  problems: Problem[],
): Configuration {
  const path = settingsIn(folder)
  const configuration = readConfiguration(openSetting(files, path, problems), folder)
  append(
    problems,
    configuration.problems.map((why) => ({ kind: 'setting' as const, path, ...why })),
  )

  return configuration
}

function openVariables(files: ReadonlyMap<string, Uint8Array>, root: string, problems: Problem[]) {
  const path = joinPath(root, '.gitbook/vars.yaml') ?? ''
  const { variables, problems: faults } = readVariables(openSetting(files, path, problems))
  append(
    problems,
    faults.map((fault) => ({ kind: 'setting' as const, path, ...fault })),
  )

  return variables
}

function openSetting(files: ReadonlyMap<string, Uint8Array>, path: string, problems: Problem[]) {
  const bytes = files.get(path)
  if (!bytes) return undefined
  const text = bytes.length > repositoryLimits.configurationBytes ? undefined : decodeText(bytes)
  if (text === undefined)
    problems.push({
      kind: 'setting',
      path,
      ...because('file-not-utf-8', { limit: repositoryLimits.configurationBytes / 1_000_000 }),
    })
  const fault = text && repositoryYamlProblem(text)
  if (!fault) return text
  problems.push({ kind: 'setting', path, ...because('settings-not-used', faultParameters(fault)) })
  return undefined
}
