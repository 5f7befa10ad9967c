import { because } from '../../languages/reasons.ts'
import type { Problem } from '../../repository/model.ts'
import { compareNames, decodeAddress, isMarkdown, lastSegment } from '../../text/file-paths.ts'
import { ImportRefused } from '../../repository/refused.ts'
import { decodeText } from '../../repository/decode-text.ts'
import { printTitle } from '../../document/print.ts'
import { relativeAddress } from '../address-book.ts'
import { bytesOf, type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { dialectLines, leadingTitle, mapAddressesIn } from './dialect.ts'
import { escapeLabel } from '../pages-of-document.ts'

const WRONG = because('import-not-github-wiki')

const OTHER_MARKUP = /\.(?:mediawiki|wiki|rst|org|asciidoc|adoc|textile|rdoc|pod|creole)$/i

/** The pages of a wiki by name, in lower case with dashes. */
type WikiPages = ReadonlyMap<string, string>

/**
 * Converts the repository of a wiki on GitHub. Its sidebar is the page tree; pages that it does not list follow.
 * @throws ImportRefused if it has no page
 */
export function convertGithubWiki(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const converted: ConvertedSource = { files: new Map(), problems: wikiProblems(files) }
  const paths = [...files.keys()].filter((path) => isMarkdown(path) && !isFrame(path))
  const pages = new Map(paths.map((path) => [wikiKey(lastSegment(path)), path]))
  if (!pages.has('home') && !files.has('_Sidebar.md')) throw new ImportRefused(WRONG)

  for (const [path, bytes] of files) {
    if (isFrame(path) || OTHER_MARKUP.test(path)) continue
    converted.files.set(
      path,
      isMarkdown(path) ? bytesOf(wikiPage(path, decodedText(bytes, path), pages, files)) : bytes,
    )
  }
  const sidebar = files.get('_Sidebar.md')
  const lines = sidebar ? sidebarLines(decodedText(sidebar, '_Sidebar.md'), pages) : []
  const listed = new Set(lines.flatMap(({ path }) => path ?? []))
  const home = pages.get('home')
  const first = home !== undefined && !listed.has(home) ? [entry('', 'Home', home)] : []
  const rest = paths.filter((path) => path !== home && !listed.has(path)).toSorted(compareNames)
  const others = rest.map((path) => entry('', wikiTitle(path), path))
  // A rule ends the last group of the sidebar.
  const end = lines.length > 0 && others.length > 0 ? ['', '---', ''] : []
  const contents = ['# Table of contents', '', ...first, ...lines.map(({ text }) => text), ...end, ...others]
  converted.files.set('SUMMARY.md', bytesOf(`${contents.join('\n')}\n`))
  return converted
}

const isFrame = (path: string) => /(?:^|\/)_(?:Sidebar|Footer|Header)\.\w+$/i.test(path)

function wikiProblems(files: SourceFiles): Problem[] {
  return [...files.keys()].flatMap((path) => {
    if (OTHER_MARKUP.test(path)) return [{ path, ...because('page-of-other-markup') }]
    if (!isFrame(path) || /_Sidebar\.md$/i.test(path)) return []
    return [{ path, ...because('page-is-footer-or-header') }]
  })
}

function decodedText(bytes: Uint8Array, path: string): string {
  const text = decodeText(bytes)
  if (text === undefined) throw new ImportRefused(because('import-file-not-utf-8', { path }), path)
  return text
}

/** The name of a page as links write it: case, spaces and dashes are the same. */
function wikiKey(name: string): string {
  return name
    .replace(/\.(?:md|markdown)$/i, '')
    .trim()
    .toLowerCase()
    .replace(/[\s/]+/g, '-')
}

const wikiTitle = (path: string) =>
  lastSegment(path)
    .replace(/\.(?:md|markdown)$/i, '')
    .replaceAll('-', ' ')

function wikiPage(path: string, source: string, pages: WikiPages, files: SourceFiles): string {
  const lines = dialectLines(source).map(({ text, isCode }) => {
    if (isCode) return text
    const linked = mapWikiLinks(text, path, pages, files)
    return mapAddressesIn(linked, (address) => wikiAddress(address, path, pages))
  })
  const text = lines.join('\n').trim()
  return leadingTitle(text) === undefined ? `# ${printTitle(wikiTitle(path))}\n\n${text}\n` : `${text}\n`
}

/** Rewrites `[[Page]]`, `[[text|Page]]` and `[[picture.png|alt=text]]`. */
function mapWikiLinks(line: string, path: string, pages: WikiPages, files: SourceFiles): string {
  if (!line.includes('[[')) return line
  return line.replace(
    /(`[^`\n]{0,500}`)|\[\[([^[\]\n]{1,500})\]\]/g,
    (written, code?: string, inside = '') => {
      if (code !== undefined) return code
      const [first = '', ...more] = inside.split('|').map((part: string) => part.trim())
      if (/\.(?:png|jpe?g|gif|svg|webp)$/i.test(first)) {
        const alt = more.find((part: string) => part.startsWith('alt='))?.slice('alt='.length) ?? ''
        const file = first.replace(/^\//, '')
        const address = files.has(file) ? relativeAddress(path, file) : first
        return `![${escapeLabel(alt)}](<${address}>)`
      }
      const target = more[0] ?? first
      const address = wikiAddress(target, path, pages)
      return address === target && pages.get(wikiKey(target)) === undefined && !/^https?:/.test(target)
        ? written
        : `[${escapeLabel(first)}](<${address}>)`
    },
  )
}

/** The address of a page of the wiki; other addresses stay. */
function wikiAddress(address: string, path: string, pages: WikiPages): string {
  const inWiki = /^https?:\/\/github\.com\/[^/\s]{1,100}\/[^/\s]{1,100}\/wiki\/([^\s?]{1,300})$/i.exec(
    address,
  )?.[1]
  const written = inWiki ?? address.replace(/^(?:\.{0,2}\/)?wiki\/|^\.?\//, '')
  if (/^[a-z][a-z0-9+.-]*:|^[#/]/i.test(written)) return address
  const [name = '', anchor] = written.split('#', 2)
  const page = pages.get(wikiKey(decodeAddress(name)))
  if (page === undefined) return address
  return relativeAddress(path, page) + (anchor === undefined ? '' : `#${anchor}`)
}

interface SidebarLine {
  text: string
  /** The page that the line lists. */
  path?: string
}

/** The sidebar as a table of contents: headings are groups, and the first link of a line is its page. */
function sidebarLines(source: string, pages: WikiPages): SidebarLine[] {
  return dialectLines(source).flatMap(({ text, isCode }): SidebarLine[] => {
    if (isCode || text.trim() === '') return []
    const link = sidebarLink(text)
    const heading = /^ {0,3}#{1,6}[ \t]+(.+)$/.exec(text)?.[1]
    const bold = /^(?:\*\*|__)([^*_]{1,200})(?:\*\*|__):?$/.exec(text.trim())?.[1]
    if ((heading !== undefined || bold !== undefined) && !link)
      return [{ text: `\n## ${escapeLabel((heading ?? bold)!.trim())}\n` }]
    const indent = /^[ \t]*/.exec(text)?.[0] ?? ''
    if (!link) {
      const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(.+)$/.exec(text)?.[1]
      return item === undefined ? [] : [{ text: `${indent}* ${item}` }]
    }
    const address = wikiAddress(link.target, 'SUMMARY.md', pages)
    const path = pages.get(wikiKey(lastSegment(decodeAddress(address.split('#', 1)[0]!))))
    if (path === undefined && !/^https?:/i.test(address)) return []
    return [
      {
        ...(path === undefined ? {} : { path }),
        text: `${indent}* [${escapeLabel(link.label)}](<${address}>)`,
      },
    ]
  })
}

function sidebarLink(line: string): { label: string; target: string } | undefined {
  const wiki = /\[\[([^[\]\n]{1,500})\]\]/.exec(line)?.[1]
  if (wiki !== undefined) {
    const [label = '', target = label] = wiki.split('|').map((part) => part.trim())
    return { label, target }
  }
  const [, label, target] =
    /\[([^[\]\n]{1,500})\]\(<?((?:[^()\s<>]|\([^()\s<>]{0,100}\)){1,500})>?\)/.exec(line) ?? []
  return label === undefined || target === undefined ? undefined : { label, target }
}

function entry(indent: string, title: string, path: string): string {
  return `${indent}* [${escapeLabel(title)}](<${path}>)`
}
