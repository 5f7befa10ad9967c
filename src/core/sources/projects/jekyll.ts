/** Projects of Jekyll, with the tree of the theme just-the-docs. */
import { because } from '../../languages/reasons.ts'
import { append } from '../../data/lists.ts'
import { isRecord } from '../../data/is-record.ts'
import { type Problem, repositoryLimits } from '../../repository/model.ts'
import {
  compareNames,
  folderOf,
  isBelow,
  isLeftAlone,
  joinPath,
  lastSegment,
  titleOfName,
  pathBelow,
} from '../../text/file-paths.ts'
import { withoutSlashes } from '../../text/trimming.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { dialectLines, type DialectLine, mapOutsideCode } from '../markdown/dialect.ts'
import { kramdownLines } from '../markdown/kramdown.ts'
import { NotUnderstood } from '../markdown/not-understood.ts'
import type { ListedPage } from '../page-list.ts'
import { type Head, headLines, pageBeginning, pageSource, readHead } from './addresses.ts'
import { frontMatterDefaults, jekyllAddress } from './jekyll-defaults.ts'
import { RAW_TAG, replaceLiquid } from './jekyll-liquid.ts'
import { convertProject, inFolder, isProjectPage, pageTitleIn, settingsFolder } from './project.ts'
import { readSettingsFile } from './settings-file.ts'

type Heads = ReadonlyMap<string, Head>

/** Converts a project of Jekyll. */
export function convertJekyll(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const root = settingsFolder(files, /^_config\.ya?ml$/) ?? ''
  const problems: Problem[] = []
  const path = ['_config.yml', '_config.yaml']
    .map((name) => inFolder(root, name))
    .find((one) => files.has(one))
  const settings = path === undefined ? {} : readSettingsFile(files, path, problems)
  const heads = jekyllPages(files, root, settings, problems)
  const callouts = calloutsOf(settings)
  const tree = navigationTree(files, heads, root)
  const converted = convertProject(files, 'jekyll', {
    root,
    shared: [],
    snippets: [],
    isPage: (one) => heads.has(one),
    ...(tree ? { tree } : {}),
    base: withoutSlashes(textOrEmpty(settings.baseurl)),
    body(text, _, { path: from, line }) {
      const unknown = new NotUnderstood()
      const liquid = {
        value: (name: string) => valueIn(name, settings, heads.get(from) ?? {}),
        file: (kind: string, name: string) => {
          const found = joinPath(kind === 'include' ? inFolder(root, '_includes') : folderOf(from), name)
          const bytes = found === undefined ? undefined : files.get(found)
          const whole = pageSource(bytes)
          return whole?.slice(headLines(whole).length)
        },
      }
      const lines = kramdownLines(
        dialectLines(replaceLiquid(text, liquid, line, unknown)),
        callouts,
        line,
        unknown,
      )
      append(problems, unknown.problems(from))
      return jekyllLines(lines)
    },
    addressOf: (one, head) => jekyllAddress(pathBelow(one, root), heads.get(one) ?? head),
  })
  append(converted.problems, problems)
  return converted
}

const textOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '')

/** The front matter of each page. Files that Jekyll does not show are listed as problems. */
function jekyllPages(
  files: SourceFiles,
  root: string,
  settings: Record<string, unknown>,
  problems: Problem[],
): Heads {
  const collections = isRecord(settings.collections) ? Object.keys(settings.collections) : []
  const shown = new Set(collections.filter((one) => one !== 'posts').map((one) => `_${one}`))
  const excluded = Array.isArray(settings.exclude)
    ? settings.exclude.map((one) => textOrEmpty(one).replace(/\/$/, ''))
    : []
  const defaultsOf = frontMatterDefaults(settings)
  const heads = new Map<string, Head>()
  const without: string[] = []
  for (const [path, bytes] of files) {
    if (!isProjectPage(path) || !isBelow(path, root) || isLeftAlone(path)) continue
    const inRoot = pathBelow(path, root)
    const segments = inRoot.split('/')
    if (excluded.some((one) => one !== '' && (inRoot === one || isBelow(inRoot, one)))) continue
    if (segments.some((one) => one === '_posts' || one === '_drafts')) {
      problems.push({ path, ...because('page-is-post-or-draft') })
      continue
    }
    if (segments.some((one) => one.startsWith('_') && !shown.has(one)) || segments.includes('vendor'))
      continue
    const head = headLines(pageSource(bytes) ?? '')
    if (head === '') without.push(path)
    else heads.set(path, { ...defaultsOf(inRoot), ...readHead(head) })
  }
  // With a plugin that GitHub has by default, pages need no front matter.
  if (heads.size === 0) return new Map(without.map((path) => [path, defaultsOf(pathBelow(path, root))]))
  for (const path of without) problems.push({ path, ...because('page-without-front-matter') })
  return heads
}

/** The titles of the callouts that the settings define. */
function calloutsOf(settings: Record<string, unknown>): Map<string, string> {
  const callouts = new Map([
    ['highlight', ''],
    ['new', 'New'],
  ])
  if (isRecord(settings.callouts))
    for (const [name, options] of Object.entries(settings.callouts))
      callouts.set(name, isRecord(options) ? textOrEmpty(options.title) : '')
  return callouts
}

function valueIn(name: string, settings: Record<string, unknown>, head: Head): string | undefined {
  // Addresses of the site begin at the root of the project.
  if (name === 'site.baseurl' || name === 'site.url') return ''
  const [, object, field = ''] = /^(site|page)\.(\w{1,60})$/.exec(name) ?? []
  const value = object === 'site' ? settings[field] : object === 'page' ? head[field] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

interface NavigationNode extends ListedPage {
  order: number
  head: Head
  children: NavigationNode[]
}

/** The tree of just-the-docs: `parent` and `nav_order`. Undefined if no page has them, so that folders are the tree. */
function navigationTree(files: SourceFiles, heads: Heads, root: string): ListedPage[] | undefined {
  const isOrdered = heads.values().some((head) => head.parent !== undefined || head.nav_order !== undefined)
  if (!isOrdered) return undefined
  const nodes = [...heads].map(([file, head]): NavigationNode => {
    const text = pageBeginning(files.get(file))
    const stem = lastSegment(file).replace(/\.\w+$/, '')
    const name = stem === 'index' && folderOf(file) !== root ? lastSegment(folderOf(file)) : stem
    const title = textOrEmpty(head.title) || (pageTitleIn(text) ?? titleOfName(name))
    const order = Number(head.nav_order ?? Infinity)
    // Pages that the theme does not list follow at the end.
    const place = head.nav_exclude === true ? Infinity : Number.isNaN(order) ? Infinity : order
    return { title, file, head, order: place, children: [] }
  })
  const byTitle = Map.groupBy(nodes, ({ title }) => title)
  const top: NavigationNode[] = []
  const parents = new Map<NavigationNode, NavigationNode>()
  for (const node of nodes) {
    const named = byTitle.get(textOrEmpty(node.head.parent)) ?? []
    const above = node.head.grand_parent
    const parent = named.find((one) => above === undefined || one.head.parent === above)
    if (!parent || isTooDeep(node, parent, parents)) top.push(node)
    else {
      parents.set(node, parent)
      parent.children.push(node)
    }
  }
  const compare = (a: NavigationNode, b: NavigationNode) =>
    a.order === b.order ? compareNames(a.title, b.title) : a.order - b.order
  for (const { children } of nodes) children.sort(compare)
  return top.toSorted(compare)
}

/** Whether a page would be below itself, or deeper than pages of a space can be. */
function isTooDeep(
  node: NavigationNode,
  parent: NavigationNode,
  parents: ReadonlyMap<NavigationNode, NavigationNode>,
): boolean {
  let one: NavigationNode | undefined = parent
  for (let depth = 0; one && depth < repositoryLimits.depth; depth += 1) {
    if (one === node) return true
    one = parents.get(one)
  }
  return one !== undefined
}

function jekyllLines(lines: readonly DialectLine[]): DialectLine[] {
  return lines.map(({ text, isCode }) => ({
    text: isCode
      ? text.replaceAll(RAW_TAG, '{%')
      : mapOutsideCode(text, (one) => one.replaceAll(RAW_TAG, '\\{%')).replaceAll(RAW_TAG, '{%'),
    isCode,
  }))
}
