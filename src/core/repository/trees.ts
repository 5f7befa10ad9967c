/** The documentation trees of a repository: a monorepo has several, each with a table of contents of its own. */
import { isRecord } from '../data/is-record.ts'
import { LANGUAGES } from '../languages/content-languages.ts'
import { folderOf, isHidden, isMarkdown, joinPath, lastSegment } from '../text/file-paths.ts'
import { decodeText } from './decode-text.ts'
import { readRepositoryYaml } from './yaml.ts'

/** A documentation tree of a repository. */
export interface DocumentationTree {
  /** Its folder, which has its settings or its table of contents; empty for the whole repository. */
  folder: string
  /** The code of the language that the folder is named after, or a folder above it. */
  language?: string
  /** The number of Markdown files in the folder. */
  pages: number
}

/** The most levels of folders above a tree. Deeper ones belong to examples and tests. */
const DEEPEST = 6
const CODES = new Set(LANGUAGES)
/** Of the Markdown files, the part that folders of languages must have to be trees. */
const MOST = 0.8

/**
 * The documentation trees of a repository, by folder. A table of contents or settings at the top make it one tree, and so
 * does a single one below. Otherwise there is a tree for each folder that a `docs.yaml` names, or that has `SUMMARY.md` or
 * `.gitbook.yaml`, or that is named after a language and stands beside another such folder.
 */
export function treesOf(files: ReadonlyMap<string, Uint8Array>): DocumentationTree[] {
  const markdown = [...files.keys()].filter((path) => isMarkdown(path) && !isHidden(path))
  const folders = found(files, markdown)
  const pages = new Map<string, number>()
  for (const path of markdown)
    for (const folder of foldersAbove(path)) pages.set(folder, (pages.get(folder) ?? 0) + 1)
  return folders
    .map((folder) => ({ folder, ...languageOf(folder), pages: pages.get(folder) ?? 0 }))
    .filter((tree) => tree.pages > 0)
}

function found(files: ReadonlyMap<string, Uint8Array>, markdown: readonly string[]): string[] {
  const named = foldersInSettings(files, markdown)
  if (named.length > 1) return named
  const contents = outermost(foldersWithContents(files))
  if (contents.includes('')) return ['']
  if (contents.length > 0) return contents
  const languages = foldersOfLanguages(markdown)
  return languages.length > 1 ? languages : ['']
}

function foldersWithContents(files: ReadonlyMap<string, Uint8Array>): string[] {
  const folders = new Set<string>()
  for (const path of files.keys()) {
    if (!/^(?:summary\.md|\.gitbook\.yaml)$/i.test(lastSegment(path))) continue
    const folder = folderOf(path)
    if (folder.split('/').length <= DEEPEST && !isHidden(folder)) folders.add(folder)
  }
  return [...folders]
}

/** The folders that are in none of the others. */
function outermost(folders: readonly string[]): string[] {
  const known = new Set(folders)
  return folders
    .filter((folder) => folder === '' || ![...foldersAbove(folder)].some((above) => known.has(above)))
    .toSorted()
}

/** The folders above a path that may be trees, from the outermost: `a/b/c` is in ``, `a` and `a/b`. */
function* foldersAbove(path: string): Generator<string> {
  yield ''
  let slash = path.indexOf('/')
  for (let level = 0; slash !== -1 && level < DEEPEST; level += 1) {
    yield path.slice(0, slash)
    slash = path.indexOf('/', slash + 1)
  }
}

/** The folders that a `docs.yaml` at the top names, anywhere in it. */
function foldersInSettings(files: ReadonlyMap<string, Uint8Array>, markdown: readonly string[]): string[] {
  const bytes = files.get('docs.yaml') ?? files.get('docs.yml')
  const text = bytes && decodeText(bytes)
  if (text === undefined) return []
  const known = new Set(markdown.flatMap((path) => [...foldersAbove(path)]))
  const named = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      const folder = joinPath('', value)
      if (folder !== undefined && folder !== '' && known.has(folder)) named.add(folder)
    } else if (Array.isArray(value)) value.forEach(visit)
    else if (isRecord(value)) Object.values(value).forEach(visit)
  }
  visit(readRepositoryYaml(text).value)
  return outermost([...named])
}

/** Folders beside each other that are named after languages, if they have most of the pages. */
function foldersOfLanguages(markdown: readonly string[]): string[] {
  const counts = new Map<string, Map<string, number>>()
  for (const path of markdown)
    for (const folder of foldersAbove(path)) {
      if (languageOfName(lastSegment(folder)) === undefined) continue
      const parent = folderOf(folder)
      const beside = counts.get(parent) ?? new Map<string, number>()
      beside.set(folder, (beside.get(folder) ?? 0) + 1)
      counts.set(parent, beside)
    }
  for (const beside of counts.values()) {
    const pages = [...beside.values()].reduce((sum, one) => sum + one, 0)
    if (beside.size > 1 && pages >= MOST * markdown.length) return [...beside.keys()].toSorted()
  }
  return []
}

function languageOf(folder: string): Pick<DocumentationTree, 'language'> {
  const language = languageOfName(languageNameIn(folder) ?? '')
  return language === undefined ? {} : { language }
}

/** The innermost part of a path that is named after a language. */
function languageNameIn(folder: string): string | undefined {
  return folder.split('/').findLast((name) => languageOfName(name) !== undefined)
}

/**
 * Returns the documentation that a tree is a translation of, and its BCP 47 language tag: `api/zh_CN/guide` →
 * `api/guide` and `zh-cn`. Trees of the same documentation differ only in the tag.
 */
export function translationOf(folder: string): { documentation: string; tag?: string } {
  const name = languageNameIn(folder)
  if (name === undefined) return { documentation: folder }
  const parts = folder.split('/')
  parts.splice(parts.lastIndexOf(name), 1)
  return { documentation: parts.join('/'), tag: name.toLowerCase().replace('_', '-') }
}

/** The code of the language that a name or a tag has: `zh-CN` → `zh`, `pt-br` → `pt-br`; undefined for any other name. */
function languageOfName(name: string): string | undefined {
  const code = name.toLowerCase().replace('_', '-')
  if (CODES.has(code)) return code
  const base = /^([a-z]{2})-(?:[a-z]{2}|hans|hant)$/.exec(code)?.[1]
  return base !== undefined && CODES.has(base) ? base : undefined
}
