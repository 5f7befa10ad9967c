import { because } from '../languages/reasons.ts'
import { need } from '../data/lists.ts'
import { assetNames } from './asset-names.ts'
import { printTitle } from '../document/print.ts'
import { isRecord } from '../data/is-record.ts'
import { ImportRefused } from '../repository/refused.ts'
import { repositoryLimits } from '../repository/model.ts'
import { decodeText } from '../repository/decode-text.ts'
import { relativeAddress } from './address-book.ts'
import { bytesOf, type ConvertedSource, type SourceFiles } from './converted.ts'
import { dialectLines, hintLines } from './markdown/dialect.ts'
import { readMarkup } from './html/markup.ts'
import { convertedOrKept } from './kept-file.ts'
import type { MarkupContext } from './html/markup-context.ts'
import { printHtmlPage } from './html/page.ts'
import { htmlContext } from './html-site.ts'
import { escapeLabel } from './pages-of-document.ts'
import { type ListedPage, placePages, printContents } from './page-list.ts'

const WRONG = because('import-not-bookstack')

/** A page or chapter of the export. The path of its file is the kind and the id, such as `page:40`. */
interface BookPage extends ListedPage {
  file: string
  html: string
  markdown: string
  attachments: { name: string; address: string }[]
  priority: number
  children: BookPage[]
}

/**
 * Converts the portable archive of a book, a chapter or a page. Chapters are pages with their description.
 * @throws ImportRefused if it is another archive
 */
export function convertBookStack(files: SourceFiles): ConvertedSource {
  const data = readData(files.get('data.json'))
  const reading: Reading = { names: new Map(), next: 0 }
  const tree = [
    ...(isRecord(data.book) ? bookPages(data.book, reading) : []),
    ...(isRecord(data.chapter) ? [chapterOf(data.chapter, reading)] : []),
    ...(isRecord(data.page) ? [bookstackPage(data.page, reading)] : []),
  ]
  if (tree.length === 0) throw new ImportRefused(WRONG)

  const paths = new Map<string, string>()
  placePages(tree, paths)
  const converted: ConvertedSource = { files: new Map(), problems: [] }
  placeBookFiles(files, reading.names, paths)
  const open = [...tree]
  for (let page = open.pop(); page; page = open.pop()) {
    const to = need(paths, page.file)
    const file = { path: to, to, title: page.title, bytes: bytesOf(page.html) }
    const own = page
    const text = convertedOrKept(file, converted, () => textOfPage(own, paths, converted))
    converted.files.set(to, bytesOf(text))
    for (const child of page.children) open.push(child)
  }
  for (const [from, to] of paths) if (from.startsWith('files/')) converted.files.set(to, need(files, from))
  converted.files.set('SUMMARY.md', printContents(tree, paths))
  return converted
}

interface Reading {
  /** The names of files of the archive, for people. */
  names: Map<string, string>
  /** The number of the next page that has no id. */
  next: number
}

function readData(bytes: Uint8Array | undefined): Record<string, unknown> {
  const text = bytes && decodeText(bytes)
  if (text === undefined) throw new ImportRefused(WRONG)
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // The message below says what is needed.
  }
  throw new ImportRefused(because('import-data-not-bookstack'), 'data.json')
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : '')
const recordsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : [])

/** The pages of a book; its description comes first. */
function bookPages(book: Record<string, unknown>, reading: Reading): BookPage[] {
  const pages = [
    ...recordsIn(book.chapters).map((chapter) => chapterOf(chapter, reading)),
    ...recordsIn(book.pages).map((page) => bookstackPage(page, reading)),
  ]
  const front = exportedRecord('book', book, textIn(book.description_html), '', reading)
  return [front, ...pages.toSorted((a, b) => a.priority - b.priority)]
}

function chapterOf(chapter: Record<string, unknown>, reading: Reading): BookPage {
  const page = exportedRecord('chapter', chapter, textIn(chapter.description_html), '', reading)
  const children = recordsIn(chapter.pages).map((child) => bookstackPage(child, reading))
  return { ...page, children: children.toSorted((a, b) => a.priority - b.priority) }
}

function bookstackPage(page: Record<string, unknown>, reading: Reading): BookPage {
  const attachments = recordsIn(page.attachments).flatMap((one) => {
    const [name, file, link] = [textIn(one.name), textIn(one.file), textIn(one.link)]
    if (file !== '') reading.names.set(file, name)
    if (file !== '') return [{ name: name || 'File', address: `[[bsexport:attachment:${file}]]` }]
    return /^https?:\/\//i.test(link) && URL.canParse(link) ? [{ name, address: new URL(link).href }] : []
  })
  for (const { name, file } of recordsIn(page.images)) reading.names.set(textIn(file), textIn(name))
  return { ...exportedRecord('page', page, textIn(page.html), textIn(page.markdown), reading), attachments }
}

function exportedRecord(
  kind: string,
  { id, name, priority }: Record<string, unknown>,
  html: string,
  markdown: string,
  reading: Reading,
): BookPage {
  reading.next += 1
  if (reading.next > repositoryLimits.pages)
    throw new ImportRefused(because('import-archive-too-many-pages', { limit: repositoryLimits.pages }))
  return {
    title: textIn(name).replace(/\s+/g, ' ').trim() || 'Untitled',
    file: `${kind}:${typeof id === 'number' ? id : `new-${reading.next}`}`,
    html,
    markdown,
    attachments: [],
    priority: typeof priority === 'number' ? priority : 0,
    children: [],
  }
}

/** Gives the files of the archive the names that people gave them, with the extension that the archive has. */
function placeBookFiles(
  files: SourceFiles,
  names: ReadonlyMap<string, string>,
  paths: Map<string, string>,
): void {
  const freePath = assetNames()
  for (const path of files.keys()) {
    if (!path.startsWith('files/')) continue
    const own = path.slice('files/'.length)
    const extension = /\.\w{1,10}$/.exec(own)?.[0] ?? /\.\w{1,10}$/.exec(names.get(own) ?? '')?.[0] ?? ''
    const name = (names.get(own) || own).replace(/[/\\\p{Cc}]/gu, '-').replace(/\.\w{1,10}$/, '')
    paths.set(path, freePath(name.replace(/^[.\s-]+/, '') || 'file', extension, 200))
  }
}

const REFERENCE = /\[\[bsexport:([a-z]{1,20}):([^[\]]{1,300})\]\]/g

function textOfPage(page: BookPage, paths: ReadonlyMap<string, string>, converted: ConvertedSource): string {
  const from = need(paths, page.file)
  const target = (kind: string, reference: string) => {
    const isFile = kind === 'image' || kind === 'attachment'
    const to = paths.get(isFile ? `files/${reference}` : `${kind}:${reference}`)
    if (to === undefined)
      converted.problems.push({
        path: from,
        ...because('reference-not-in-archive', { kind, name: reference }),
      })
    return to === undefined ? undefined : relativeAddress(from, to)
  }
  const written = (address: string) =>
    address.replace(REFERENCE, (_, kind, name) => target(kind, name) ?? '#')
  const attachments = page.attachments
    .map(
      ({ name, address }) =>
        `* [${escapeLabel(name)}](<${written(address).replace(/[<>\s]/g, encodeURIComponent)}>)`,
    )
    .join('\n')
  const end = attachments === '' ? '' : `\n${attachments}\n`
  if (page.markdown.trim() !== '')
    return `# ${printTitle(page.title)}\n\n${calloutLines(written(page.markdown)).join('\n').trim()}\n${end}`
  const context = htmlContext({ paths: new Map([[page.file, from]]) }, page.file, converted)
  const resolve = (address: string, else_: MarkupContext['link']) => {
    const match = new RegExp(`^${REFERENCE.source}(.*)$`, 's').exec(address.trim())
    if (!match) return else_(address)
    const [, kind = '', reference = '', rest = ''] = match
    const to = target(kind, reference)
    return to === undefined ? undefined : `${to}${rest}`
  }
  const html = printHtmlPage(
    { title: page.title, content: readMarkup(page.html, page.title).children },
    {
      ...context,
      link: (address) => resolve(address, context.link),
      image: (address) => resolve(address, context.image),
      isFile: (address) => address.includes('[[bsexport:attachment:'),
    },
  )
  return `${html}${end}`
}

const CALLOUTS: Record<string, string> = {
  info: 'info',
  success: 'success',
  warning: 'warning',
  danger: 'danger',
}

/** BookStack writes callouts in Markdown as paragraphs of HTML. */
function calloutLines(source: string): string[] {
  return dialectLines(source).flatMap(({ text, isCode }) => {
    const match = isCode ? null : /^<p class="callout (\w{1,10})">(.*)<\/p>$/.exec(text.trim())
    const [, kind = '', content = ''] = match ?? []
    const style = Object.hasOwn(CALLOUTS, kind) ? CALLOUTS[kind] : undefined
    return style === undefined ? [text] : ['', ...hintLines(style, [content]), '']
  })
}
