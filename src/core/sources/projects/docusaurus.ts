/** Projects of Docusaurus. */
import { isRecord } from '../../data/is-record.ts'
import { decodeText } from '../../repository/decode-text.ts'
import { folderOf, isBelow, joinPath, lastSegment, pathBelow } from '../../text/file-paths.ts'
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
  hasPages,
  settingsFolder,
  withoutNumber,
} from './project.ts'

const CONFIG = /^docusaurus\.config\.[cm]?[jt]s$/

/** Converts a project of Docusaurus, in the order of its sidebars, or else of its folders. */
export function convertDocusaurus(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const folder = settingsFolder(files, CONFIG) ?? ''
  const value = unwrapped(settingsValue(files, firstFile(files, folder, CONFIG) ?? ''))
  const settings = isRecord(value) ? value : {}
  const docs = docsOptions(settings)
  const folders = [inFolder(folder, docs.path), docs.path, inFolder(folder, 'docs'), 'docs']
  const root = folders.find((one) => hasPages(files, one)) ?? folder
  const tree = folderTree(files, root, treeRules(files))
  const sidebars =
    docs.sidebar ??
    firstFile(files, folder, /^sidebars\.(?:[cm]?[jt]s|json)$/)?.slice(inFolder(folder, '').length)
  const listed =
    sidebars === undefined
      ? []
      : sidebarPages(settingsValue(files, joinPath(folder, sidebars) ?? ''), { files, root, tree })
  return convertProject(files, 'docusaurus', {
    root,
    shared: [inFolder(folder, 'static'), ...(folder === '' ? [] : [folder])],
    snippets: [folder],
    body: (text, included, { report }) => mdxLines(text, { files: included, report }),
    tree: listed.length > 0 ? listed : tree.pages,
    title: typeof settings.title === 'string' ? settings.title : undefined,
    addressOf: (path, head) => joinPath(docs.base, docAddress(path, root, head)),
    base: docs.base,
    redirects: clientRedirects(settings.plugins),
  })
}

/** The options of the plugin or preset that has the documentation. */
function docsOptions({ presets, plugins }: Record<string, unknown>) {
  const given = [
    ...optionsIn(presets, /classic/).map(({ docs }) => docs),
    ...optionsIn(plugins, /plugin-content-docs/),
  ]
  const { path, routeBasePath, sidebarPath } = given.find(isRecord) ?? {}
  const [resolved] = sidebarPath instanceof LiteralCall ? sidebarPath.arguments : [sidebarPath]
  return {
    path: typeof path === 'string' ? path.replace(/^\.\//, '') : 'docs',
    base: typeof routeBasePath === 'string' ? bareAddress(routeBasePath) : 'docs',
    sidebar: typeof resolved === 'string' ? resolved : undefined,
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
    const title = typeof entry.label === 'string' ? entry.label : undefined
    const file = typeof entry.id === 'string' ? pages.byId.get(entry.id) : undefined
    if (file !== undefined) return [listedPage(pages.files, file, title)]
    if (entry.type === 'autogenerated') {
      const path = typeof entry.dirName === 'string' ? joinPath(pages.root, entry.dirName) : undefined
      return (path === undefined ? undefined : pages.tree.folders.get(path)?.children) ?? []
    }
    // A category without a type is written as its name and its pages: `{ Guides: ['a', 'b'] }`.
    if (entry.type === undefined)
      return Object.entries(entry).flatMap(([label, inside]) =>
        Array.isArray(inside) ? [{ title: label, children: sidebarItems(inside, pages, depth + 1) }] : [],
      )
    if (entry.type !== 'category' || title === undefined) return []
    const { link } = entry
    const own = isRecord(link) && typeof link.id === 'string' ? pages.byId.get(link.id) : undefined
    const children = sidebarItems(entry.items ?? [], pages, depth + 1)
    return [{ title, children, ...(own === undefined ? {} : { file: own }) }]
  })
}

/** The rules by which Docusaurus makes a tree of folders, with fields of front matter and `_category_.json`. */
const treeRules = (files: SourceFiles): TreeRules => ({
  page: (_, head) => ({
    title: typeof head.sidebar_label === 'string' ? head.sidebar_label : undefined,
    position: typeof head.sidebar_position === 'number' ? head.sidebar_position : undefined,
  }),
  folder(path) {
    const { label, position } = categoryOf(files.get(`${path}/_category_.json`))
    return { title: label, position }
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
