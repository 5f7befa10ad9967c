/** Projects of Hugo. */
import { because } from '../../../languages/reasons.ts'
import type { WithReason } from '../../../languages/reasoned.ts'
import { append } from '../../../data/lists.ts'
import type { Problem } from '../../../repository/model.ts'
import {
  compareNames,
  folderOf,
  isBelow,
  isLeftAlone,
  joinPath,
  lastSegment,
  titleOfName,
  pathBelow,
} from '../../../text/file-paths.ts'
import { withoutEnd } from '../../../text/trimming.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../../converted.ts'
import { dialectLines, type DialectLine } from '../../markdown/dialect.ts'
import { fencesIn, printFences } from '../../markdown/fences.ts'
import { withYamlFrontMatter } from '../../markdown/front-matter.ts'
import { withoutHeadingClasses } from '../../markdown/heading-ids.ts'
import { NotUnderstood } from '../../markdown/not-understood.ts'
import { replaceShortcodes } from '../../markdown/shortcodes.ts'
import type { ListedPage } from '../../page-list.ts'
import { bareAddress, type Head, pageBeginning, pageHead } from '../addresses.ts'
import { permalinkOf, permalinksIn } from './permalinks.ts'
import {
  type HugoContent,
  hugoContent,
  hugoFolder,
  hugoLanguages,
  hugoSettings,
  hugoText,
  treesOfHugo,
} from './content.ts'
import { hugoShortcodes } from './shortcodes.ts'
import { convertProject, inFolder, isProjectPage, pageTitleIn, addressFromTop } from '../project.ts'
import { filesInLanguage, pagesByLanguage } from '../named-languages.ts'
import { type ProjectTree, treeWith } from '../project-tree.ts'

/** The pages of a project of Hugo. */
interface HugoPages {
  root: string
  /** The front matter of each page by its path. */
  heads: ReadonlyMap<string, Head>
  /** The paths of pages by the name of their file or bundle, without its extension. */
  named: ReadonlyMap<string, string>
}

/** The documentations of a project of Hugo: one for each of its `languages` that has its folder. */
export function hugoTrees(source: SourceFiles): ProjectTree[] {
  const files = withoutSingleFolder(source)
  const folder = hugoFolder(files)
  return treesOfHugo(hugoContent(hugoSettings(files, folder, []), folder, files))
}

/**
 * Converts a project of Hugo, in the order of the weights of its pages.
 * @param chosen the folder of one of its languages; without it, the default one
 */
export function convertHugo(source: SourceFiles, _name?: string, chosen?: string): ConvertedSource {
  const { files: given, problems: heads } = withYamlFrontMatter(withoutSingleFolder(source))
  const problems: Problem[] = [...heads]
  const folder = hugoFolder(given)
  const settings = hugoSettings(given, folder, problems)
  const main = hugoContent(settings, folder, given)
  const tree = treeWith(treesOfHugo(main), chosen)
  const language = tree?.language ?? main.language
  const content = tree?.named === undefined ? hugoContent(settings, folder, given, language) : main
  const { files, sources } = filesInLanguage(given, content.root, {
    language,
    main: content.language,
    all: content.all,
    hasFallback: false,
  })
  append(problems, pagesOfDisabled(given, content))
  const base = tree?.base ?? ''
  const title = hugoText(hugoLanguages(settings)[language], 'title')
  const pages = pagesOf(files, content, problems)
  const patterns = permalinksIn(settings)
  const converted = convertProject(files, 'hugo', {
    root: content.root,
    shared: [inFolder(folder, 'static'), inFolder(folder, 'assets')],
    snippets: [],
    isPage: (path) => pages.heads.has(path),
    tree: sectionTree(files, pages),
    body(text, _, { path, line }) {
      const unknown = new NotUnderstood()
      const rules = hugoShortcodes({
        ref: (written) => refAddress(written, path, pages, files),
        resource: (name) => resourceBeside(name, path, files),
      })
      const whole = replaceShortcodes(text, rules, line, unknown)
      append(problems, unknown.problems(path))
      return hugoLines(whole)
    },
    addressOf: (path, head) => joinPath(base, hugoAddress(path, content.root, head, patterns)),
    base,
    ...(title === undefined ? {} : { title }),
    site:
      typeof settings.baseURL === 'string'
        ? bareAddress(settings.baseURL.replace(/^https?:\/\/[^/]*/i, ''))
        : '',
    redirects: aliasesOf(pages, base, patterns),
    sources,
  })
  append(converted.problems, problems)
  return converted
}

/** The pages of languages that the settings turn off. */
function pagesOfDisabled(files: SourceFiles, { root, all, language, others }: HugoContent): Problem[] {
  const off = all.filter((one) => one !== language && !others.includes(one))
  return [...pagesByLanguage(files, root, off).values()]
    .flat()
    .map((path) => ({ path, ...because('page-in-other-language') }))
}

function pagesOf(files: SourceFiles, content: HugoContent, problems: Problem[]): HugoPages {
  const { root, otherFolders } = content
  const heads = new Map<string, Head>()
  const named = new Map<string, string>()
  const bundles = new Set(
    [...files.keys()].filter((path) => /(?:^|\/)index\.(?:md|markdown)$/i.test(path)).map(folderOf),
  )
  for (const [path, bytes] of files) {
    if (!isProjectPage(path) || !isBelow(path, root) || isLeftAlone(path)) continue
    if (otherFolders.some((one) => one.folder !== root && isBelow(path, one.folder))) continue
    const head = pageHead(bytes)
    const reason = reasonLeftOut(path, head, bundles, root)
    if (reason !== undefined) {
      problems.push({ path, ...reason })
      continue
    }
    heads.set(path, head)
    const name = pageName(path).toLowerCase()
    if (!named.has(name)) named.set(name, path)
  }
  return { root, heads, named }
}

function reasonLeftOut(
  path: string,
  head: Head,
  bundles: ReadonlySet<string>,
  root: string,
): WithReason | undefined {
  if (head.draft === true) return because('page-is-draft')
  if (head.headless === true) return because('page-is-headless')
  const isIndex = /^index\./i.test(lastSegment(path))
  for (
    let folder = isIndex ? folderOf(folderOf(path)) : folderOf(path);
    isBelow(folder, root);
    folder = folderOf(folder)
  ) {
    if (folder !== root && bundles.has(folder)) return because('page-is-resource')
    if (folder === '') break
  }
  return undefined
}

/** The name of a page: that of its file, or that of the folder of a bundle or section. */
function pageName(path: string): string {
  const stem = lastSegment(path).replace(/(?:\.[\w-]{2,10})?\.\w{2,8}$/, '')
  return /^_?index$/i.test(stem) ? lastSegment(folderOf(path)) : stem
}

/** The tree of sections, with the order of Hugo: weights first, then titles. */
function sectionTree(files: SourceFiles, { root, heads }: HugoPages): ListedPage[] {
  interface Node extends ListedPage {
    weight: number
    children: Node[]
  }
  const top: Node = { title: '', weight: 0, children: [] }
  const sections = new Map<string, Node>([[root, top]])
  const section = (folder: string): Node => {
    const known = sections.get(folder)
    if (known) return known
    const node: Node = { title: titleOfName(lastSegment(folder)), weight: Infinity, children: [] }
    sections.set(folder, node)
    section(folderOf(folder)).children.push(node)
    return node
  }
  for (const [path, head] of heads) {
    const text = pageBeginning(files.get(path))
    const title = hugoText(head, 'title') ?? pageTitleIn(text) ?? titleOfName(pageName(path))
    const linkTitle = hugoText(head, 'linkTitle')
    const weight = typeof head.weight === 'number' && head.weight !== 0 ? head.weight : Infinity
    const fields = { title, weight, file: path, ...(linkTitle === undefined ? {} : { linkTitle }) }
    const stem = lastSegment(path)
    if (/^_index\./i.test(stem) && folderOf(path) !== root) Object.assign(section(folderOf(path)), fields)
    else if (folderOf(path) === root && /^_?index\./i.test(stem))
      top.children.push({ ...fields, weight: -Infinity, children: [] })
    else
      section(/^index\./i.test(stem) ? folderOf(folderOf(path)) : folderOf(path)).children.push({
        ...fields,
        children: [],
      })
  }
  const compare = (a: Node, b: Node) =>
    a.weight === b.weight ? compareNames(a.linkTitle ?? a.title, b.linkTitle ?? b.title) : a.weight - b.weight
  for (const { children } of sections.values()) children.sort(compare)
  return top.children
}

/** The address of a page in the way of Hugo: `url`, or its folder with `slug` or its name, in lower case. */
function hugoAddress(path: string, root: string, head: Head, patterns: ReadonlyMap<string, string>): string {
  const url = hugoText(head, 'url')
  if (url !== undefined) return url
  const inRoot = pathBelow(path, root)
  const isIndex = /^_?index\./i.test(lastSegment(inRoot))
  const isSection = /^_index\./i.test(lastSegment(inRoot))
  const pattern = isSection
    ? undefined
    : permalinkOf({ path: inRoot, name: pageName(inRoot), head }, patterns)
  if (pattern !== undefined) return pattern.toLowerCase()
  const folder = isIndex ? folderOf(folderOf(inRoot)) : folderOf(inRoot)
  const name = hugoText(head, 'slug') ?? (isIndex && folderOf(inRoot) === '' ? '' : pageName(inRoot))
  return (joinPath(folder, name) ?? '').toLowerCase().replaceAll(' ', '-')
}

function aliasesOf(
  { root, heads }: HugoPages,
  base: string,
  patterns: ReadonlyMap<string, string>,
): Map<string, string> {
  const redirects = new Map<string, string>()
  for (const [path, head] of heads) {
    const address = joinPath(base, hugoAddress(path, root, head, patterns)) ?? ''
    for (const alias of Array.isArray(head.aliases) ? head.aliases : []) {
      if (typeof alias !== 'string') continue
      const from = alias.startsWith('/') ? alias : joinPath(folderOf(address), alias)
      if (from !== undefined) redirects.set(from, address)
    }
  }
  return redirects
}

/** The address of a page for `ref`: a path from the page, from the root, or only its name. */
function refAddress(
  written: string,
  from: string,
  { root, heads, named }: HugoPages,
  files: SourceFiles,
): string | undefined {
  const hash = written.indexOf('#')
  const path = hash === -1 ? written : written.slice(0, hash)
  const anchor = hash === -1 ? '' : written.slice(hash)
  if (path === '') return anchor
  const folders = path.startsWith('/') ? [root] : [folderOf(from), root]
  const found =
    folders
      .flatMap((folder) => joinPath(folder, path) ?? [])
      .flatMap((one) => [one, `${one}.md`, `${one}/index.md`, `${one}/_index.md`])
      .find((one) => heads.has(one) && files.has(one)) ??
    named.get(pageName(withoutEnd(path, '/')).toLowerCase())
  if (found === undefined) return undefined
  return `${addressFromTop(pathBelow(found, root))}${anchor}`
}

/** The name of a picture beside a page that begins with a text. */
function resourceBeside(name: string, path: string, files: SourceFiles): string | undefined {
  if (name === '') return undefined
  const start = inFolder(folderOf(path), name.replaceAll('*', ''))
  const found = files
    .keys()
    .find((one) => one.startsWith(start) && /\.(?:png|jpe?g|gif|svg|webp)$/i.test(one))
  return found?.slice(folderOf(path) === '' ? 0 : folderOf(path).length + 1)
}

function hugoLines(text: string): DialectLine[] {
  return printFences(fencesIn(dialectLines(text))).map((line) =>
    line.isCode ? line : { ...line, text: withoutHeadingClasses(line.text) },
  )
}
