/** A book in the EPUB format as plain data: what goes in, and what a thread makes of a page of it. */
import type { ArchivedFile } from '../zip/zip.ts'
import type { HighlightedCode } from '../document/html/renderer.ts'
import type { BodyTask } from '../reading/body.ts'

/** A book. Its bytes depend only on this and on the content of its pages and images. */
export interface EpubBook {
  title: string
  description?: string | undefined
  /** The line below the title, such as the date of the content. */
  note?: string | undefined
  author?: string | undefined
  /** The language of the content (BCP 47). */
  language: string
  direction: 'ltr' | 'rtl'
  /** Globally unique and the same for every edition of the book, such as the URL of the space. */
  identifier: string
  /** When the content changed last (ISO 8601). */
  modified: string
  words: { contents: string; cover: string }
  /** The image that the libraries of reading systems show. */
  cover?: EpubImageFile | undefined
  /** The image above the title. */
  logo?: EpubImageFile | undefined
  /** A WOFF2 font with a MATH table. It is part of the book if a page has formulas. */
  mathFont?: Uint8Array | undefined
  /** In reading order. */
  pages: readonly EpubPage[]
}

/** An image, by a key that distinguishes it from the others, such as the id of its file. */
export interface EpubImageFile {
  key: string
  contentType: string
}

/** A page or a group of the page tree. */
export interface EpubPage {
  id: string
  title: string
  description?: string | undefined
  /** An emoji code, such as `1f4e6`. */
  emoji?: string | undefined
  /** 1 at the top level of the book. The pages below a page follow it and have the next level. */
  level: number
  /** Whether the page has content besides its title. */
  hasBody: boolean
}

/** The content of a page, as its reader may see it. Addresses in `targets` are absolute. */
export interface EpubBody extends BodyTask {
  /** The tokens of highlighted code, by the key of its block. */
  highlighted?: Map<string, HighlightedCode>
  /** The style of icons, as in the settings of a site. */
  icons?: string
}

/** The data that a thread needs to make the file of a page. */
export interface EpubPageTask {
  page: EpubPage
  body: EpubBody
  language: string
  direction: 'ltr' | 'rtl'
  /** The files and titles of the pages that it refers to, by id. */
  places: Map<string, EpubPlace>
}

export interface EpubPlace {
  /** The name of the file in the book. */
  file: string
  title: string
  description?: string | undefined
  emoji?: string | undefined
}

/** The file of a page, and what the other files of the book have to know of it. */
export interface EpubPageFile {
  file: ArchivedFile
  /** The ids of its elements. */
  ids: string[]
  /** The addresses with an anchor that it has of other pages, such as `p2.xhtml#setup`. */
  links: string[]
  /** The keys of its images, by their path in the book. */
  images: Map<string, string>
  properties: EpubProperty[]
}

/** A feature that a reading system has to support to show a file (EPUB 3.3, D.5.1). */
export type EpubProperty = 'mathml' | 'svg'

/** An image as it is part of the book. */
export interface EpubImage {
  file: ArchivedFile
  mediaType: string
  /** False if the bytes are no image that a book may have; an empty image takes its place. */
  isUsable: boolean
}

/** Which parts of the content a book does not show as they are. */
export interface EpubReport {
  /** The ids of the pages that are set as plain text. */
  plainPages: string[]
  /** The keys of the images that are left out. */
  lostImages: string[]
}
