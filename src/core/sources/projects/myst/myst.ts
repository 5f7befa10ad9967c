/** Projects of MyST, Jupyter Book and Sphinx. */
import { append, need } from '../../../data/lists.ts'
import { isRecord } from '../../../data/is-record.ts'
import type { Problem } from '../../../repository/model.ts'
import { readContentsYaml } from '../../../repository/yaml.ts'
import {
  decodeAddress,
  folderOf,
  isBelow,
  isLeftAlone,
  isWebAddress,
  joinPath,
  pathBelow,
} from '../../../text/file-paths.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../../converted.ts'
import { dialectLines } from '../../markdown/dialect.ts'
import { NotUnderstood } from '../../markdown/not-understood.ts'
import type { ListedPage } from '../../page-list.ts'
import { headLines, pageHead, pageSource } from '../addresses.ts'
import { pathMatcher, patternBelow } from '../globs.ts'
import { hidePages, unlistedPages } from '../hidden-pages.ts'
import { settingsText } from '../mdx-project.ts'
import {
  addressFromTop,
  convertProject,
  hasPages,
  inFolder,
  isProjectPage,
  settingsFolder,
} from '../project.ts'
import type { MystDirective } from './blocks.ts'
import {
  documentFile,
  entryFiles,
  inOrder,
  type MystFiles,
  mystPage,
  mystTitle,
  reportOtherDocuments,
  settingsIn,
  toctreePages,
  yamlPages,
} from './contents.ts'
import { MYST_DIRECTIVES } from './directives.ts'
import { addLabels, labelKey, type MystLabel, type MystLabels } from './labels.ts'
import { type IncludedText, MystPrinter } from './printer.ts'
import { withRstPages } from './rst/pages.ts'
import { readPythonSettings } from './python-settings.ts'
import type { MystLinks, MystTarget } from './roles.ts'
import { readToctree } from './toctrees.ts'

/** The settings of a project, from `conf.py`, `_config.yml`, `_toc.yml` and `myst.yml`. */
interface MystSettings {
  root: string
  title?: string | undefined
  /** The name of the first document, without its extension. */
  first: string
  excluded: string[]
  substitutions: Readonly<Record<string, unknown>>
  shortLinks: Readonly<Record<string, unknown>>
  redirects: Map<string, string>
  hasDollars: boolean
  /** The endings of pages in reStructuredText. */
  endings: string[]
  /** Definitions for all pages of reStructuredText. */
  definitions: string
  /** A table of contents in YAML, and its file. */
  contents?: { value: unknown; path: string }
}

/** Converts a project of MyST or Jupyter Book. Its notebooks are listed as problems. */
export const convertMyst = (source: SourceFiles): ConvertedSource => convertDocuments(source, 'myst')

/** Converts a project of Sphinx, whose pages are in reStructuredText or Markdown. */
export const convertSphinx = (source: SourceFiles): ConvertedSource => convertDocuments(source, 'sphinx')

function convertDocuments(source: SourceFiles, name: string): ConvertedSource {
  const given = withoutSingleFolder(source)
  const problems: Problem[] = []
  const settings = mystSettings(given, problems)
  const { root } = settings
  const isExcluded = pathMatcher(settings.excluded.flatMap((pattern) => patternBelow(root, pattern) ?? []))
  const isInProject = (path: string) =>
    isBelow(path, root) &&
    !isLeftAlone(path) &&
    !isExcluded(path) &&
    !/(?:^|\/)(?:_build|_templates)\//.test(path)
  const { files, sources, lines } = withRstPages(given, isInProject, settings.endings, settings.definitions)
  const pages = inOrder([...files.keys()].filter((path) => isProjectPage(path) && isInProject(path)))
  reportOtherDocuments(files, isInProject, problems)
  const project: MystFiles = { files, root, pages, problems, missing: new Set(), titles: new Map() }
  const listed = settings.contents
    ? yamlPages(project, settings.contents.value, settings.contents.path)
    : toctreePages(project, settings.first)
  // A front page alone is no table of contents.
  const hasTree = listed.length > 1
  const hidden = hasTree ? unlistedPages(files, listed, pages) : []
  const names = { labels: labelsOf(project), glossary: glossaryPage(files, pages) }
  const shown = new Set(pages)
  const converted = convertProject(files, name, {
    root,
    shared: [root],
    snippets: [],
    sources,
    isPage: (path) => shown.has(path),
    ...(hasTree ? { tree: [...listed, ...hidden] } : {}),
    title: settings.title,
    body(text, _, { path, line }) {
      const unknown = new NotUnderstood()
      const links = linksOf(path, project, names, settings)
      const context = {
        links,
        unknown,
        hasDollars: settings.hasDollars,
        file: includedFile(path, project),
        contents: (directive: MystDirective) => contentsLines(directive, path, project),
      }
      const written = new MystPrinter(context, MYST_DIRECTIVES).print(text.split('\n'), line)
      const found = unknown.problems(path)
      const inSource = lines.get(path)
      append(
        problems,
        inSource ? found.map((one) => ({ ...one, line: inSource[(one.line ?? 1) - 1] ?? 1 })) : found,
      )
      return dialectLines(written.join('\n'))
    },
    addressOf: (path) => (isBelow(path, root) ? htmlAddress(path, root) : undefined),
    redirects: new Map([...folderAddresses(pages, root), ...withBothForms(settings.redirects, pages, root)]),
  })
  hidePages(converted, hidden)
  append(converted.problems, problems)
  return converted
}

const SETTINGS = /^(?:myst\.yml|_toc\.yml|conf\.py)$/

function mystSettings(files: SourceFiles, problems: Problem[]): MystSettings {
  const folder = settingsFolder(files, SETTINGS) ?? ''
  const python = readPythonSettings(settingsText(files, inFolder(folder, 'conf.py')) ?? '')
  const yaml = (path: string | undefined): Record<string, unknown> => {
    const text = path === undefined ? undefined : settingsText(files, path)
    if (path === undefined || text === undefined) return {}
    const { value, fault } = readContentsYaml(text)
    if (fault !== undefined) problems.push({ kind: 'setting', path, ...fault })
    // An old table of contents is a list of pages.
    return isRecord(value) ? value : Array.isArray(value) ? { chapters: value } : {}
  }
  const mystPath = settingsIn(files, folder, ['myst.yml', 'myst.yaml'])
  const tocPath = settingsIn(files, folder, ['_toc.yml', '_toc.yaml'])
  const [myst, book, contents] = [
    yaml(mystPath),
    yaml(settingsIn(files, folder, ['_config.yml'])),
    yaml(tocPath),
  ]
  const project = isRecord(myst.project) ? myst.project : {}
  const site = isRecord(myst.site) ? myst.site : {}
  const sphinx = isRecord(book.sphinx) && isRecord(book.sphinx.config) ? book.sphinx.config : {}
  const setting = (name: string) => python.get(name) ?? sphinx[name]
  const title = [setting('html_title'), site.title, project.title, book.title, setting('project')]
  const extensions = textsIn(setting('myst_enable_extensions'))
  const isSphinx = python.size > 0
  const substitutions = [setting('myst_substitutions'), project.substitutions].find(isRecord) ?? {}
  const toc = project.toc ?? (tocPath === undefined ? undefined : contents)
  const tocFile = project.toc === undefined ? tocPath : mystPath
  return {
    root: hasPages(files, folder) || isSphinx ? folder : '',
    title: title.find((one): one is string => typeof one === 'string' && one !== ''),
    first: [setting('root_doc'), setting('master_doc')].find((one) => typeof one === 'string') ?? 'index',
    excluded: [setting('exclude_patterns'), project.exclude].flatMap(textsIn),
    substitutions,
    shortLinks: isRecord(setting('extlinks')) ? (setting('extlinks') as Record<string, unknown>) : {},
    redirects: redirectsIn(setting('redirects'), setting('rediraffe_redirects')),
    endings: rstEndings(setting('source_suffix')),
    definitions: [setting('rst_prolog'), setting('rst_epilog')]
      .filter((one) => typeof one === 'string')
      .join('\n'),
    hasDollars: !isSphinx || extensions.includes('dollarmath'),
    ...(toc === undefined || tocFile === undefined ? {} : { contents: { value: toc, path: tocFile } }),
  }
}

/** The endings of pages in reStructuredText, which the settings may name: `.txt`, a list, or a parser by the ending. */
function rstEndings(setting: unknown): string[] {
  const named = isRecord(setting)
    ? Object.keys(setting).filter((one) => setting[one] !== 'markdown')
    : textsIn(setting)
  return [
    '.rst',
    ...named.filter((one) => /^\.\w{1,20}$/.test(one) && !/^\.(?:md|rst|markdown|ipynb)$/.test(one)),
  ]
}

const textsIn = (value: unknown): string[] =>
  [value ?? []].flat().filter((one): one is string => typeof one === 'string')

/** The most redirects from one to the next. */
const LONGEST_CHAIN = 10

/**
 * The redirects of `sphinx-reredirects` (`old: "new.html"`, relative to the old page) and of `sphinxext-rediraffe`
 * (`"old.md": "new.md"`, from the root).
 */
function redirectsIn(relative: unknown, rooted: unknown): Map<string, string> {
  const targets = new Map<string, string>()
  const addAll = (setting: unknown, folder: (from: string) => string) => {
    for (const [from, to] of Object.entries(isRecord(setting) ? setting : {})) {
      if (typeof to !== 'string') continue
      const bare = from.replace(/\.(?:md|rst|html)$/i, '')
      const target = isWebAddress(to) ? to : joinPath(folder(bare), to)
      if (target !== undefined) targets.set(bare, target.replace(/\.(?:md|rst)$/i, '.html'))
    }
  }
  addAll(rooted, () => '')
  addAll(relative, folderOf)
  for (const [from, first] of targets) {
    let target = first
    for (let step = 0; step < LONGEST_CHAIN; step += 1)
      target = targets.get(target.replace(/\.html$/, '')) ?? target
    targets.set(from, target)
  }
  return targets
}

/** Redirects from both forms of an address, if their target is a page. The others are listed as problems once. */
function withBothForms(
  redirects: ReadonlyMap<string, string>,
  pages: readonly string[],
  root: string,
): Map<string, string> {
  const known = new Set(pages.map((path) => htmlAddress(path, root)))
  return new Map(
    [...redirects].flatMap(([from, to]): [string, string][] => {
      const forms: [string, string][] = [[`${from}.html`, to]]
      return known.has(to) || isWebAddress(to) ? [...forms, [from, to]] : forms
    }),
  )
}

/** The address of a page as the builder `html` gives it. */
const htmlAddress = (path: string, root: string) => pathBelow(path, root).replace(/\.\w+$/, '.html')

/** The addresses that the builder `dirhtml` gives to pages: a folder for each. */
function folderAddresses(pages: readonly string[], root: string): Map<string, string> {
  return new Map(
    pages.flatMap((path): [string, string][] => {
      const bare = pathBelow(path, root)
        .replace(/\.\w+$/, '')
        .replace(/(?:^|\/)index$/, '')
      return bare === '' ? [] : [[bare, htmlAddress(path, root)]]
    }),
  )
}

function labelsOf(project: MystFiles): Map<string, MystLabel> {
  const { files, pages } = project
  const labels = new Map<string, MystLabel>()
  for (const path of pages)
    addLabels(labels, path, mystTitle(project, path).written, pageSource(need(files, path)) ?? '')
  return labels
}

/** The places of a project that its pages name. */
interface ProjectNames {
  labels: MystLabels
  glossary: MystTarget | undefined
}

function linksOf(
  from: string,
  project: MystFiles,
  { labels, glossary }: ProjectNames,
  settings: MystSettings,
): MystLinks {
  const { files } = project
  const own = pageHead(need(files, from))
  const inHead =
    [own.substitutions, isRecord(own.myst) ? own.myst.substitutions : undefined].find(isRecord) ?? {}
  return {
    label(name) {
      const found = labels.get(labelKey(name))
      if (!found) return undefined
      const { path, anchor, title } = found
      const page = path === from && anchor !== undefined ? '' : addressFromTop(path)
      return {
        address: anchor === undefined ? page : `${page}#${anchor}`,
        ...(title === undefined ? {} : { title }),
      }
    },
    document(name) {
      if (name === '') return undefined
      const file = documentFile(project, folderOf(from), decodeAddress(name))
      if (file === undefined || !isProjectPage(file)) return undefined
      return { address: addressFromTop(file), title: mystTitle(project, file).shown }
    },
    term: () => glossary,
    substitution(name) {
      const value = inHead[name] ?? settings.substitutions[name]
      return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined
    },
    shortLink(role, value) {
      const [address, caption] = [settings.shortLinks[role]].flat()
      if (typeof address !== 'string') return undefined
      const title = typeof caption === 'string' ? caption.replace('%s', value) : address.replace('%s', value)
      return { address: address.replace('%s', encodeURI(value)), title }
    },
  }
}

/** The page that has the glossary of a project. */
function glossaryPage(files: SourceFiles, pages: readonly string[]): MystTarget | undefined {
  const path = pages.find((one) =>
    /^[ \t]{0,99}(?:`{3,}|:{3,})\{glossary\}/m.test(pageSource(need(files, one)) ?? ''),
  )
  return path === undefined ? undefined : { address: addressFromTop(path) }
}

/** The most files and characters that one page includes. */
const MOST_FILES = 500
const MOST_INCLUDED = 1_000_000

function includedFile(
  from: string,
  { files, root }: MystFiles,
): (address: string) => IncludedText | undefined {
  let left = MOST_INCLUDED
  let count = MOST_FILES
  return (address) => {
    const bare = decodeAddress(address.trim())
    const path = joinPath(bare.startsWith('/') ? root : folderOf(from), bare)
    const bytes = path === undefined || count === 0 ? undefined : files.get(path)
    const text = bytes && bytes.length <= left * 4 ? pageSource(bytes) : undefined
    if (path === undefined || text === undefined || text.length > left) return undefined
    left -= text.length
    count -= 1
    return { path, text: isProjectPage(path) ? text.slice(headLines(text).length) : text }
  }
}

/** The entries of a table of contents as a list of links, unless it is hidden. */
function contentsLines({ body, options }: MystDirective, from: string, project: MystFiles): string[] {
  const toctree = readToctree(body)
  if (toctree.isHidden || options.has('hidden')) return []
  const isGlob = toctree.isGlob || options.has('glob')
  const links = entryFiles(project, { ...toctree, isGlob }, from).flatMap(
    ({ file, url, title }): ListedPage[] => {
      if (url !== undefined) return [{ title: title ?? url, url, children: [] }]
      return file !== undefined && isProjectPage(file) ? [mystPage(project, file, title)] : []
    },
  )
  const caption = options.get('caption') ?? toctree.caption
  const lines = links.map(
    ({ title, url, file }) => `* [${title.replace(/[[\]]/g, '\\$&')}](${url ?? addressFromTop(file ?? '')})`,
  )
  return caption === '' || lines.length === 0 ? lines : [`**${caption}**`, '', ...lines]
}
