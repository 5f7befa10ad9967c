/** Projects of Docusaurus. */
import { isRecord } from '../../data/is-record.ts'
import { decodeText } from '../../repository/decode-text.ts'
import { compareNames, folderOf, isBelow, joinPath, lastSegment, pathBelow } from '../../text/file-paths.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { LiteralCall, unwrapped } from '../literals.ts'
import type { ListedPage } from '../page-list.ts'
import { bareAddress, type Head, pageHead } from './addresses.ts'
import { type FolderTree, folderTree, type TreeRules } from './folder-tree.ts'
import { firstFile, listedPage, mdxLines, settingsValue } from './mdx-project.ts'
import {
  isProjectPage,
  convertProject,
  inFolder,
  foldersWithPages,
  hasPages,
  settingsFolder,
  withoutNumber,
} from './project.ts'
import { MOST_TREES, type ProjectTree, treeWith, withPagesBehind } from './project-tree.ts'

const CONFIG = /^docusaurus\.config\.[cm]?[jt]s$/

/** The settings of a project of Docusaurus, and the folder that they are in. */
interface DocusaurusProject {
  folder: string
  settings: Record<string, unknown>
  docs: DocsOptions
  /** The folder of the documentation that is being written. */
  root: string
}

/** A documentation of a project of Docusaurus. */
interface DocusaurusTree extends ProjectTree {
  /** The file of its sidebars, if it is not that of the settings. */
  sidebars?: string | undefined
  /** The file of the translated labels of its sidebars. */
  labels?: string | undefined
}

/** The options of the plugin that has the documentation. */
interface DocsOptions {
  path: string
  base: string
  sidebar: string | undefined
  /** The id of the plugin, if it is not the first one of the site. */
  id: string | undefined
  lastVersion: string | undefined
  versions: Record<string, unknown>
}

/**
 * The documentations of a project of Docusaurus: that in each version of `versions.json`, and its translations in `i18n`.
 * Where a translation has no page, it shows that of the default language.
 */
export function docusaurusTrees(source: SourceFiles): ProjectTree[] {
  const files = withoutSingleFolder(source)
  return treesOfSite(files, projectIn(files))
}

function treesOfSite(files: SourceFiles, project: DocusaurusProject): DocusaurusTree[] {
  const { folder, settings, docs, root } = project
  const folders = foldersWithPages(files)
  const namesIn = (path: string) =>
    [...folders].filter((one) => folderOf(one) === path).map((one) => lastSegment(one))
  const { defaultLocale = 'en', locales } = isRecord(settings.i18n) ? settings.i18n : {}
  const translations = (Array.isArray(locales) ? textsIn(locales) : namesIn(inFolder(folder, 'i18n')))
    .filter((locale) => locale !== defaultLocale)
    .slice(0, MOST_TREES)
  const named = settingsValue(files, inFolder(folder, `${fileStart(docs)}versions.json`))
  const versions = (Array.isArray(named) ? textsIn(named) : versionsIn(namesIn, project))
    .filter((version) => folders.has(versionFolder(project, version)))
    .slice(0, MOST_TREES)
  const last = docs.lastVersion ?? versions[0] ?? CURRENT
  const trees = [CURRENT, ...versions].map((version): DocusaurusTree => {
    const options = docs.versions[version]
    const { label, path } = isRecord(options) ? options : {}
    const standard = version === last ? '' : version === CURRENT ? 'next' : version
    const isCurrent = version === CURRENT
    return {
      folder: isCurrent ? root : versionFolder(project, version),
      base: inFolders([docs.base, typeof path === 'string' ? bareAddress(path) : standard]),
      isFront: version === last,
      isMain: isCurrent,
      ...(translations.length > 0 && typeof defaultLocale === 'string' ? { language: defaultLocale } : {}),
      ...(versions.length > 0
        ? { version: typeof label === 'string' ? label : isCurrent ? 'Next' : version }
        : {}),
      ...(isCurrent
        ? {}
        : {
            sidebars: inFolder(
              folder,
              `${fileStart(docs)}versioned_sidebars/version-${version}-sidebars.json`,
            ),
          }),
    }
  })
  const translated = translations.flatMap((language) =>
    trees.flatMap((tree): DocusaurusTree[] => {
      const plugin = `docusaurus-plugin-content-docs${docs.id === undefined ? '' : `-${docs.id}`}`
      const name = tree.isMain ? CURRENT : lastSegment(tree.folder)
      const own = inFolder(folder, `i18n/${language}/${plugin}/${name}`)
      if (!folders.has(own)) return []
      const base = inFolders([language, tree.base])
      const labels = `${own}.json`
      return [
        { ...tree, folder: own, behind: tree.folder, language, base, labels, isFront: false, isMain: false },
      ]
    }),
  )
  return [...trees, ...translated]
}

/** The versions that have folders, the newest first. */
function versionsIn(namesIn: (folder: string) => string[], project: DocusaurusProject): string[] {
  const names = namesIn(folderOf(versionFolder(project, '')))
  const versions = names.filter((name) => name.startsWith('version-')).map((name) => name.slice(8))
  return versions.toSorted(compareNames).toReversed()
}

/** The version that is being written. */
const CURRENT = 'current'

/** What the names of files of a plugin begin with that is not the first one. */
const fileStart = ({ id }: DocsOptions) => (id === undefined ? '' : `${id}_`)

const versionFolder = ({ folder, docs }: DocusaurusProject, version: string) =>
  inFolder(folder, `${fileStart(docs)}versioned_docs/version-${version}`)

const inFolders = (names: readonly string[]) => names.filter((name) => name !== '').join('/')

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

function projectIn(files: SourceFiles): DocusaurusProject {
  const folder = settingsFolder(files, CONFIG) ?? ''
  const value = unwrapped(settingsValue(files, firstFile(files, folder, CONFIG) ?? ''))
  const settings = isRecord(value) ? value : {}
  const docs = docsOptions(settings)
  const folders = [inFolder(folder, docs.path), docs.path, inFolder(folder, 'docs'), 'docs']
  const root = folders.find((one) => hasPages(files, one)) ?? folder
  return { folder, settings, docs, root }
}

/**
 * Converts a project of Docusaurus, in the order of its sidebars, or else of its folders.
 * @param chosen the folder of one of its trees; without it, the documentation that is being written
 */
export function convertDocusaurus(source: SourceFiles, _name?: string, chosen?: string): ConvertedSource {
  const given = withoutSingleFolder(source)
  const project = projectIn(given)
  const { folder, settings, docs } = project
  const one = treeWith(treesOfSite(given, project), chosen)
  const files = one ? withPagesBehind(given, one) : given
  const root = one?.folder ?? project.root
  // Alone, the documentation that is being written takes the addresses of the site.
  const base = one && chosen !== undefined ? one.base : docs.base
  const labels = labelsIn(one?.labels === undefined ? undefined : settingsValue(files, one.labels))
  const tree = folderTree(files, root, treeRules(files, labels))
  const sidebars =
    one?.sidebars ??
    (docs.sidebar === undefined ? undefined : joinPath(folder, docs.sidebar)) ??
    firstFile(files, folder, /^sidebars\.(?:[cm]?[jt]s|json)$/)
  const listed =
    sidebars === undefined ? [] : sidebarPages(settingsValue(files, sidebars), { files, root, tree, labels })
  return convertProject(files, 'docusaurus', {
    root,
    shared: [inFolder(folder, 'static'), ...(folder === '' ? [] : [folder])],
    snippets: [folder],
    body: (text, included, { report }) => mdxLines(text, { files: included, report }),
    tree: listed.length > 0 ? listed : tree.pages,
    title: typeof settings.title === 'string' ? settings.title : undefined,
    addressOf: (path, head) => joinPath(base, docAddress(path, root, head)),
    base,
    site: typeof settings.baseUrl === 'string' ? bareAddress(settings.baseUrl) : '',
    redirects: clientRedirects(settings.plugins),
  })
}

/** The translated labels of sidebars by the label in the default language: `sidebar.docs.category.Guides`. */
function labelsIn(messages: unknown): Map<string, string> {
  const labels = new Map<string, string>()
  for (const [key, entry] of Object.entries(isRecord(messages) ? messages : {})) {
    const [, label] = /^sidebar\.[^.]{1,100}\.(?:category|link|doc)\.(.{1,300})$/.exec(key) ?? []
    if (label !== undefined && isRecord(entry) && typeof entry.message === 'string')
      labels.set(label, entry.message)
  }
  return labels
}

/** The options of the plugin or preset that has the documentation. */
function docsOptions({ presets, plugins }: Record<string, unknown>): DocsOptions {
  const given = [
    ...optionsIn(presets, /classic/).map(({ docs }) => docs),
    ...optionsIn(plugins, /plugin-content-docs/),
  ]
  const { path, routeBasePath, sidebarPath, id, lastVersion, versions } = given.find(isRecord) ?? {}
  const [resolved] = sidebarPath instanceof LiteralCall ? sidebarPath.arguments : [sidebarPath]
  return {
    path: typeof path === 'string' ? path.replace(/^\.\//, '') : 'docs',
    base: typeof routeBasePath === 'string' ? bareAddress(routeBasePath) : 'docs',
    sidebar: typeof resolved === 'string' ? resolved : undefined,
    id: typeof id === 'string' && id !== 'default' ? id : undefined,
    lastVersion: typeof lastVersion === 'string' ? lastVersion : undefined,
    versions: isRecord(versions) ? versions : {},
  }
}

/** The options of plugins, each of which is a list of its name and its options. */
function optionsIn(plugins: unknown, name: RegExp): Record<string, unknown>[] {
  const list: unknown[] = Array.isArray(plugins) ? plugins : []
  return list.flatMap((plugin) => {
    const [given, options]: unknown[] = Array.isArray(plugin) ? plugin : []
    return typeof given === 'string' && name.test(given) && isRecord(options) ? [options] : []
  })
}

/** The redirects of the plugin for them, each with one old address or a list. */
function clientRedirects(plugins: unknown): Map<string, string> {
  const redirects = new Map<string, string>()
  for (const { redirects: list } of optionsIn(plugins, /plugin-client-redirects/))
    for (const one of Array.isArray(list) ? list.filter(isRecord) : [])
      for (const from of [one.from].flat())
        if (typeof from === 'string' && typeof one.to === 'string') redirects.set(from, one.to)
  return redirects
}

/** The address of a page below that of the documentation, by its `slug` or `id`, or by its file. */
function docAddress(path: string, root: string, { slug, id }: Head): string {
  const inRoot = pathBelow(path, root)
  const folder = folderOf(inRoot).split('/').map(withoutNumber).join('/')
  if (typeof slug === 'string' && slug.startsWith('/')) return slug
  if (slug === undefined && isIndexOfFolder(path) && folder !== '') return folder
  const name = typeof slug === 'string' ? slug : id
  return joinPath(folder, typeof name === 'string' ? name : withoutNumber(fileStem(path))) ?? ''
}

const fileStem = (path: string) => lastSegment(path).replace(/\.\w+$/, '')

/** Whether a file is the page of its folder: `index.md`, `README.md`, or `guides/guides.md`. */
function isIndexOfFolder(path: string): boolean {
  const stem = fileStem(path)
  return /^(?:index|readme)$/i.test(stem) || stem === lastSegment(folderOf(path))
}

/** Names the pages of a project, for its sidebars. */
interface NamedPages {
  files: SourceFiles
  root: string
  tree: FolderTree
  /** The translated labels of entries. */
  labels: ReadonlyMap<string, string>
}

/** The pages of all sidebars of a project, in order. */
function sidebarPages(sidebars: unknown, pages: NamedPages): ListedPage[] {
  if (!isRecord(sidebars)) return []
  const byId = new Map<string, string>()
  for (const [path, bytes] of pages.files) {
    if (!isProjectPage(path) || !isBelow(path, pages.root)) continue
    const { id } = pageHead(bytes)
    const inRoot = pathBelow(path, pages.root)
    const folder = folderOf(inRoot).split('/').map(withoutNumber).join('/')
    byId.set(inFolder(folder, typeof id === 'string' ? id : withoutNumber(fileStem(path))), path)
  }
  return Object.values(sidebars).flatMap((items) => sidebarItems(items, { ...pages, byId }, 0))
}

const DEEPEST_SIDEBAR = 16

/** The pages of a part of a sidebar: ids of pages, categories, and folders. */
function sidebarItems(
  items: unknown,
  pages: NamedPages & { byId: ReadonlyMap<string, string> },
  depth: number,
): ListedPage[] {
  if (depth > DEEPEST_SIDEBAR) return []
  const list: unknown[] = Array.isArray(items) ? items : [items]
  return list.flatMap((item): ListedPage[] => {
    const entry = typeof item === 'string' ? { id: item } : item
    if (!isRecord(entry)) return []
    const title = typeof entry.label === 'string' ? (pages.labels.get(entry.label) ?? entry.label) : undefined
    // Sidebars of versions may name the version before each page.
    const id = typeof entry.id === 'string' ? entry.id.replace(/^version-[^/]{1,100}\//, '') : undefined
    const file = id === undefined ? undefined : pages.byId.get(id)
    if (file !== undefined) return [listedPage(pages.files, file, title)]
    if (entry.type === 'autogenerated') {
      const path = typeof entry.dirName === 'string' ? joinPath(pages.root, entry.dirName) : undefined
      return (path === undefined ? undefined : pages.tree.folders.get(path)?.children) ?? []
    }
    // A category without a type is written as its name and its pages: `{ Guides: ['a', 'b'] }`.
    if (entry.type === undefined)
      return Object.entries(entry).flatMap(([label, inside]) =>
        Array.isArray(inside)
          ? [{ title: pages.labels.get(label) ?? label, children: sidebarItems(inside, pages, depth + 1) }]
          : [],
      )
    if (entry.type !== 'category' || title === undefined) return []
    const { link } = entry
    const own = isRecord(link) && typeof link.id === 'string' ? pages.byId.get(link.id) : undefined
    const children = sidebarItems(entry.items ?? [], pages, depth + 1)
    return [{ title, children, ...(own === undefined ? {} : { file: own }) }]
  })
}

/** The rules by which Docusaurus makes a tree of folders, with fields of front matter and `_category_.json`. */
const treeRules = (files: SourceFiles, labels: ReadonlyMap<string, string>): TreeRules => ({
  page: (_, head) => ({
    title: typeof head.sidebar_label === 'string' ? head.sidebar_label : undefined,
    position: typeof head.sidebar_position === 'number' ? head.sidebar_position : undefined,
  }),
  folder(path) {
    const { label, position } = categoryOf(files.get(`${path}/_category_.json`))
    return { title: labels.get(label ?? withoutNumber(lastSegment(path))) ?? label, position }
  },
  ownFolder: (path) => (isIndexOfFolder(path) ? folderOf(path) : undefined),
})

function categoryOf(bytes: Uint8Array | undefined): { label?: string; position?: number } {
  const text = bytes && bytes.length < 100_000 ? decodeText(bytes) : undefined
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value)) return {}
    return {
      ...(typeof value.label === 'string' ? { label: value.label } : {}),
      ...(typeof value.position === 'number' ? { position: value.position } : {}),
    }
  } catch {
    return {}
  }
}
