/** Projects of VitePress. */
import { isRecord } from '../../data/is-record.ts'
import { append } from '../../data/lists.ts'
import { because } from '../../languages/reasons.ts'
import type { Problem } from '../../repository/model.ts'
import { isBelow, joinPath, lastSegment, pathBelow } from '../../text/file-paths.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { type ListedPage, titlesInTree } from '../page-list.ts'
import { withoutSlashes } from '../../text/trimming.ts'
import { pathMatcher, patternBelow } from './globs.ts'
import { hidePages, unlistedPages } from './hidden-pages.ts'
import { rewrittenFiles } from './vitepress-rewrites.ts'
import { sidebarTree } from './vitepress-sidebar.ts'
import { LiteralCall, unwrapped } from '../literals.ts'
import { dialectLines, type DialectLine } from '../markdown/dialect.ts'
import { codeGroups, fencesIn, printFences } from '../markdown/fences.ts'
import { type IncludedFiles, withSnippets } from '../markdown/snippets.ts'
import { colonLines } from './colon-lines.ts'
import { firstFile, listedPage, settingsText, settingsValue } from './mdx-project.ts'
import { convertProject, foldersWithPages, hasPages, inFolder, isProjectPage } from './project.ts'
import { foldersOfOthers, languageFolders, MOST_TREES, type ProjectTree, treeWith } from './project-tree.ts'

const CONFIG = /^config\.[cm]?[jt]s$/

/** The settings of a project of VitePress, and the folder of its pages. */
interface VitePressProject {
  settings: Record<string, unknown>
  root: string
  /** The folder that is the top of the site. */
  top: string
  /** Its files, with its pages at the paths of the site. */
  files: SourceFiles
  sources: ReadonlyMap<string, string>
  /** Whether the settings exclude a page. */
  isExcluded(path: string): boolean
  problems: Problem[]
}

function projectIn(files: SourceFiles): VitePressProject {
  const config = [...files.keys()].find((path) => /(?:^|\/)\.vitepress\//.test(path)) ?? ''
  const top = config.slice(0, Math.max(0, config.indexOf('.vitepress/') - 1))
  const path = firstFile(files, inFolder(top, '.vitepress'), CONFIG) ?? ''
  const value = unwrapped(settingsValue(files, path))
  const settings = isRecord(value) ? value : {}
  const named = typeof settings.srcDir === 'string' ? joinPath(top, settings.srcDir) : undefined
  const root = named !== undefined && hasPages(files, named) ? named : top
  const problems: Problem[] = []
  const isExcluded = excludedBy(settings, root, { path, problems })
  const placed = rewrittenFiles(files, root, settings, { path, problems, isExcluded })
  return {
    settings,
    top,
    root,
    ...placed,
    isExcluded: (page) => isExcluded(placed.sources.get(page) ?? page),
    problems,
  }
}

/** A test for the pages that `srcExclude` names by patterns from the folder of the pages. */
function excludedBy(
  settings: Record<string, unknown>,
  root: string,
  { path, problems }: { path: string; problems: Problem[] },
): (page: string) => boolean {
  if (!Object.hasOwn(settings, 'srcExclude')) return () => false
  const patterns = [settings.srcExclude].flat()
  const known = patterns.filter((one) => typeof one === 'string')
  if (known.length < patterns.length)
    problems.push({ kind: 'setting', path, ...because('setting-not-understood', { name: 'srcExclude' }) })
  return pathMatcher(known.flatMap((pattern) => patternBelow(root, pattern) ?? []))
}

/** The documentations of a project of VitePress: that at the top, and the one in the folder of each of its `locales`. */
export function vitePressTrees(source: SourceFiles): ProjectTree[] {
  return treesOfSite(projectIn(withoutSingleFolder(source)))
}

function treesOfSite({ files, settings, root, top, isExcluded }: VitePressProject): ProjectTree[] {
  const locales = localesIn(files, settings, root, top)
  const folders = foldersWithPages(files)
  const others = Object.entries(locales)
    .slice(0, MOST_TREES)
    .flatMap(([key, locale]): ProjectTree[] => {
      const folder = inFolder(root, key)
      if (key === 'root' || !folders.has(folder)) return []
      return [{ folder, language: languageIn(locale) ?? key, base: key, isFront: false, isMain: false }]
    })
  if (others.length === 0) return []
  const language = languageIn(locales.root) ?? languageIn(settings) ?? 'en'
  const rest = new Set<string>()
  for (const path of files.keys())
    if (
      isProjectPage(path) &&
      isBelow(path, root) &&
      !isExcluded(path) &&
      !others.some(({ folder }) => isBelow(path, folder))
    )
      rest.add(/^[^/]+(?=\/)/.exec(pathBelow(path, root))?.[0] ?? '')
  // Without pages at the top, the site begins with its first language.
  if (rest.size === 0)
    return others.map((tree, index) => ({ ...tree, isFront: index === 0, isMain: index === 0 }))
  // The pages of the root language may be in a folder too, from which settings such as `rewrites` take them to the top.
  const folder =
    languageFolders(files, root).find((one) => rest.size === 1 && rest.has(lastSegment(one))) ?? root
  return [{ folder, language, base: '', isFront: true, isMain: true }, ...others]
}

/** The locales of the settings by the names of their folders. What the settings import is known only by the folders. */
function localesIn(
  files: SourceFiles,
  { locales }: Record<string, unknown>,
  root: string,
  top: string,
): Record<string, unknown> {
  if (isRecord(locales) && !(locales instanceof LiteralCall)) return locales
  const settings = inFolder(top, '.vitepress/config')
  const names = [...files.keys()].filter((path) => path.startsWith(settings))
  const hasLocales = names.some((path) => /\blocales\b/.test(settingsText(files, path) ?? ''))
  if (!hasLocales) return {}
  return Object.fromEntries(languageFolders(files, root).map((folder) => [lastSegment(folder), {}]))
}

function languageIn(locale: unknown): string | undefined {
  return isRecord(locale) && typeof locale.lang === 'string' ? locale.lang : undefined
}

/**
 * Converts a project of VitePress.
 * @param chosen the folder of one of its languages; without it, the one at the top
 */
export function convertVitePress(source: SourceFiles, _name?: string, chosen?: string): ConvertedSource {
  const project = projectIn(withoutSingleFolder(source))
  const trees = treesOfSite(project)
  const tree = treeWith(trees, chosen)
  const { settings, top, files, sources, isExcluded } = project
  const root = tree?.folder ?? project.root
  const others = tree ? foldersOfOthers(trees, tree) : []
  const locale = isRecord(settings.locales)
    ? settings.locales[tree?.base === '' ? 'root' : lastSegment(root)]
    : undefined
  const from = { files, root: project.root, within: root }
  const listed = sidebarTree(locale, from) ?? sidebarTree(settings, from)
  const isPage = (path: string) => !isExcluded(path) && !others.some((folder) => isBelow(path, folder))
  const { tree: pages, hidden } = listed ? wholeTree(listed, { files, root, isPage }) : { hidden: [] }
  const base = typeof settings.base === 'string' ? withoutSlashes(settings.base) : ''
  const siteBase = joinPath(base, tree?.base ?? '') ?? ''
  const titles = [isRecord(locale) ? locale.title : undefined, settings.title]
  const converted = convertProject(files, 'vitepress', {
    root,
    shared: [...new Set([project.root, top])].flatMap((folder) => [inFolder(folder, 'public'), folder]),
    snippets: [...new Set([root, project.root, ''])],
    body: vitePressLines,
    title: titles.find((title) => typeof title === 'string'),
    isPage,
    sources,
    ...(pages ? { tree: pages } : {}),
    base: siteBase,
    ...(siteBase === ''
      ? {}
      : {
          addressOf: (path) =>
            joinPath(siteBase, pathBelow(path, root).replace(/(?:(?:^|\/)index)?\.md$/i, '')),
        }),
  })
  hidePages(converted, hidden)
  append(converted.problems, project.problems)
  return converted
}

/** The tree of the sidebars with the front page before it, and with the pages that it does not list, which are hidden. */
function wholeTree(
  listed: ListedPage[],
  { files, root, isPage }: { files: SourceFiles; root: string; isPage(path: string): boolean },
): { tree?: ListedPage[]; hidden: ListedPage[] } {
  const front = inFolder(root, 'index.md')
  const known = titlesInTree(listed)
  const tree = files.has(front) && !known.has(front) ? [listedPage(files, front), ...listed] : listed
  const paths = [...files.keys()].filter((path) => {
    const inRoot = isBelow(path, root) ? pathBelow(path, root) : ''
    return isProjectPage(inRoot) && isPage(path) && !NO_PAGE.test(inRoot)
  })
  const hidden = unlistedPages(files, tree, paths)
  return { tree: [...tree, ...hidden], hidden }
}

/** Files in folders of the tool and its libraries, and pages for addresses that do not exist. */
const NO_PAGE = /(?:^|\/)(?:\.|node_modules\/)|^(?:public\/|404\.md$|readme\.md$)/i

function vitePressLines(text: string, files: IncludedFiles): DialectLine[] {
  const lines = withSnippets(dialectLines(withoutVue(text)), files)
  return colonLines(printFences(codeGroups(fencesIn(lines))))
}

/** Scripts and styles of pages, which VitePress runs, and its mark for a table of contents. */
function withoutVue(text: string): string {
  let inside = ''
  const lines = dialectLines(text).flatMap(({ text: line, isCode }) => {
    if (isCode) return [line]
    const name = /^<(script|style)[\s>]/.exec(line)?.[1]
    if (inside === '' && name !== undefined) inside = name
    if (inside === '') return /^\[\[toc\]\]\s{0,9}$/i.test(line) ? [] : [line]
    if (line.includes(`</${inside}>`)) inside = ''
    return []
  })
  return lines.join('\n')
}
