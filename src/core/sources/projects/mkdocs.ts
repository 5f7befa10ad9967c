/** Projects of MkDocs. */
import { isRecord } from '../../data/is-record.ts'
import { faultParameters, type WithReason } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'
import { decodeText } from '../../repository/decode-text.ts'
import { ImportRefused } from '../../repository/refused.ts'
import { readRepositoryYaml } from '../../repository/yaml.ts'
import { isBelow, isWebAddress, joinPath, pathBelow, titleOfName } from '../../text/file-paths.ts'
import { withoutSlashes } from '../../text/trimming.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { indentedBlocks } from '../markdown/admonitions.ts'
import { dialectLines, type DialectLine, mapOutsideCode } from '../markdown/dialect.ts'
import { fencesIn, printFences } from '../markdown/fences.ts'
import { type IncludedFiles, withSnippets } from '../markdown/snippets.ts'
import type { ListedPage } from '../page-list.ts'
import { bareAddress, pageBeginning } from './addresses.ts'
import { pathMatcher } from './globs.ts'
import { hidePages, unlistedPages } from './hidden-pages.ts'
import {
  convertProject,
  foldersWithPages,
  inFolder,
  isProjectPage,
  settingsFolder,
  pageTitleIn,
  bareName,
} from './project.ts'
import { filesInLanguage, pagesByLanguage, type PlacedFiles } from './named-languages.ts'
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
 * The documentations of a project of MkDocs: one for each language of the plug-in `i18n` that has its folder, or has pages
 * with its name, such as `install.de.md`. Where a translation has no page, it shows that of the default language.
 */
export function mkDocsTrees(source: SourceFiles): ProjectTree[] {
  const files = withoutSingleFolder(source)
  return settingsFolder(files, /^mkdocs\.ya?ml$/) === undefined ? [] : treesOfSite(files, projectIn(files))
}

/** The languages of the plug-in `i18n`. */
interface MkDocsLanguages {
  languages: { locale: string; options: Record<string, unknown> }[]
  /** The locale of the default language. */
  main: string
  /** Whether the languages are in the names of files. */
  isInNames: boolean
  hasFallback: boolean
}

/** The languages of the settings; undefined without the plug-in. */
function languagesOf({ plugins }: Record<string, unknown>): MkDocsLanguages | undefined {
  const i18n = pluginOptions(plugins, 'i18n')
  const { languages: given, docs_structure: structure } = i18n
  // Earlier versions of the plug-in have a name or settings by the locale.
  const listed = Array.isArray(given)
    ? given.filter(isRecord)
    : Object.entries(isRecord(given) ? given : {}).map(([locale, one]) => ({
        ...(isRecord(one) ? one : {}),
        locale,
        default: locale === i18n.default_language,
      }))
  const languages = listed.slice(0, MOST_TREES).flatMap((options: Record<string, unknown>) => {
    const { locale } = options
    return typeof locale === 'string' && locale !== '' ? [{ locale, options }] : []
  })
  const main = languages.find(({ options }) => options.default === true) ?? languages[0]
  if (main === undefined) return undefined
  const hasFallback = i18n.fallback_to_default !== false
  return { languages, main: main.locale, isInNames: structure !== 'folder', hasFallback }
}

/** The options of a plug-in, which are absent if only its name is listed. */
function pluginOptions(plugins: unknown, name: string): Record<string, unknown> {
  const listed: unknown[] = Array.isArray(plugins) ? plugins : [plugins]
  return listed.flatMap((one) => (isRecord(one) && isRecord(one[name]) ? [one[name]] : []))[0] ?? {}
}

function treesOfSite(files: SourceFiles, { settings, root }: MkDocsProject): MkDocsTree[] {
  const found = languagesOf(settings)
  if (found === undefined) return []
  const { languages, main, isInNames, hasFallback } = found
  const folders = foldersWithPages(files)
  const pages = isInNames ? pagesByLanguage(files, root, namesIn(found)) : undefined
  const mainFolder = isInNames ? root : (joinPath(root, main) ?? root)
  const trees = languages.flatMap(({ locale, options }): MkDocsTree[] => {
    const isMain = locale === main
    const own = joinPath(root, locale)
    const named = pages?.get(locale)?.length ?? 0
    if (own === undefined || (isInNames ? !isMain && named === 0 : !folders.has(own))) return []
    if (!isMain && options.build === false) return []
    return [
      {
        folder: isMain ? mainFolder : own,
        language: locale,
        base: isMain ? '' : locale,
        isFront: isMain,
        isMain,
        options,
        ...(isMain ? {} : isInNames ? { named } : hasFallback ? { behind: mainFolder } : {}),
      },
    ]
  })
  return trees.length < 2 || !trees.some(({ isMain }) => isMain) ? [] : trees
}

const namesIn = ({ languages }: MkDocsLanguages) => languages.map(({ locale }) => locale)

/** The files of a project as they are in one of its languages. */
function filesOf(given: SourceFiles, project: MkDocsProject, tree: MkDocsTree | undefined): PlacedFiles {
  const found = languagesOf(project.settings)
  if (found?.isInNames !== true)
    return { files: tree ? withPagesBehind(given, tree) : given, sources: new Map() }
  const { main, hasFallback } = found
  const language = tree?.language ?? main
  return filesInLanguage(given, project.root, { language, main, all: namesIn(found), hasFallback })
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
  const { files, sources } = filesOf(given, project, chosenTree)
  const root = chosenTree?.named === undefined ? (chosenTree?.folder ?? project.root) : project.root
  const { nav = settings.nav, site_name: title, nav_translations: words } = chosenTree?.options ?? {}
  const labels = new Map(Object.entries(isRecord(words) ? words : {}))
  const isLeftOut = ignoredBy(settings.exclude_docs, root, IGNORED)
  const isDraft = ignoredBy(settings.draft_docs, root)
  const isPage = (path: string) => !isLeftOut(path) && !isDraft(path)
  const listed = Array.isArray(nav) ? navTree(nav, { root, files, labels }, 1) : undefined
  // MkDocs builds pages that its navigation does not list, also those of `not_in_nav`.
  const hidden = listed ? unlistedPages(files, listed, pagesBelow(files, root).filter(isPage)) : []
  const tree = listed && [...listed, ...hidden]
  const base = chosenTree?.base ?? ''
  const hasFolders = settings.use_directory_urls !== false
  const converted = convertProject(files, 'mkdocs', {
    root,
    shared: root === project.root ? [] : [project.root],
    snippets: [
      ...new Set([folder, project.root, root]),
      ...snippetFolders(settings.markdown_extensions, folder),
    ],
    body: mkDocsLines,
    sources,
    isPage,
    addressOf: (path) => joinPath(base, mkDocsAddress(pathBelow(path, root), hasFolders)),
    base,
    site:
      typeof settings.site_url === 'string'
        ? bareAddress(settings.site_url.replace(/^https?:\/\/[^/]*/i, ''))
        : '',
    redirects: redirectMaps(settings, base, hasFolders),
    ...(tree ? { tree } : {}),
    ...(typeof title === 'string' ? { title } : {}),
  })
  hidePages(converted, hidden)
  for (const path of pagesBelow(files, root).filter(isDraft))
    converted.problems.push({ path, ...because('page-is-draft') })
  if (fault === undefined) return converted
  const why = because('contents-not-used', faultParameters(fault))
  const problem = { kind: 'setting' as const, path: inFolder(folder, 'mkdocs.yml'), ...why }
  return { ...converted, problems: [problem, ...converted.problems] }
}

/** Files whose names begin with a dot, and `templates`, are no pages by default. */
const IGNORED = ['.*', '/templates/']

/**
 * A test for the files that patterns name as those of `.gitignore` do, one in each line. The last one that fits counts.
 * @param first patterns before these
 */
function ignoredBy(
  patterns: unknown,
  root: string,
  first: readonly string[] = [],
): (path: string) => boolean {
  const lines = typeof patterns === 'string' ? patterns.split('\n') : []
  const rules = [...first, ...lines.slice(0, MOST_PATTERNS)].flatMap((line) => {
    const pattern = line.trim()
    if (pattern === '' || pattern.startsWith('#')) return []
    const bare = pattern.replace(/^!/, '')
    const isFolder = bare.endsWith('/')
    const name = withoutSlashes(bare)
    // A pattern without a slash inside fits at every depth.
    const start = bare.startsWith('/') || name.includes('/') ? name : `**/${name}`
    const matches = pathMatcher([...(isFolder ? [] : [start]), `${start}/**/*`])
    return [{ isLeftOut: !pattern.startsWith('!'), matches }]
  })
  return (path) =>
    isBelow(path, root) && rules.findLast((rule) => rule.matches(pathBelow(path, root)))?.isLeftOut === true
}

/** The most patterns of a setting. */
const MOST_PATTERNS = 200

const pagesBelow = (files: SourceFiles, root: string) =>
  [...files.keys()].filter((path) => isProjectPage(path) && isBelow(path, root))

/** The address of a page: a folder for each, or `page.html`. */
function mkDocsAddress(path: string, hasFolders: boolean): string {
  const bare = path
    .replace(/\.\w+$/, '')
    .replace(/(?:^|\/)README$/, (name) => name.replace('README', 'index'))
  return hasFolders ? bare.replace(/(?:^|\/)index$/, '') : `${bare}.html`
}

/** The redirects of the plug-in `redirects`, from an old page to a page or a URL. */
function redirectMaps(
  { plugins }: Record<string, unknown>,
  base: string,
  hasFolders: boolean,
): Map<string, string> {
  const maps = pluginOptions(plugins, 'redirects').redirect_maps
  const address = (page: string) => {
    const [path = '', ...anchor] = page.split('#')
    return [joinPath(base, mkDocsAddress(path, hasFolders)) ?? '', ...anchor].join('#')
  }
  return new Map(
    Object.entries(isRecord(maps) ? maps : {}).flatMap(([from, to]): [string, string][] =>
      typeof to === 'string' ? [[address(from), isWebAddress(to) ? to : address(to)]] : [],
    ),
  )
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
  // Patterns of files may begin with the same sign, at the beginning of a line.
  const text = (decodeText(bytes) ?? '').replace(/([:[,-][ \t]{0,9})!!?[\w/:.-]{1,200}/g, '$1')
  const { value, fault } = readRepositoryYaml(text)
  return { settings: fault === undefined && isRecord(value) ? value : {}, fault }
}

/** The most levels of `nav`; the reader of YAML allows no more. */
const DEEPEST_NAV = 16

/** The pages that `nav` names. */
interface NavPages {
  root: string
  files: SourceFiles
  /** The translated titles of entries. */
  labels: ReadonlyMap<string, unknown>
}

function navTree(nav: readonly unknown[], pages: NavPages, depth: number): ListedPage[] {
  if (depth > DEEPEST_NAV) return []
  return nav.flatMap((item): ListedPage[] => {
    if (typeof item === 'string') return pageAt(item, undefined, pages)
    if (!isRecord(item)) return []
    return Object.entries(item).flatMap(([label, target]): ListedPage[] => {
      const translated = pages.labels.get(label)
      const title = typeof translated === 'string' ? translated : label
      if (typeof target === 'string') return pageAt(target, title, pages)
      if (!Array.isArray(target)) return []
      return [{ title, children: navTree(target, pages, depth + 1) }]
    })
  })
}

function pageAt(path: string, title: string | undefined, { root, files }: NavPages): ListedPage[] {
  if (isWebAddress(path)) return [{ title: title ?? path, url: path, children: [] }]
  const file = inFolder(root, path)
  const bytes = files.get(file)
  if (!bytes) return []
  const own = title ?? pageTitleIn(pageBeginning(bytes)) ?? titleOfName(bareName(file))
  return [{ title: own, file, children: [] }]
}
