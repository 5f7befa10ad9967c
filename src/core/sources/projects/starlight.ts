/** Projects of Starlight, which is a part of Astro. */
import { isRecord } from '../../data/is-record.ts'
import { folderOf, isBelow, joinPath } from '../../text/file-paths.ts'
import { withoutSlashes } from '../../text/trimming.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { LiteralCall, unwrapped } from '../literals.ts'
import type { ListedPage } from '../page-list.ts'
import type { Head } from './addresses.ts'
import { type FolderTree, folderTree } from './folder-tree.ts'
import { firstFile, listedPage, mdxLines, namedFile, settingsValue } from './mdx-project.ts'
import { convertProject, foldersWithPages, inFolder, settingsFolder } from './project.ts'
import { foldersOfOthers, MOST_TREES, type ProjectTree, treeWith, withPagesBehind } from './project-tree.ts'

const CONFIG = /^astro\.config\.[cm]?[jt]s$/

/** The settings of a project of Starlight, and the folder of its pages. */
interface StarlightProject {
  folder: string
  root: string
  base: string
  redirects: unknown
  /** The options of Starlight itself. */
  options: Record<string, unknown>
}

function projectIn(files: SourceFiles): StarlightProject {
  const folder = settingsFolder(files, CONFIG) ?? ''
  const settings = unwrapped(settingsValue(files, firstFile(files, folder, CONFIG) ?? ''))
  const { integrations, base, redirects } = isRecord(settings) ? settings : {}
  const calls = Array.isArray(integrations) ? integrations.filter((one) => one instanceof LiteralCall) : []
  const [options] = calls.find(({ name }) => name === 'starlight')?.arguments ?? []
  return {
    folder,
    root: inFolder(folder, 'src/content/docs'),
    base: typeof base === 'string' ? withoutSlashes(base) : '',
    redirects,
    options: isRecord(options) ? options : {},
  }
}

/**
 * The documentations of a project of Starlight: one for each of its `locales`, of which `root` is at the top. Where a
 * translation has no page, it shows that of the default language.
 */
export function starlightTrees(source: SourceFiles): ProjectTree[] {
  const files = withoutSingleFolder(source)
  return treesOfSite(files, projectIn(files))
}

function treesOfSite(files: SourceFiles, { root, base, options }: StarlightProject): ProjectTree[] {
  const { locales, defaultLocale } = options
  const entries = Object.entries(isRecord(locales) ? locales : {})
  const folderFor = (key: string) => (key === 'root' ? root : inFolder(root, key))
  const folders = foldersWithPages(files)
  const found = entries.filter(([key]) => folders.has(folderFor(key))).slice(0, MOST_TREES)
  if (found.length < 2) return []
  const main = found.find(([key]) => key === (defaultLocale ?? 'root'))?.[0] ?? found[0]?.[0]
  return found.map(([key, locale]) => ({
    folder: folderFor(key),
    language: isRecord(locale) && typeof locale.lang === 'string' ? locale.lang : key === 'root' ? 'en' : key,
    base: joinPath(base, key === 'root' ? '' : key) ?? '',
    isFront: key === main,
    isMain: key === main,
    ...(main === undefined || key === main ? {} : { behind: folderFor(main) }),
  }))
}

/**
 * Converts a project of Starlight, in the order of `sidebar` in its settings, or else of its folders.
 * @param chosen the folder of one of its languages; without it, the default one
 */
export function convertStarlight(source: SourceFiles, _name?: string, chosen?: string): ConvertedSource {
  const given = withoutSingleFolder(source)
  const project = projectIn(given)
  const { folder, options, redirects } = project
  const trees = treesOfSite(given, project)
  const chosenTree = treeWith(trees, chosen)
  const root = chosenTree?.folder ?? project.root
  const language = chosenTree?.language
  const others = trees.map((one) => one.folder).filter((one) => one !== root && one !== project.root)
  const files = chosenTree ? withPagesBehind(given, chosenTree, others) : given
  const left = chosenTree ? foldersOfOthers(trees, chosenTree) : []
  const isPage = (path: string) => !left.some((other) => isBelow(path, other))
  const { title, sidebar } = options
  const front = namedFile(files, root, '')
  const tree = folderTree(files, root, {
    page(path, { sidebar: own }) {
      if (!isPage(path)) return undefined
      const { label, order } = isRecord(own) ? own : {}
      return {
        title: typeof label === 'string' ? label : undefined,
        position: path === front ? -Infinity : typeof order === 'number' ? order : undefined,
      }
    },
    folder: () => ({}),
    ownFolder: (path) => (/\/index\.\w+$/.test(path) ? folderOf(path) : undefined),
  })
  const listed = Array.isArray(sidebar) ? entriesOfSidebar(sidebar, { files, root, tree, language }, 0) : []
  return convertProject(files, 'starlight', {
    root,
    shared: [...new Set([inFolder(folder, 'public'), project.root])],
    snippets: [folder],
    body: (text, included, { report }) => mdxLines(text, { files: included, report }),
    tree:
      listed.length === 0
        ? tree.pages
        : [...(front === undefined ? [] : [listedPage(files, front)]), ...listed],
    title: titleIn(title, language),
    isPage,
    addressOf: (path, head) => joinPath(project.base, starlightAddress(path, project.root, head)),
    base: chosenTree?.base ?? project.base,
    redirects: redirectsOfAstro(redirects),
  })
}

/** A title is a text, or one for each language. For a language without one, the first counts. */
function titleIn(title: unknown, language: string | undefined): string | undefined {
  if (typeof title === 'string') return title
  if (!isRecord(title)) return undefined
  return [title[language ?? ''], ...Object.values(title)].find((one) => typeof one === 'string')
}

/** The address of a page: its `slug`, or the path of its file in lower case. */
function starlightAddress(path: string, root: string, { slug }: Head): string {
  if (typeof slug === 'string') return slug
  const bare = path
    .slice(root.length + 1)
    .replace(/\.\w+$/, '')
    .replace(/(?:^|\/)index$/, '')
  return bare
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{N}\p{M}/_-]/gu, '')
}

function redirectsOfAstro(redirects: unknown): Map<string, string> {
  const read = new Map<string, string>()
  for (const [from, to] of Object.entries(isRecord(redirects) ? redirects : {})) {
    const target = isRecord(to) ? to.destination : to
    if (typeof target === 'string') read.set(from, target)
  }
  return read
}

interface Sidebar {
  files: SourceFiles
  root: string
  tree: FolderTree
  /** The language of the labels, where entries have several. */
  language: string | undefined
}

const DEEPEST_SIDEBAR = 16

/** The pages of a sidebar: slugs, links to pages, groups, and folders. */
function entriesOfSidebar(items: readonly unknown[], sidebar: Sidebar, depth: number): ListedPage[] {
  if (depth > DEEPEST_SIDEBAR) return []
  return items.flatMap((item): ListedPage[] => {
    const entry = typeof item === 'string' ? { slug: item } : item
    if (!isRecord(entry)) return []
    const title = labelIn(entry, sidebar.language)
    const name = typeof entry.slug === 'string' ? entry.slug : entry.link
    const file = typeof name === 'string' ? namedFile(sidebar.files, sidebar.root, name) : undefined
    if (file !== undefined) return [listedPage(sidebar.files, file, title)]
    const children = isRecord(entry.autogenerate)
      ? pagesOfFolder(sidebar, entry.autogenerate.directory)
      : Array.isArray(entry.items)
        ? entriesOfSidebar(entry.items, sidebar, depth + 1)
        : []
    if (children.length === 0) return []
    return title === undefined ? children : [{ title, children }]
  })
}

/** The label of an entry in a language. A label may be a text for each language, or have `translations`. */
function labelIn({ label, translations }: Record<string, unknown>, language = ''): string | undefined {
  const labels = isRecord(label) ? label : translations
  const translated = isRecord(labels) ? labels[language] : undefined
  return [translated, label].find((one) => typeof one === 'string')
}

function pagesOfFolder({ files, root, tree }: Sidebar, directory: unknown): ListedPage[] {
  const path = typeof directory === 'string' ? joinPath(root, directory) : undefined
  const folder = path === undefined ? undefined : tree.folders.get(path)
  if (!folder) return []
  // The page of the folder is the first page of its group.
  const own = folder.file === undefined ? [] : [listedPage(files, folder.file)]
  return [...own, ...folder.children]
}
