/** Projects of Mintlify. */
import { isRecord } from '../../data/is-record.ts'
import { because } from '../../languages/reasons.ts'
import { ImportRefused } from '../../repository/refused.ts'
import { isBelow, joinPath, lastSegment, pathBelow } from '../../text/file-paths.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { dialectLines } from '../markdown/dialect.ts'
import { mapFenceInfo } from '../markdown/fences.ts'
import { type ListedPage, titlesInTree } from '../page-list.ts'
import { listedPage, mdxLines, namedFile, settingsValue } from './mdx-project.ts'
import { pageHead } from './addresses.ts'
import { convertProject, inFolder, settingsFolder } from './project.ts'
import { foldersOfOthers, MOST_TREES, type ProjectTree, treeWith } from './project-tree.ts'

/** The settings of a project of Mintlify, and the folder that they are in, which is that of its pages. */
interface MintlifyProject {
  root: string
  settings: Record<string, unknown>
}

function projectIn(files: SourceFiles): MintlifyProject | undefined {
  const root = settingsFolder(files, /^(?:docs|mint)\.json$/)
  if (root === undefined) return undefined
  const found = ['docs.json', 'mint.json'].map((name) => settingsValue(files, inFolder(root, name)))
  const settings = found.find(isRecord)
  return settings && { root, settings }
}

/** A documentation of a project of Mintlify, with its part of the navigation. */
interface MintlifyTree extends ProjectTree {
  part: unknown
}

/** The documentations of a project of Mintlify: one for each of its languages and versions that has its folder. */
export function mintlifyTrees(source: SourceFiles): ProjectTree[] {
  const files = withoutSingleFolder(source)
  const project = projectIn(files)
  return project ? treesOfSite(files, project) : []
}

function treesOfSite(
  files: SourceFiles,
  { root, settings: { navigation } }: MintlifyProject,
): MintlifyTree[] {
  const trees = navigationParts(navigation)
    .slice(0, MOST_TREES)
    .map(({ isDefault, ...tree }): MintlifyTree => {
      const paths = [...titlesInTree(pagesIn(tree.part, { files, root }, 0)).keys()]
      const tops = new Set(paths.map((path) => /^[^/]+(?=\/)/.exec(pathBelow(path, root))?.[0] ?? ''))
      const [top = ''] = tops
      // A documentation whose pages are in several folders has the folder of the project.
      const base = tops.size === 1 ? top : ''
      return { ...tree, folder: joinPath(root, base) ?? root, base, isFront: isDefault, isMain: isDefault }
    })
  const folders = new Set(trees.map(({ folder }) => folder))
  if (trees.length < 2 || folders.size < trees.length) return []
  const main = trees.find(({ isMain }) => isMain) ?? trees[0]
  return trees.map((tree) => ({ ...tree, isFront: tree === main, isMain: tree === main }))
}

interface NavigationPart {
  language?: string
  version?: string
  isDefault: boolean
  part: unknown
}

/** The parts of a navigation for its languages and versions, which may be in one another. */
function navigationParts(navigation: unknown, depth = 0): NavigationPart[] {
  for (const [list, name] of [
    ['languages', 'language'],
    ['versions', 'version'],
  ] as const) {
    const entries = isRecord(navigation) && depth < 2 ? navigation[list] : undefined
    const named = Array.isArray(entries) ? entries.filter(isRecord) : []
    if (named.length === 0) continue
    return named.flatMap((entry, index) => {
      const label = entry[name]
      const given = typeof label === 'string' ? { [name]: label } : {}
      const isFirst = named.some((one) => one.default === true) ? entry.default === true : index === 0
      return navigationParts(entry, depth + 1).map((part) => ({
        ...given,
        ...part,
        isDefault: isFirst && part.isDefault,
      }))
    })
  }
  return [{ part: navigation, isDefault: true }]
}

/**
 * Converts a project of Mintlify, in the order of `navigation` in its `docs.json` or `mint.json`.
 * @param chosen the folder of one of its languages or versions; without it, the default one
 */
export function convertMintlify(source: SourceFiles, _name?: string, chosen?: string): ConvertedSource {
  const files = withoutSingleFolder(source)
  const project = projectIn(files)
  if (!project) throw new ImportRefused(because('import-not-mintlify'))
  const { settings } = project
  const trees = treesOfSite(files, project)
  const chosenTree = treeWith(trees, chosen)
  const root = chosenTree?.folder ?? project.root
  const others = chosenTree ? foldersOfOthers(trees, chosenTree) : []
  const { navigation, variables } = settings
  const texts = new Map(
    Object.entries(isRecord(variables) ? variables : {}).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
  const tree = pagesIn(chosenTree?.part ?? navigation, { files, root: project.root }, 0)
  return convertProject(files, 'mintlify', {
    root,
    shared: root === project.root ? [] : [project.root],
    snippets: [project.root],
    body: (text, included, { report }) => mdxLines(withTitles(text), { files: included, report, texts }),
    tree: tree.length === 1 && tree[0]?.file === undefined ? (tree[0]?.children ?? []) : tree,
    title: typeof settings.name === 'string' ? settings.name : undefined,
    isPage: (path) =>
      !/(?:^|\/)_?snippets\//.test(path) &&
      !/^readme\./i.test(lastSegment(path)) &&
      !others.some((folder) => isBelow(path, folder)),
    addressOf: (path) => addressInProject(path, project.root),
    base: chosenTree?.base ?? '',
    redirects: redirectsIn(settings.redirects),
  })
}

function addressInProject(path: string, root: string): string | undefined {
  if (!isBelow(path, root)) return undefined
  return pathBelow(path, root)
    .replace(/\.mdx?$/i, '')
    .replace(/(?:^|\/)index$/, '')
}

/** What the parts of a navigation are called, and the lists in which their pages are. */
const TITLES = ['group', 'tab', 'anchor', 'dropdown', 'product', 'version', 'language', 'item', 'name']
const LISTS = ['pages', 'groups', 'tabs', 'anchors', 'dropdowns', 'products', 'versions', 'languages', 'menu']
const DEEPEST_NAVIGATION = 16

interface Pages {
  files: SourceFiles
  root: string
}

/** The pages of a part of the navigation, which is a path, a list, or an object with a name and lists. */
function pagesIn(part: unknown, pages: Pages, depth: number): ListedPage[] {
  if (depth > DEEPEST_NAVIGATION) return []
  if (typeof part === 'string') {
    const file = namedFile(pages.files, pages.root, part)
    return file === undefined ? [] : [listedPage(pages.files, file, sidebarTitle(pages.files, file))]
  }
  if (Array.isArray(part)) return part.flatMap((one: unknown) => pagesIn(one, pages, depth + 1))
  if (!isRecord(part)) return []
  const children = LISTS.flatMap((list) => (list in part ? pagesIn(part[list], pages, depth + 1) : []))
  const title = TITLES.map((name) => part[name]).find((one) => typeof one === 'string')
  if (typeof title !== 'string') return children
  const [own] = typeof part.root === 'string' ? pagesIn(part.root, pages, depth + 1) : []
  if (children.length === 0 && !own) return []
  return [{ title, children, ...(own?.file === undefined ? {} : { file: own.file }) }]
}

function sidebarTitle(files: SourceFiles, file: string): string | undefined {
  const { sidebarTitle: title } = pageHead(files.get(file))
  return typeof title === 'string' ? title : undefined
}

/** The redirects of `docs.json`, each with its `source` and `destination`. */
function redirectsIn(list: unknown): Map<string, string> {
  const redirects = new Map<string, string>()
  for (const one of Array.isArray(list) ? list.filter(isRecord) : [])
    if (typeof one.source === 'string' && typeof one.destination === 'string')
      redirects.set(one.source, one.destination)
  return redirects
}

/** The title of a block of code, which Mintlify has without a name behind the language: ```` ```js app.js ````. */
const withTitles = (text: string): string =>
  mapFenceInfo(dialectLines(text), (info) => {
    if (/\btitle\s?=/.test(info)) return info
    const [language = '', ...words] = info.split(/\s+/)
    const title = words
      .join(' ')
      .replace(/\{[^{}]{0,300}\}/g, '')
      .replace(/\b[\w-]{1,40}=(?:"[^"]{0,300}"|'[^']{0,300}'|\S{0,300})/g, '')
      .replace(/(?:^| )(?:lines|wrap|expandable|twoslash)(?= |$)/g, '')
      .trim()
    const numbers = words.includes('lines') ? ' showLineNumbers' : ''
    return title === ''
      ? `${language}${numbers}`
      : `${language}${numbers} title="${title.replaceAll('"', '')}"`
  })
    .map((line) => line.text)
    .join('\n')
