/** Exports of Wiki.js: its storage of files, in which the paths are the tree and the front matter has the titles. */
import { append } from '../data/lists.ts'
import { printTitle } from '../document/print.ts'
import { because } from '../languages/reasons.ts'
import type { Problem } from '../repository/model.ts'
import { ImportRefused } from '../repository/refused.ts'
import { folderOf, isBelow, isLeftAlone, lastSegment, pathBelow } from '../text/file-paths.ts'
import { bytesOf, type ConvertedSource, type SourceFiles, withoutSingleFolder } from './converted.ts'
import { decodeHtml } from './html/decode.ts'
import { readMarkup } from './html/markup.ts'
import { openPage, printHtmlPage } from './html/page.ts'
import { htmlContext } from './html-site.ts'
import { dialectLines, leadingTitle } from './markdown/dialect.ts'
import { NotUnderstood } from './markdown/not-understood.ts'
import { wikiJsLines } from './markdown/wiki-js.ts'
import { type Head, headLines, pageHead, pageSource } from './projects/addresses.ts'
import { folderTree } from './projects/folder-tree.ts'
import { convertProject, inFolder, isProjectPage } from './projects/project.ts'

/** Converts an export of Wiki.js. @throws ImportRefused if it has no page */
export function convertWikiJs(source: SourceFiles): ConvertedSource {
  const problems: Problem[] = []
  const files = withMarkdownPages(withoutSingleFolder(source), problems)
  const { root, locale } = placeOfPages(files)
  const heads = new Map<string, Head>()
  for (const [path, bytes] of files)
    if (isProjectPage(path) && isBelow(path, root) && !isLeftAlone(path)) heads.set(path, pageHead(bytes))
  if (heads.size === 0) throw new ImportRefused(because('import-project-without-page', { source: 'wiki-js' }))
  const addresses = new Map([...heads.keys()].map((path) => [wikiAddress(path, root), path]))
  const folders = new Set([...heads.keys()].map(folderOf))
  const front = inFolder(root, 'home.md')
  const tree = folderTree(files, root, {
    page: (path, head) => ({
      title: titleIn(head),
      position: path === front ? -Infinity : undefined,
    }),
    folder: (path) => ({ title: titleIn(heads.get(`${path}.md`) ?? {}) }),
    // A page has the pages in the folder of its name below it.
    ownFolder: (path) => {
      const folder = path.replace(/\.\w+$/, '')
      return folders.has(folder) ? folder : undefined
    },
  })
  const converted = convertProject(files, 'wiki-js', {
    root,
    shared: [root],
    snippets: [],
    tree: tree.pages,
    isPage: (path) => heads.has(path),
    body(text, _, { path, line }) {
      const unknown = new NotUnderstood()
      const start = /^\n*/.exec(text)?.[0].length ?? 0
      const lines = wikiJsLines(text.slice(start), {
        line: line + start,
        unknown,
        address: (one) => withoutLocale(one, locale, addresses),
      })
      append(problems, unknown.problems(path))
      const title = titleIn(heads.get(path) ?? {})
      const own = leadingTitle(lines.map((one) => one.text).join('\n'))
      // The title of a page is not among its headings.
      return title === undefined || own === title
        ? lines
        : [...dialectLines(`# ${printTitle(title)}\n`), ...lines]
    },
    addressOf: (path) => wikiAddress(path, root),
    redirects: new Map([...addresses.keys()].map((address) => [`${locale}/${address}`, address])),
  })
  append(converted.problems, problems)
  return converted
}

const titleIn = ({ title }: Head): string | undefined =>
  typeof title === 'string' && title.trim() !== ''
    ? title.trim()
    : typeof title === 'number'
      ? String(title)
      : undefined

const wikiAddress = (path: string, root: string) => pathBelow(path, root).replace(/\.\w+$/, '')

/** The folder of the pages, which may be that of a language, and the language in addresses. */
function placeOfPages(files: SourceFiles): { root: string; locale: string } {
  if (files.has('home.md')) return { root: '', locale: 'en' }
  const home = files.keys().find((path) => /^[a-z]{2}(?:-[a-z]{2,4})?\/home\.md$/i.test(path))
  return home === undefined ? { root: '', locale: 'en' } : { root: folderOf(home), locale: folderOf(home) }
}

/** An address on the wiki without its language, if it is that of a page then. */
function withoutLocale(address: string, locale: string, addresses: ReadonlyMap<string, string>): string {
  const start = `/${locale}/`
  if (!address.startsWith(start)) return address
  const bare = address.slice(start.length)
  return addresses.has(bare.replace(/[?#].*$/s, '')) ? `/${bare}` : address
}

/** The files of an export, with pages of HTML as Markdown, and the fields of all pages as Lectern has them. */
function withMarkdownPages(files: SourceFiles, problems: Problem[]): SourceFiles {
  const written = new Map<string, Uint8Array>()
  for (const [path, bytes] of files) {
    if (isLeftAlone(path)) continue
    if (isHtmlPage(path, bytes)) {
      const to = path.replace(/\.html$/i, '.md')
      if (files.has(to)) problems.push({ path, ...because('page-in-two-formats', { name: lastSegment(to) }) })
      else written.set(to, bytesOf(markdownOfHtml(path, bytes, { files: written, problems })))
    } else if (isProjectPage(path)) {
      const text = pageSource(bytes)
      written.set(path, text === undefined ? bytes : bytesOf(withFields(text)))
    } else written.set(path, bytes)
  }
  return written
}

/** Pages that are not published become hidden ones, and tags become a list. The lines keep their numbers. */
function withFields(text: string): string {
  const head = headLines(text)
  const fields = head
    .replace(/^published:[ \t]{0,9}false[ \t]{0,9}$/m, 'hidden: true')
    .replace(/^tags:[ \t]{0,9}([^\s[{|>"'].{0,2000})$/m, (_, tags: string) => {
      const names = tags.split(',').map((one) => one.trim())
      return `tags: ${JSON.stringify(names.filter((one) => one !== ''))}`
    })
  return fields + text.slice(head.length)
}

const HTML_FIELDS = /^\s{0,99}<!--\r?\n((?:[^\n-][^\n]{0,2000}\n){0,50})-->/

const isHtmlPage = (path: string, bytes: Uint8Array) =>
  /\.html$/i.test(path) && HTML_FIELDS.test(new TextDecoder().decode(bytes.subarray(0, 20_000)))

/** A page that was written as HTML, whose fields are in a comment at its beginning. */
function markdownOfHtml(path: string, bytes: Uint8Array, converted: ConvertedSource): string {
  const source = decodeHtml(bytes, path)
  const [whole = '', fields = ''] = HTML_FIELDS.exec(source) ?? []
  const { content } = openPage(readMarkup(source.slice(whole.length), path))
  const text = printHtmlPage({ content }, htmlContext({ paths: new Map() }, path, converted))
  return withFields(`---\n${fields.replace(/\r/g, '')}---\n\n${text}`)
}
