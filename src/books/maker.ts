/** The process that makes one book: it reads the pages, sets them, and writes the file. It has no other access. */
import { readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { bookImageEnding, MOST_BOOK_IMAGE_BYTES } from '../core/epub/book-image.ts'
import { unconditionalText } from '../core/document/markdown/reading.ts'
import { type BookPage, makeBook } from '../core/book/make-book.ts'
import type { BookImage, FromMaker, PageToRead, PlainPage, ToMaker } from './messages.ts'
import { publicAddress } from './public-address.ts'
import { renderForBook } from './render-page.ts'
import { typeset } from './typeset.ts'
import { bookWords } from './book-words.ts'
import { because } from '../core/languages/reasons.ts'

/** The event loop of the server comes first. */
const NICENESS = 10
/** Images beyond this total are replaced by their description, as larger ones are. */
const MOST_IMAGES_BYTES = 150_000_000
const MOST_PIXELS = 40_000_000
/** A page that is shown as its source shows so many characters of it. */
const MOST_SOURCE = 200_000

type Start = Extract<ToMaker, { t: 'start' }>

setPriority(0, NICENESS)

const pages: BookPage[] = []
const plain: PlainPage[] = []
let start: Start | undefined
let reading: Promise<void> = Promise.resolve()
let giveImages = (_paths: Map<string, string>): void => {}

process.on('message', (message: ToMaker) => {
  if (message.t === 'start') start = message
  else if (message.t === 'images') giveImages(message.paths)
  else if (message.t === 'page') reading = reading.then(() => readPage(start!, message.page))
  else reading.then(() => make(start!)).catch(fail)
})
// The server has ended.
process.on('disconnect', () => process.exit(1))

function send(message: FromMaker): void {
  process.send?.(message)
}

function fail(error: unknown): void {
  send({ t: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}

async function readPage({ cover, unread, careful }: Start, page: PageToRead): Promise<void> {
  const { task, ...entry } = page
  if (careful) send({ t: 'at', step: 'read', page: page.id })
  pages.push(task ? { ...entry, body: await bodyOf() } : entry)

  async function bodyOf(): Promise<BookPage['body']> {
    if (!unread.has(page.id)) {
      try {
        return { html: await renderForBook(task!, cover.language) }
      } catch (error) {
        plain.push({ page: page.id, title: page.title, why: { message: (error as Error).message } })
      }
    } else plain.push({ page: page.id, title: page.title, why: because('page-costly-to-read') })
    return { text: unconditionalText(task!.page.source).slice(0, MOST_SOURCE) }
  }
}

async function make({ cover, images, ...order }: Start): Promise<void> {
  const wanted = chosenImages(images)
  const book = makeBook({ ...cover, words: bookWords(cover.language) }, pages, {
    image: (src) => wanted.keyOf(fileIn(src, order.base)),
    outside: (path) => publicAddress(path, order),
  })
  const logo = cover.logo === undefined ? undefined : wanted.keyOf(cover.logo)
  if (logo === undefined) delete book.logo
  else book.logo = logo

  const { promise, resolve } = Promise.withResolvers<Map<string, string>>()
  giveImages = resolve
  send({ t: 'images', ids: [...wanted.keys.keys()] })
  const paths = await promise
  const bytes = new Map<string, Buffer>()
  for (const [id, key] of wanted.keys) {
    const path = paths.get(id)
    if (path !== undefined) bytes.set(key, readFileSync(path))
  }
  const titles = new Map(pages.map(({ id, title }) => [id, title]))
  pages.length = 0
  const { workspace, careful } = order
  const tried = careful ? (page: string) => send({ t: 'at', step: 'set', page }) : undefined
  const { output, fontFolder } = order
  const options = { workspace, output, images: bytes, plain: order.plain, tried, fontFolder }
  const { failed, unreadable } = await typeset(book, options)
  for (const one of failed) plain.push({ ...one, title: titles.get(one.page) ?? '' })
  for (const page of order.plain)
    plain.push({ page, title: titles.get(page) ?? '', why: because('page-costly-to-set') })
  // The server ends this process as soon as the book is there, and Node stores what it compiled only at an ordinary end.
  flushCompileCache()
  const titled = unreadable.map((one) => ({ ...one, title: titles.get(one.page) ?? '' }))
  send({ t: 'done', plain, unreadable: titled })
}

/** The images that the book shows, by the id of their file. */
function chosenImages(images: ReadonlyMap<string, BookImage>) {
  const keys = new Map<string, string>()
  let left = MOST_IMAGES_BYTES

  return {
    keys,
    keyOf(id: string | undefined): string | undefined {
      if (id === undefined) return undefined
      const known = keys.get(id)
      if (known !== undefined) return known
      const { contentType, size = 0, pixels } = images.get(id) ?? {}
      const ending = bookImageEnding(contentType)
      const isRaster = ending !== 'svg'
      if (ending === undefined || size > Math.min(left, MOST_BOOK_IMAGE_BYTES)) return undefined
      if (isRaster && (pixels === undefined || pixels > MOST_PIXELS)) return undefined
      left -= size
      const key = `i${keys.size}.${ending}`
      keys.set(id, key)
      return key
    },
  }
}

/** The id of the file of the space at an address of the site. */
function fileIn(src: string, base: string): string | undefined {
  const prefix = `${base}~/files/`
  return src.startsWith(prefix) ? src.slice(prefix.length).split('/', 1)[0] : undefined
}
