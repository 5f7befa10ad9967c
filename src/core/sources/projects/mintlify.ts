/** Projects of Mintlify. */
import { isRecord } from '../../data/is-record.ts'
import { because } from '../../languages/reasons.ts'
import { ImportRefused } from '../../repository/refused.ts'
import { isBelow, lastSegment, pathBelow } from '../../text/file-paths.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { dialectLines } from '../markdown/dialect.ts'
import { mapFenceInfo } from '../markdown/fences.ts'
import type { ListedPage } from '../page-list.ts'
import { listedPage, mdxLines, namedFile, settingsValue } from './mdx-project.ts'
import { pageHead } from './addresses.ts'
import { convertProject, inFolder, settingsFolder } from './project.ts'

/** Converts a project of Mintlify, in the order of `navigation` in its `docs.json` or `mint.json`. */
export function convertMintlify(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const root = settingsFolder(files, /^(?:docs|mint)\.json$/)
  const found =
    root === undefined ? undefined : ['docs.json', 'mint.json'].map((name) => inFolder(root, name))
  const settings = found?.map((path) => settingsValue(files, path)).find(isRecord)
  if (root === undefined || settings === undefined) throw new ImportRefused(because('import-not-mintlify'))
  const { navigation, variables } = settings
  const texts = new Map(
    Object.entries(isRecord(variables) ? variables : {}).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
  const tree = pagesIn(navigation, { files, root }, 0)
  return convertProject(files, 'mintlify', {
    root,
    shared: [],
    snippets: [root],
    body: (text, included, { report }) => mdxLines(withTitles(text), { files: included, report, texts }),
    tree: tree.length === 1 && tree[0]?.file === undefined ? (tree[0]?.children ?? []) : tree,
    title: typeof settings.name === 'string' ? settings.name : undefined,
    isPage: (path) => !/(?:^|\/)_?snippets\//.test(path) && !/^readme\./i.test(lastSegment(path)),
    addressOf: (path) => addressInProject(path, root),
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
