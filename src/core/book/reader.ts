import type { Element } from 'hast'
import { classNamesOf } from './elements.ts'
import type { BookBlock, BookInline, BookWords } from './model.ts'

/** The input of `readBookHtml`, and the links and places that it finds. */
export interface BookReading {
  words: BookWords
  /** The key of the image at an address of the site; undefined for an image that is not a file of the space. */
  image(src: string): string | undefined
  /** Every link, with its address as it is in the HTML. */
  links: { node: Extract<BookInline, { t: 'a' }>; href: string }[]
  /** The blocks that links can lead to, by their id in the HTML. */
  places: Map<string, { id?: string }>
}

/** The reading of one page, and how many elements are around the current one. */
export interface BookReader extends BookReading {
  depth: number
}

/** Elements inside one another deeper than this are left out. */
const MAX_DEPTH = 100

/** Reads what is inside an element; nothing if it is too deep. */
export function deeper<T>(reader: BookReader, read: () => T[]): T[] {
  if (reader.depth >= MAX_DEPTH) return []
  reader.depth++
  const found = read()
  reader.depth--
  return found
}

/** Records that links to the element lead to the block. */
export function named(reader: BookReader, element: Element, block: BookBlock): BookBlock {
  record(reader, element, block)
  return block
}

/** Records that links to the element lead to a place. */
export function record(reader: BookReader, element: Element, place: { id?: string }): void {
  const { id } = element.properties
  if (typeof id === 'string' && id !== '' && !reader.places.has(id)) reader.places.set(id, place)
}

/** Links to an element that is no block of the book lead to its first block. */
export function passThrough(reader: BookReader, element: Element, found: BookBlock[]): BookBlock[] {
  const [first] = found
  if (first) record(reader, element, first)
  return found
}

/** Whether an element has nothing for a book. */
export function isSkipped(element: Element): boolean {
  return SKIPPED.has(element.tagName) || classNamesOf(element).some((name) => SKIPPED_CLASSES.has(name))
}

const SKIPPED = new Set(['script', 'style', 'template', 'svg', 'video', 'audio', 'iframe', 'colgroup'])
/** Elements that only pages of a site have: links to headings, tools, icons, lists of tabs, text for screen readers. */
const SKIPPED_CLASSES = new Set([
  'anchor',
  'code-tools',
  'hint-icon',
  'step-icon',
  'tab-list',
  'note-back',
  'unseen',
  'ui',
  'link-cover',
])
