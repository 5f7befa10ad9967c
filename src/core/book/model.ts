/**
 * A book: the pages of a space as one tree of plain data, from which a PDF or an EPUB is made. Keys are short, because the
 * tree of a large space is passed on as JSON.
 */

/** A book, with everything that its cover and its contents need. */
export interface Book {
  title: string
  description?: string | undefined
  /** The line below the title, such as the date of the content. */
  note: string
  /** The language of the content (BCP 47). */
  language: string
  direction: 'ltr' | 'rtl'
  pageSize: PageSize
  /** The key of the image on the cover. */
  logo?: string | undefined
  /** Whether the book has a cover and a table of contents. A single page has neither. */
  whole: boolean
  words: BookWords
  chapters: Chapter[]
}

export type PageSize = 'a4' | 'us-letter'

/** The words that a book adds to its content. */
export interface BookWords {
  contents: string
  hint: Record<string, string>
  /** The name of an image without a description. */
  image: string
  formula: string
}

/** A page or a group of the page tree, in reading order. */
export interface Chapter {
  /** The id of the page. */
  page: string
  /** The name of the place where the chapter begins, unique in the book. */
  id: string
  title: string
  /** 1 at the top level of the book. */
  level: number
  description?: string | undefined
  blocks: BookBlock[]
}

export type BookBlock =
  | { t: 'p'; c: BookInline[]; id?: string; align?: 'center' | 'end'; rtl?: true }
  | { t: 'h'; level: 1 | 2 | 3; c: BookInline[]; id?: string; rtl?: true }
  | { t: 'list'; start?: number; id?: string; items: { b: BookBlock[]; id?: string; done?: boolean }[] }
  | { t: 'rule'; id?: string }
  | { t: 'quote'; b: BookBlock[]; id?: string }
  | { t: 'hint'; style: string; b: BookBlock[]; id?: string }
  | { t: 'code'; title?: string; numbered?: true; lines: CodeLine[]; id?: string }
  | { t: 'math'; m: MathNode[]; source: string; id?: string }
  | { t: 'image'; src: string; alt: string; width?: ImageWidth; c?: BookInline[]; id?: string }
  | { t: 'table'; widths?: (number | null)[]; head?: BookCell[]; rows: BookCell[][]; id?: string }
  | { t: 'cards'; items: { b: BookBlock[] }[]; id?: string }
  | { t: 'columns'; items: { b: BookBlock[]; share?: number }[]; id?: string }
  /** A part with a title: a tab, a step, a section that readers of the site unfold, a dated entry. */
  | { t: 'part'; title: BookInline[]; number?: number; b: BookBlock[]; id?: string }

/** A width in CSS pixels, or in per cent of the line. */
export type ImageWidth = { px: number } | { percent: number }

export interface BookCell {
  b: BookBlock[]
  align?: 'center' | 'end'
}

/** The runs of a line of code: a text, and the kind of its token. */
export interface CodeLine {
  c: [text: string, kind?: string][]
  marked?: true
}

export type BookInline =
  | { t: 's'; s: string; m?: BookMark[]; ink?: string; wash?: string }
  /** A link to a place in the book, or to a URL. */
  | { t: 'a'; c: BookInline[]; to?: string; url?: string }
  | { t: 'br' }
  | { t: 'img'; src: string; alt: string; px?: number; line?: true }
  | { t: 'm'; m: MathNode[]; source: string }
  | { t: 'check'; done: boolean }

/** Bold, italic, code, keyboard, struck through, superscript, subscript. */
export type BookMark = 'b' | 'i' | 'c' | 'k' | 's' | 'sup' | 'sub'

/** A formula: the elements of MathML that a typesetter draws. */
export type MathNode =
  /** An identifier, a number, an operator or a text. */
  | { t: 'mi' | 'mn' | 'mo' | 'mt'; s: string; variant?: string; stretchy?: true }
  | { t: 'row'; c: MathNode[] }
  | { t: 'frac'; c: [MathNode, MathNode]; bare?: true }
  | { t: 'root'; c: [MathNode] | [MathNode, MathNode] }
  | { t: 'attach'; base: MathNode; sub?: MathNode; sup?: MathNode; under?: MathNode; over?: MathNode }
  | { t: 'accent'; base: MathNode; s: string; below?: true }
  | { t: 'table'; rows: { c: MathNode[] }[]; align?: string }
  | { t: 'space'; em: number }
  | { t: 'box' | 'cancel'; c: MathNode }

/** The text of a row of inlines, without its markup. */
export function bookText(inlines: readonly BookInline[]): string {
  return inlines.map(textOfInline).join('')
}

function textOfInline(one: BookInline): string {
  if (one.t === 's') return one.s
  if (one.t === 'a') return bookText(one.c)
  if (one.t === 'br') return '\n'
  if (one.t === 'img') return one.alt
  return one.t === 'm' ? one.source : one.done ? '☑' : '☐'
}
