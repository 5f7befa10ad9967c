/** Projects of MkDocs. */
import { isRecord } from '../../data/is-record.ts'
import { faultParameters, type WithReason } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'
import { decodeText } from '../../repository/decode-text.ts'
import { ImportRefused } from '../../repository/refused.ts'
import { readRepositoryYaml } from '../../repository/yaml.ts'
import { joinPath, titleOfName } from '../../text/file-paths.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { indentedBlocks } from '../markdown/admonitions.ts'
import { dialectLines, type DialectLine, mapOutsideCode } from '../markdown/dialect.ts'
import { fencesIn, printFences } from '../markdown/fences.ts'
import { type IncludedFiles, withSnippets } from '../markdown/snippets.ts'
import type { ListedPage } from '../page-list.ts'
import { pageBeginning } from './addresses.ts'
import {
  convertProject,
  foldersWithPages,
  inFolder,
  settingsFolder,
  pageTitleIn,
  bareName,
} from './project.ts'
import { MOST_TREES, type ProjectTree, treeWith, withPagesBehind } from './project-tree.ts'

/** The settings of a project of MkDocs, and the folder of its pages. */
interface MkDocsProject {
  folder: string
  root: string
  settings: Record<string, unknown>
  fault?: WithReason | undefined
}

function projectIn(files: SourceFiles): MkDocsProject {
  const folder = settingsFolder(files, /^mkdocs\.ya?ml$/) ?? ''
  const { settings, fault } = settingsOf(files, folder)
  const named = typeof settings.docs_dir === 'string' ? settings.docs_dir : 'docs'
  return { folder, root: joinPath(folder, named) ?? inFolder(folder, 'docs'), settings, fault }
}

/** A documentation of a project of MkDocs. */
interface MkDocsTree extends ProjectTree {
  /** The settings of its language. */
  options: Record<string, unknown>
}

/**
 * The documentations of a project of MkDocs: one for each language of the plug-in `i18n`, if each has its folder. Where a
 * translation has no page, it shows that of the default language.
 */
export function mkDocsTrees(source: SourceFiles): ProjectTree[] {
  const files = withoutSingleFolder(source)
  return settingsFolder(files, /^mkdocs\.ya?ml$/) === undefined ? [] : treesOfSite(files, projectIn(files))
}

function treesOfSite(files: SourceFiles, { settings, root }: MkDocsProject): MkDocsTree[] {
  const plugins = Array.isArray(settings.plugins) ? settings.plugins.filter(isRecord) : [settings.plugins]
  const options = plugins.filter(isRecord).map(({ i18n }) => i18n)
  const { docs_structure: structure, languages } = options.find(isRecord) ?? {}
  const listed = Array.isArray(languages) ? languages.filter(isRecord) : []
  if (structure !== 'folder') return []
  const folders = foldersWithPages(files)
  const found = listed.slice(0, MOST_TREES).flatMap((language) => {
    const { locale } = language
    const folder = typeof locale === 'string' ? joinPath(root, locale) : undefined
    if (typeof locale !== 'string' || folder === undefined || !folders.has(folder)) return []
    return [{ language, locale, folder }]
  })
  if (found.length < 2) return []
  const main = found.find(({ language }) => language.default === true) ?? found[0]
  return found.map(({ language, locale, folder }) => ({
    folder,
    language: locale,
    base: folder === main?.folder ? '' : locale,
    isFront: folder === main?.folder,
    isMain: folder === main?.folder,
    options: language,
    ...(main === undefined || folder === main.folder ? {} : { behind: main.folder }),
  }))
}

/**
 * Converts a project of MkDocs, in the order of `nav` in its `mkdocs.yml`.
 * @param chosen the folder of one of its languages; without it, the default one
 */
export function convertMkDocs(source: SourceFiles, _name?: string, chosen?: string): ConvertedSource {
  const given = withoutSingleFolder(source)
  const project = projectIn(given)
  const { folder, settings, fault } = project
  const chosenTree = treeWith(treesOfSite(given, project), chosen)
  const files = chosenTree ? withPagesBehind(given, chosenTree) : given
  const root = chosenTree?.folder ?? project.root
  const { nav = settings.nav, site_name: title } = chosenTree?.options ?? {}
  const tree = Array.isArray(nav) ? navTree(nav, root, files, 1) : undefined
  const converted = convertProject(files, 'mkdocs', {
    root,
    shared: root === project.root ? [] : [project.root],
    snippets: [
      ...new Set([folder, project.root, root]),
      ...snippetFolders(settings.markdown_extensions, folder),
    ],
    body: mkDocsLines,
    ...(tree ? { tree } : {}),
    ...(typeof title === 'string' ? { title } : {}),
  })
  if (fault === undefined) return converted
  const why = because('contents-not-used', faultParameters(fault))
  const problem = { kind: 'setting' as const, path: inFolder(folder, 'mkdocs.yml'), ...why }
  return { ...converted, problems: [problem, ...converted.problems] }
}

function mkDocsLines(text: string, files: IncludedFiles): DialectLine[] {
  const blocks = dialectLines(indentedBlocks(text.split('\n')).join('\n'))
  return printFences(fencesIn(withSnippets(blocks, files))).map(({ text: one, isCode }) => ({
    text: isCode ? one : mapOutsideCode(one, withoutAttributes),
    isCode,
  }))
}

/** The folders of `pymdownx.snippets` in `mkdocs.yml`. */
function snippetFolders(extensions: unknown, folder: string): string[] {
  const settings = Array.isArray(extensions) ? extensions.filter(isRecord) : []
  const paths = settings.flatMap((one) => {
    const options = one['pymdownx.snippets']
    return isRecord(options) ? [options.base_path].flat() : []
  })
  return paths.flatMap((path) => (typeof path === 'string' ? (joinPath(folder, path) ?? []) : []))
}

/** Icons, and lists of attributes after links, pictures and headings: `{ .md-button }`. */
function withoutAttributes(text: string): string {
  return text
    .replace(/:(?:material|octicons|fontawesome|simple)-[\w-]{1,80}:(?:\{[^{}]{0,100}\})?/g, '')
    .replace(/\)\{[:\s]{0,3}[.#\w][^{}]{0,200}\}/g, ')')
    .replace(/^\s{0,40}\{:[^{}]{0,200}\}\s{0,9}$/, '')
}

function settingsOf(
  files: SourceFiles,
  folder: string,
): { settings: Record<string, unknown>; fault?: WithReason | undefined } {
  const bytes = files.get(inFolder(folder, 'mkdocs.yml')) ?? files.get(inFolder(folder, 'mkdocs.yaml'))
  if (!bytes) throw new ImportRefused(because('import-not-mkdocs'))
  // Extensions are often named with tags such as `!!python/name:`, which are not needed here.
  const text = (decodeText(bytes) ?? '').replace(/!!?[\w/:.-]{1,200}/g, '')
  const { value, fault } = readRepositoryYaml(text)
  return { settings: fault === undefined && isRecord(value) ? value : {}, fault }
}

/** The most levels of `nav`; the reader of YAML allows no more. */
const DEEPEST_NAV = 16

function navTree(nav: readonly unknown[], root: string, files: SourceFiles, depth: number): ListedPage[] {
  if (depth > DEEPEST_NAV) return []
  const file = (path: string) => (root === '' ? path : `${root}/${path}`)
  return nav.flatMap((item): ListedPage[] => {
    if (typeof item === 'string') return pageAt(file(item), undefined, files)
    if (!isRecord(item)) return []
    return Object.entries(item).flatMap(([title, target]): ListedPage[] => {
      if (typeof target === 'string') return pageAt(file(target), title, files)
      if (!Array.isArray(target)) return []
      return [{ title, children: navTree(target, root, files, depth + 1) }]
    })
  })
}

function pageAt(file: string, title: string | undefined, files: SourceFiles): ListedPage[] {
  const bytes = files.get(file)
  if (!bytes) return []
  const own = title ?? pageTitleIn(pageBeginning(bytes)) ?? titleOfName(bareName(file))
  return [{ title: own, file, children: [] }]
}
