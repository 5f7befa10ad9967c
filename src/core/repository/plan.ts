import { because } from '../languages/reasons.ts'
import { append } from '../data/lists.ts'
import type { Repository } from './addresses.ts'
import { readConfiguration, readVariables } from './configuration.ts'
import type { Configuration } from './configuration.ts'
import { locateEntry, readContents } from './contents.ts'
import { planFiles } from './files.ts'
import { openLibrary } from './library.ts'
import { repositoryLimits } from './model.ts'
import type { ImportPlan, PageReading, Problem, ReadPage } from './model.ts'
import { planPages } from './pages.ts'
import { isBelow, isHidden, isMarkdown, joinPath } from '../text/file-paths.ts'
import { planRedirects } from './redirects.ts'
import { planReusables } from './reusables.ts'
import { ImportRefused } from './refused.ts'
import { decodeText } from './decode-text.ts'
import { repositoryYamlProblem } from './yaml.ts'

/**
 * Plans the import of a documentation repository. Paths are relative, with `/`, in Unicode NFC. Faults in single files
 * are listed in `problems`.
 *
 * Markdown files that the table of contents does not list are not imported, as authors expect. They are listed in
 * `leftOut`. Other files are imported if they are in `.gitbook/assets` or if an imported page refers to them.
 * @param folder the folder of the documentation, which has its settings: the whole repository, or a part of a monorepo
 * @throws ImportRefused if a page is not text or is larger than a page may be, if a settings file is not plain YAML, or if the page tree is too deep
 * or too large
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
  const library = openLibrary(files, read, problems)

  const contents = readContents(repository, configuration, problems)
  const tree = await planPages(contents.entries, {
    root,
    contents: contents.path,
    lines: contents.lines,
    locate: (path) => locateEntry(repository, contents, path),
    open: (path) => library.open(path),
    problems,
  })
  const reusableContents = await planReusables(repository, tree, library)
  library.refuseUnreadable()

  const { files: planned, missing } = planFiles(repository, tree, reusableContents, problems)
  const importedResources = tree.count - tree.missing + planned.length + reusableContents.length

  return {
    root,
    tree: contents.tree,
    pages: tree.pages,
    lines: tree.lines,
    files: planned,
    reusableContents,
    variables: openVariables(files, root, problems),
    redirects: planRedirects(repository, configuration, tree, { path: settingsIn(folder), problems }),
    problems,
    leftOut: leftOut(repository, [
      contents.path,
      ...tree.documents.keys(),
      ...reusableContents.map((r) => r.path),
    ]),
    totalResources: importedResources + tree.missing + missing,
    importedResources,
  }
}

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
    configuration.problems.map((message) => ({ kind: 'setting' as const, path, message })),
  )

  return configuration
}

function openVariables(files: ReadonlyMap<string, Uint8Array>, root: string, problems: Problem[]) {
  const path = joinPath(root, '.gitbook/vars.yaml') ?? ''
  const { variables, problems: faults } = readVariables(openSetting(files, path, problems))
  append(
    problems,
    faults.map((message) => ({ kind: 'setting' as const, path, message })),
  )

  return variables
}

function openSetting(files: ReadonlyMap<string, Uint8Array>, path: string, problems: Problem[]) {
  const bytes = files.get(path)
  if (!bytes) return undefined
  const text = bytes.length > repositoryLimits.configurationBytes ? undefined : decodeText(bytes)
  if (text === undefined)
    problems.push({ kind: 'setting', path, message: 'is not UTF-8 text of at most 1 MB' })
  const refused = text && repositoryYamlProblem(text)
  if (refused) throw new ImportRefused(because('import-file-fault', { path, cause: refused }), path)

  return text
}
