/** The addresses that a generator gave to its pages, as redirects of the repository that its project becomes. */
import { because } from '../../languages/reasons.ts'
import { isRecord } from '../../data/is-record.ts'
import { need } from '../../data/lists.ts'
import { decodeText } from '../../repository/decode-text.ts'
import type { Problem } from '../../repository/model.ts'
import { readRepositoryYaml } from '../../repository/yaml.ts'
import {
  decodeAddress,
  folderOf,
  isAbsoluteAddress,
  isBelow,
  isWebAddress,
  joinPath,
} from '../../text/file-paths.ts'
import { withoutEnd } from '../../text/trimming.ts'
import { relativeAddress, schemeOf } from '../address-book.ts'
import type { SourceFiles } from '../converted.ts'

/** The fields of the front matter of a page. */
export type Head = Readonly<Record<string, unknown>>

/** The text of a page, with line feeds as the ends of its lines; undefined if it is not text. */
export const pageSource = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && decodeText(bytes)?.replace(/\r\n?/g, '\n')

/** The characters of a page in which its title is. */
const BEGINNING = 20_000

/** The beginning of a page, as `pageSource` has it, which is enough for its title. */
export const pageBeginning = (bytes: Uint8Array | undefined): string =>
  pageSource(bytes)?.slice(0, BEGINNING) ?? ''

/** The fields of the front matter of a page. */
export const pageHead = (bytes: Uint8Array | undefined): Head => readHead(headLines(pageSource(bytes) ?? ''))

/**
 * The front matter at the beginning of a text, with its lines of dashes; empty without one.
 * @param text with line feeds as the ends of its lines, as `pageSource` has it
 */
export const headLines = (text: string): string =>
  /^---\n(?:[\s\S]{0,100000}?\n)?---(?:\n|$)/.exec(text)?.[0] ?? ''

/** Reads front matter with its lines of dashes. It has no fields if it is not valid YAML. */
export function readHead(lines: string): Head {
  const { value } = readRepositoryYaml(lines.replace(/^---\n|\n---\n?$/g, ''))
  return isRecord(value) ? value : {}
}

/** An address without its host, its query, and the slashes around it. */
export function bareAddress(address: string): string {
  const path = decodeAddress(address.trim().replace(/[?#].*$/s, '')).normalize('NFC')
  return withoutEnd(path.replace(/^(?:\.?\/)+/, ''), '/')
}

/** The redirects of a project before they are written. */
export interface OldAddresses {
  /** The file of each page by its address on the site of the generator. */
  pages: ReadonlyMap<string, string>
  /** The path below which the site had its pages. Redirects are written with it and without it. */
  base: string
  /** The path of the whole site on its host, such as `handbook`; redirects are written with it too. */
  site?: string
  /** The redirects of the site itself: the address of today by an old one. */
  redirects: ReadonlyMap<string, string>
}

/** The characters that redirects may have in settings of a repository. */
const LONGEST_SETTINGS = 900_000

/**
 * The redirects from the addresses of a generator, as they are written in the settings of a repository.
 * @param target the path of the page of a file, relative to the root; undefined for a file that is no page of the tree
 */
export function printRedirects(
  { pages, base, site = '', redirects }: OldAddresses,
  target: (file: string) => string | undefined,
  problems: Problem[],
): string {
  const lines = new Map<string, string>()
  let left = LONGEST_SETTINGS
  let skipped = 0
  const add = (from: string, to: string) => {
    if (from === '' || lines.has(from.toLowerCase())) return
    const line = `  ${JSON.stringify(from)}: ${JSON.stringify(to)}\n`
    left -= line.length
    if (left < 0) skipped += 1
    else lines.set(from.toLowerCase(), line)
  }
  const inner = (address: string) =>
    base !== '' && address.startsWith(`${base}/`) ? address.slice(base.length + 1) : undefined
  const addBoth = (from: string, to: string) => {
    add(from, to)
    add(inner(from) ?? '', to)
    if (site !== '' && from !== '') add(`${site}/${from}`, to)
  }
  const files = new Map<string, string>()
  for (const [address, file] of pages)
    for (const one of [address, inner(address)])
      if (one !== undefined && !files.has(one)) files.set(one, file)
  for (const [address, file] of pages) {
    const to = target(file)
    if (to !== undefined) addBoth(bareAddress(address), to)
  }
  for (const [from, to] of redirects) {
    const file = files.get(bareAddress(to)) ?? files.get(withoutSite(bareAddress(to), site))
    const page = isAbsoluteAddress(to) ? undefined : target(file ?? bareAddress(to))
    if (/[*:[]/.test(from) || (page === undefined && !isWebAddress(to))) {
      const why = because('redirect-not-imported', { from, to })
      problems.push({ kind: 'redirect', path: '.gitbook.yaml', address: to, ...why })
    } else addBoth(bareAddress(from), page ?? to)
  }
  if (skipped > 0)
    problems.push({
      kind: 'redirect',
      path: '.gitbook.yaml',
      ...because('redirects-beyond-limit', { count: skipped }),
    })
  return lines.size === 0 ? '' : `redirects:\n${[...lines.values()].join('')}`
}

const withoutSite = (address: string, site: string) =>
  site !== '' && isBelow(address, site) ? address.slice(site.length + 1) : address

/** The redirects in a file `_redirects`: an old address and that of today in each line, and perhaps a status. */
export function redirectLines(text: string): Map<string, string> {
  const redirects = new Map<string, string>()
  for (const line of text.split(/\r\n?|\n/)) {
    const [, from, to] = /^\s{0,9}(\/\S{0,2000})[ \t]{1,99}(\S{1,2000})/.exec(line) ?? []
    if (from !== undefined && to !== undefined) redirects.set(from, to)
  }
  return redirects
}

/** How a generator made the addresses of its site. */
interface SiteOfProject {
  /** The address of a page by the path of its file, without the slash before it. */
  addressOf?(path: string, head: Head): string | undefined
  /** The path below which the site had its pages. */
  base?: string
  /** The path of the whole site on its host. */
  site?: string
}

/** The addresses that pages had on the site of a generator. */
interface OldPageAddresses {
  /** The path of each page by its address, without the slashes around it. */
  pages: Map<string, string>
  /** The address of the page that was the target of a link on the site; undefined if no page was. */
  link(from: string, address: string): string | undefined
}

/**
 * Reads the addresses of the pages of a site.
 * @param paths of the files of its pages
 */
export function oldPageAddresses(
  files: SourceFiles,
  paths: readonly string[],
  { addressOf, base = '', site = '' }: SiteOfProject,
): OldPageAddresses {
  const pages = new Map<string, string>()
  const own = new Map<string, string>()
  // If several pages have one address, it is that of the last of them.
  for (const path of addressOf ? paths : []) {
    const address = addressOf?.(path, pageHead(need(files, path)))
    if (address === undefined) continue
    own.set(path, bareAddress(address))
    pages.set(bareAddress(address), path)
  }
  return {
    pages,
    link(from, written) {
      const old = own.get(from)
      if (old === undefined || written === '' || /^[#?]|^\/\//.test(written) || schemeOf(written))
        return undefined
      const hash = written.indexOf('#')
      const bare = decodeAddress(written.replace(/[?#].*$/s, ''))
      // The address of a page is a folder for links on it, unless it is that of a file.
      const folder = bare.startsWith('/') ? '' : /\.html?$/i.test(old) ? folderOf(old) : old
      const joined = joinPath(folder, bare)
      const found = joined === undefined ? undefined : withoutSite(joined, bare.startsWith('/') ? site : '')
      if (found === undefined) return undefined
      const forms = [found, ...(base === '' ? [] : [`${base}/${found}`])]
      if (base !== '' && isBelow(found, base)) forms.push(found.slice(base.length + 1))
      const path = forms.map((form) => pages.get(form)).find((one) => one !== undefined)
      if (path === undefined) return undefined
      return relativeAddress(from, path.replace(/\.mdx$/i, '.md')) + (hash === -1 ? '' : written.slice(hash))
    },
  }
}
