/** Projects of Starlight, which is a part of Astro. */
import { isRecord } from '../../data/is-record.ts'
import { folderOf, joinPath } from '../../text/file-paths.ts'
import { withoutSlashes } from '../../text/trimming.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { LiteralCall, unwrapped } from '../literals.ts'
import type { ListedPage } from '../page-list.ts'
import type { Head } from './addresses.ts'
import { type FolderTree, folderTree } from './folder-tree.ts'
import { firstFile, listedPage, mdxLines, namedFile, settingsValue } from './mdx-project.ts'
import { convertProject, inFolder, settingsFolder } from './project.ts'

const CONFIG = /^astro\.config\.[cm]?[jt]s$/

/** Converts a project of Starlight, in the order of `sidebar` in its settings, or else of its folders. */
export function convertStarlight(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const folder = settingsFolder(files, CONFIG) ?? ''
  const root = inFolder(folder, 'src/content/docs')
  const settings = unwrapped(settingsValue(files, firstFile(files, folder, CONFIG) ?? ''))
  const { integrations, base, redirects } = isRecord(settings) ? settings : {}
  const calls = Array.isArray(integrations) ? integrations.filter((one) => one instanceof LiteralCall) : []
  const [options] = calls.find(({ name }) => name === 'starlight')?.arguments ?? []
  const { title, sidebar } = isRecord(options) ? options : {}
  const front = namedFile(files, root, '')
  const tree = folderTree(files, root, {
    page: (path, { sidebar: own }) => {
      const { label, order } = isRecord(own) ? own : {}
      return {
        title: typeof label === 'string' ? label : undefined,
        position: path === front ? -Infinity : typeof order === 'number' ? order : undefined,
      }
    },
    folder: () => ({}),
    ownFolder: (path) => (/\/index\.\w+$/.test(path) ? folderOf(path) : undefined),
  })
  const listed = Array.isArray(sidebar) ? entriesOfSidebar(sidebar, { files, root, tree }, 0) : []
  return convertProject(files, 'starlight', {
    root,
    shared: [inFolder(folder, 'public')],
    snippets: [folder],
    body: (text, included, { report }) => mdxLines(text, { files: included, report }),
    tree:
      listed.length === 0
        ? tree.pages
        : [...(front === undefined ? [] : [listedPage(files, front)]), ...listed],
    title: titleIn(title),
    addressOf: (path, head) =>
      joinPath(typeof base === 'string' ? base : '', starlightAddress(path, root, head)),
    base: typeof base === 'string' ? withoutSlashes(base) : '',
    redirects: redirectsOfAstro(redirects),
  })
}

/** A title is a text, or one for each language, of which the first counts. */
function titleIn(title: unknown): string | undefined {
  if (typeof title === 'string') return title
  return isRecord(title) ? Object.values(title).find((one) => typeof one === 'string') : undefined
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
}

const DEEPEST_SIDEBAR = 16

/** The pages of a sidebar: slugs, links to pages, groups, and folders. */
function entriesOfSidebar(items: readonly unknown[], sidebar: Sidebar, depth: number): ListedPage[] {
  if (depth > DEEPEST_SIDEBAR) return []
  return items.flatMap((item): ListedPage[] => {
    const entry = typeof item === 'string' ? { slug: item } : item
    if (!isRecord(entry)) return []
    const title = typeof entry.label === 'string' ? entry.label : undefined
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

function pagesOfFolder({ files, root, tree }: Sidebar, directory: unknown): ListedPage[] {
  const path = typeof directory === 'string' ? joinPath(root, directory) : undefined
  const folder = path === undefined ? undefined : tree.folders.get(path)
  if (!folder) return []
  // The page of the folder is the first page of its group.
  const own = folder.file === undefined ? [] : [listedPage(files, folder.file)]
  return [...own, ...folder.children]
}
