/** The messages between the server and the process that makes a book. */
import type { Book } from '../core/book/model.ts'
import type { BodyTask } from '../core/reading/body.ts'
import type { Reasoned } from '../core/languages/reasoned.ts'

export type BookFormat = 'pdf' | 'epub'

/** An image of the space that a book can show. */
export interface BookImage {
  contentType: string
  size: number
  /** In pixels; absent if they are not known. */
  pixels?: number
}

/** A page of the book, to be read and rendered. Groups have no task. */
export interface PageToRead {
  id: string
  title: string
  level: number
  description?: string | undefined
  address?: string | undefined
  task?: BodyTask | undefined
}

/** A message from the server. */
export type ToMaker =
  | {
      t: 'start'
      cover: Omit<Book, 'chapters' | 'words'>
      /** The path of the space on its host, and the URL of the site for the public, if there is one. */
      base: string
      siteBase: string
      home: string | undefined
      images: Map<string, BookImage>
      /** An empty folder, and the file to write. */
      workspace: string
      output: string
      /** Pages whose source is shown, and pages that are set as plain text: with them, an earlier attempt ended. */
      unread: Set<string>
      plain: Set<string>
      careful: boolean
      /** A folder with more fonts. */
      fontFolder: string | undefined
    }
  | { t: 'page'; page: PageToRead }
  | { t: 'end' }
  /** The paths of the images, by id. */
  | { t: 'images'; paths: Map<string, string> }

/** A page that is not in the book as it is on the site. */
export interface PlainPage {
  page: string
  title: string
  why: Reasoned
}

/** A page with text in scripts for which there is no font. */
export interface UnreadablePage {
  page: string
  title: string
  scripts: string[]
}

/** A message from the process that makes a book. */
export type FromMaker =
  | { t: 'at'; step: 'read' | 'set'; page: string }
  | { t: 'images'; ids: string[] }
  | { t: 'done'; plain: PlainPage[]; unreadable: UnreadablePage[] }
  | { t: 'failed'; message: string }
