/** Makes a book of pages: reads their HTML, and makes every link lead to its place in the book or to the web. */
import { needItem } from '../data/lists.ts'
import { safeUrl } from '../document/sanitize.ts'
import type { Book, BookBlock, BookInline, Chapter } from './model.ts'
import { bookText } from './model.ts'
import { readBookHtml } from './read-html.ts'
import type { BookReading } from './reader.ts'

/** An entry of the page tree, with its body as the reader sees it. */
export interface BookPage {
  id: string
  title: string
  /** 1 at the top level of the book. */
  level: number
  description?: string | undefined
  /** The path of the page on its host, which links to it have. Groups have none. */
  address?: string | undefined
  /** The body as HTML, or as a text if it could not be rendered; groups have none. */
  body?: { html: string } | { text: string } | undefined
}

/** How addresses that are not in the book are resolved. */
export interface BookSurroundings {
  /** The key of the image at an address; undefined for an image that is not a file of the space. */
  image(src: string): string | undefined
  /** The URL of an address on the host of the site; undefined if it has none outside. */
  outside(path: string): string | undefined
}

/** Characters of an anchor in a link. */
const LONGEST_ANCHOR = 1000

/** Makes a book of pages in reading order. */
export function makeBook(
  cover: Omit<Book, 'chapters'>,
  pages: readonly BookPage[],
  { image, outside }: BookSurroundings,
): Book {
  const byAddress = new Map<string, number>()
  const readings: BookReading[] = []
  const chapters = pages.map((page, index): Chapter => {
    if (page.address !== undefined) byAddress.set(page.address, index)
    const reading: BookReading = { words: cover.words, image, links: [], places: new Map() }
    readings.push(reading)
    const { id, title, level, description } = page
    return { page: id, id: `c${index}`, title, level, description, blocks: bookBlocks(page, reading) }
  })
  for (const [index, { links }] of readings.entries())
    for (const { node, href } of links) resolveLink(node, href, index)
  return { ...cover, chapters }

  function resolveLink(node: Extract<BookInline, { t: 'a' }>, href: string, index: number): void {
    const at = href.indexOf('#')
    const path = at < 0 ? href : href.slice(0, at)
    const target = path === '' ? index : (byAddress.get(path) ?? byAddress.get(withoutSlash(path)))
    if (target !== undefined) {
      node.to = chapterPlace(target, at < 0 ? '' : decoded(href.slice(at + 1)))
      return
    }
    const url = path.startsWith('/') && !/^\/[/\\]/.test(path) ? outside(href) : href
    const safe = url === undefined ? undefined : safeUrl(url)
    if (safe !== undefined && /^(?:https?|mailto|tel):/i.test(safe)) node.url = safe
  }

  /** The name of a place in a chapter, which the block there gets when the first link leads to it. */
  function chapterPlace(chapter: number, anchor: string): string {
    const { places } = needItem(readings, chapter)
    const place = anchor === '' ? undefined : places.get(anchor)
    if (!place) return `c${chapter}`
    place.id ??= `c${chapter}-${[...places.keys()].indexOf(anchor)}`
    return place.id
  }
}

function bookBlocks({ body }: BookPage, reading: BookReading): BookBlock[] {
  if (!body) return []
  return 'html' in body ? readBookHtml(body.html, reading) : paragraphs(body.text)
}

const withoutSlash = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

function decoded(anchor: string): string {
  try {
    return decodeURIComponent(anchor.slice(0, LONGEST_ANCHOR))
  } catch {
    return anchor
  }
}

/** The chapter as plain text, for a page that cannot be set otherwise. The places of links stay. */
export function plainChapter(chapter: Chapter): Chapter {
  return { ...chapter, blocks: textBlocks(chapter.blocks) }
}

/** Paragraphs of a text. */
export function paragraphs(text: string): BookBlock[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((s) => ({ t: 'p', c: [{ t: 's', s }] }))
}

function textBlocks(blocks: readonly BookBlock[]): BookBlock[] {
  return blocks.flatMap((block) => {
    const found = lineBlocks(block)
    const id = 'id' in block ? block.id : undefined
    const [first] = found
    if (id === undefined) return found
    if (first?.t === 'p' && first.id === undefined) return [{ ...first, id }, ...found.slice(1)]
    return [{ t: 'p', c: [], id }, ...found]
  })
}

function lineBlocks(block: BookBlock): BookBlock[] {
  const line = (s: string): BookBlock[] => (s.trim() === '' ? [] : [{ t: 'p', c: [{ t: 's', s }] }])
  switch (block.t) {
    case 'p':
    case 'h':
      return line(bookText(block.c))
    case 'list':
    case 'cards':
    case 'columns':
      return block.items.flatMap(({ b, ...item }) => {
        const id = 'id' in item ? item.id : undefined
        return textBlocks(id === undefined ? b : [{ t: 'p', c: [], id }, ...b])
      })
    case 'quote':
    case 'hint':
      return textBlocks(block.b)
    case 'part':
      return [...line(bookText(block.title)), ...textBlocks(block.b)]
    case 'code':
      return block.lines.flatMap(({ c }) => line(c.map(([text]) => text).join('')))
    case 'math':
      return line(block.source)
    case 'image':
      return [...line(block.alt), ...line(bookText(block.c ?? []))]
    case 'table':
      return [...(block.head ? [block.head] : []), ...block.rows].flatMap((row) =>
        row.flatMap(({ b }) => textBlocks(b)),
      )
    default:
      return []
  }
}
