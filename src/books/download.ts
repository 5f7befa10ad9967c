/** The signed addresses of books and archives, which anyone can open for an hour. */
import type { Blobs } from '../blobs/blobs.ts'
import { nameInAddress } from '../core/file-name.ts'
import type { Urls } from '../http/urls.ts'
import type { BookFormat } from './messages.ts'

const VALID_MS = 3_600_000

export const BOOK_TYPES: Record<BookFormat, string> = {
  pdf: 'application/pdf',
  epub: 'application/epub+zip',
}

/** The media type of a stored file, by its name: a book, or the archive of a space. */
export function typeOfBook(name: string): string {
  if (name.endsWith('.zip')) return 'application/zip'
  return name.endsWith('.epub') ? BOOK_TYPES.epub : BOOK_TYPES.pdf
}

/** A stored book, by the hash of its bytes. */
export interface StoredBook {
  spaceId: string
  hash: string
  name: string
}

/** The URL of a stored book, valid for an hour. */
export function bookUrl(urls: Urls, { spaceId, hash, name }: StoredBook, now: Date): string {
  const until = Math.floor((now.getTime() + VALID_MS) / 1000)
  const signature = urls.signatureOf(signedName({ spaceId, hash, name }, until))
  return urls.api(
    `/spaces/${spaceId}/books/${hash}/${nameInAddress(name)}?until=${until}&signature=${signature}`,
  )
}

/** Whether the signature of an address is valid, and has not expired. */
export function isBookSigned(
  urls: Urls,
  book: StoredBook,
  { until, signature }: { until: number; signature: string },
  now: Date,
): boolean {
  return until * 1000 > now.getTime() && urls.isSignatureOf(signedName(book, until), signature)
}

const signedName = ({ spaceId, hash, name }: StoredBook, until: number) =>
  `book:${spaceId}:${hash}:${until}:${name}`

/** The size of a stored book; undefined if it is not stored any more. */
export async function sizeOfBook(blobs: Blobs, hash: string): Promise<number | undefined> {
  const first = await blobs.get(hash, { start: 0, end: 1 })
  first?.stream.destroy()
  return first?.size
}

/** The name of the file of a book: its title, without characters that some systems refuse. */
export function fileNameOf(title: string, format: BookFormat | 'zip'): string {
  const clean = title
    .replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100)
  return `${clean || 'book'}.${format}`
}
