/** The tables of contents of DocFX: `toc.yml` and `toc.md`, which refer to each other by their folders. */
import { because } from '../../../languages/reasons.ts'
import { isRecord } from '../../../data/is-record.ts'
import { type Problem, repositoryLimits } from '../../../repository/model.ts'
import { readContentsYaml } from '../../../repository/yaml.ts'
import {
  decodeAddress,
  folderOf,
  isAbsoluteAddress,
  isWebAddress,
  joinPath,
  lastSegment,
  titleOfName,
} from '../../../text/file-paths.ts'
import type { SourceFiles } from '../../converted.ts'
import type { ListedPage } from '../../page-list.ts'
import { pageSource } from '../addresses.ts'
import { listedPage } from '../mdx-project.ts'
import { inFolder, isProjectPage } from '../project.ts'

const CONTENTS_FILE = /^toc\.(?:ya?ml|md|json)$/i
/** The most characters of a table of contents. */
const LONGEST_CONTENTS = 5_000_000
/** The most levels of entries; a space has no more levels of pages. */
const DEEPEST_CONTENTS = repositoryLimits.depth - 1

/** Whether a file is a table of contents. */
export const isDocFxContents = (path: string) => CONTENTS_FILE.test(lastSegment(path))

/** What the tables of contents refer to. */
interface Contents {
  files: SourceFiles
  /** The folder of `docfx.json`, in which `~/` paths begin. */
  root: string
  /** The paths of pages by their `uid`. */
  uids: ReadonlyMap<string, string>
  problems: Problem[]
  /** Tables of contents that are read already, because they may refer to each other. */
  read: Set<string>
}

/** An entry of a table of contents as it is written. */
interface TocEntry {
  title?: string | undefined
  href?: string | undefined
  homepage?: string | undefined
  uid?: string | undefined
  children: TocEntry[]
}

/** The page tree that begins with the table of contents nearest to the root. Those that nothing refers to follow. */
export function docFxTree(given: Omit<Contents, 'read'>): ListedPage[] {
  const contents: Contents = { ...given, read: new Set() }
  const all = [...given.files.keys()]
    .filter((path) => isDocFxContents(path) && (given.root === '' || path.startsWith(`${given.root}/`)))
    .toSorted((a, b) => a.split('/').length - b.split('/').length)
  const tree: ListedPage[] = []
  for (const path of all) {
    if (contents.read.has(path)) continue
    const pages = pagesOfContents(path, contents, 0)
    const folder = folderOf(path)
    if (folder === given.root) for (const page of pages) tree.push(page)
    else if (pages.length > 0) tree.push({ title: titleOfName(lastSegment(folder)), children: pages })
  }
  return tree
}

function pagesOfContents(path: string, contents: Contents, depth: number): ListedPage[] {
  if (contents.read.has(path)) return []
  contents.read.add(path)
  const text = pageSource(contents.files.get(path)) ?? ''
  const entries = /\.md$/i.test(path) ? headingEntries(text) : yamlEntries(text, path, contents)
  return pagesOfEntries(entries, path, contents, depth)
}

function yamlEntries(text: string, path: string, { problems }: Contents): TocEntry[] {
  const { value, fault } =
    text.length > LONGEST_CONTENTS
      ? { fault: because('contents-too-long'), value: undefined }
      : readContentsYaml(text)
  if (fault !== undefined) problems.push({ kind: 'setting', path, ...fault })
  return entriesIn(isRecord(value) ? value.items : value, 0)
}

function entriesIn(list: unknown, depth: number): TocEntry[] {
  if (!Array.isArray(list) || depth > DEEPEST_CONTENTS) return []
  return list.filter(isRecord).map((item): TocEntry => {
    const named = (...names: string[]) =>
      names.map((name) => item[name]).find((one): one is string => typeof one === 'string' && one !== '')
    return {
      title: named('name', 'displayName'),
      href: named('href', 'tocHref'),
      homepage: named('homepage', 'topicHref'),
      uid: named('uid', 'topicUid', 'homepageUid'),
      children: entriesIn(item.items, depth + 1),
    }
  })
}

/** The entries of `toc.md`, whose levels are those of its headings: `## [Title](page.md)`. */
function headingEntries(text: string): TocEntry[] {
  const top: TocEntry = { children: [] }
  const open: { level: number; entry: TocEntry }[] = [{ level: 0, entry: top }]
  for (const line of text.split(/\r\n?|\n/)) {
    const [, signs, rest = ''] = /^ {0,3}(#{1,6})[ \t]{1,9}(.{1,2000})$/.exec(line) ?? []
    if (signs === undefined) continue
    const [, label, href] = /^\[([^[\]]{1,500})\]\(([^()\s]{1,1000})\)/.exec(rest) ?? []
    const entry: TocEntry = { title: label ?? rest.trim(), href, children: [] }
    while ((open.at(-1)?.level ?? 0) >= signs.length) open.pop()
    ;(open.at(-1)?.entry ?? top).children.push(entry)
    open.push({ level: signs.length, entry })
  }
  return top.children
}

/** The pages of entries. An entry that has only a name is a heading above the entries that follow. */
function pagesOfEntries(
  entries: readonly TocEntry[],
  path: string,
  contents: Contents,
  depth: number,
): ListedPage[] {
  if (depth > DEEPEST_CONTENTS) return []
  const pages: ListedPage[] = []
  let heading: ListedPage | undefined
  for (const entry of entries) {
    const { title, href, homepage, uid, children } = entry
    if (title !== undefined && children.length === 0 && (href ?? homepage ?? uid) === undefined) {
      heading = { title, children: [], ...(depth === 0 ? { isGroup: true } : {}) }
      pages.push(heading)
      continue
    }
    const page = pageOfEntry(entry, path, contents, heading ? depth + 1 : depth)
    if (page) (heading?.children ?? pages).push(page)
  }
  return pages.filter((page) => page !== heading || page.children.length > 0)
}

function pageOfEntry(
  entry: TocEntry,
  path: string,
  contents: Contents,
  depth: number,
): ListedPage | undefined {
  const { title, href, homepage, uid } = entry
  const children = pagesOfEntries(entry.children, path, contents, depth + 1)
  if (href !== undefined && isAbsoluteAddress(href))
    return isWebAddress(href) ? { title: title ?? href, url: href, children } : undefined
  const target = href === undefined ? undefined : entryTarget(href, path, contents)
  const nested = target === undefined ? undefined : contentsAt(target, contents.files)
  const own = nested === undefined ? target : undefined
  const named =
    own ??
    (homepage === undefined ? undefined : entryTarget(homepage, path, contents)) ??
    contents.uids.get(uid ?? '')
  const file = named !== undefined && contents.files.has(named) && isProjectPage(named) ? named : undefined
  if (nested !== undefined)
    for (const page of pagesOfContents(nested, contents, depth + 1)) children.push(page)
  if (file === undefined && children.length === 0) {
    reportMissing(entry, path, contents)
    return undefined
  }
  if (file !== undefined) return { ...listedPage(contents.files, file, title), children }
  const group = depth === 0 ? { isGroup: true } : {}
  return { title: title ?? titleOfName(lastSegment(folderOf(nested ?? path))), children, ...group }
}

/** The path of a file or folder that an entry names. */
function entryTarget(href: string, path: string, { root }: Contents): string | undefined {
  const bare = decodeAddress(href.replace(/[?#].*$/s, ''))
  if (/^~[\\/]/.test(bare)) return joinPath(root, bare.slice(2))
  return joinPath(bare.startsWith('/') ? root : folderOf(path), bare)
}

/** The table of contents that an entry refers to by its path or its folder. */
function contentsAt(target: string, files: SourceFiles): string | undefined {
  if (isDocFxContents(target)) return files.has(target) ? target : undefined
  return ['toc.yml', 'toc.yaml', 'toc.md', 'TOC.yml', 'TOC.md', 'toc.json']
    .map((name) => inFolder(target, name))
    .find((one) => files.has(one))
}

function reportMissing({ href, uid, title }: TocEntry, path: string, { problems }: Contents): void {
  const address = href ?? uid
  const name = address ?? title
  if (name === undefined) return
  problems.push({
    kind: 'missing-page',
    path,
    ...because('entry-not-page', { name }),
    ...(address === undefined ? {} : { address }),
  })
}
