/** The addresses of books and archives, which work for an hour for those for whom they were made. */
import { findSpace } from '../access/checks/on.ts'
import type { Reaching } from '../access/roles/reached.ts'
import { atLeast } from '../access/roles/roles.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { nameInAddress } from '../core/web/file-name.ts'
import type { Reader, Role } from '../db/schema.ts'
import type { Caller, Sealing, SiteReader } from '../http/route.ts'
import type { Urls } from '../http/urls.ts'
import { findSpaceForReader, type SpaceReading } from '../model/sites/published/on-reader.ts'
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

/** For whom an address is made, and what they need to download the file. */
export type BookHolder =
  | { member: Reaching; role: Role }
  /** `view` is that of the site when the book was made: it changes with whatever the reader sees of the site. */
  | { reader: Omit<SiteReader, 'expires'>; view: string }

interface Services {
  urls: Urls
  sealing: Sealing
  now: Date
}

/**
 * The URL of a stored book, valid for an hour at most. It contains its holder, encrypted, so that each request for the
 * file is decided again.
 */
export function bookUrl(
  { urls, sealing, now }: Services,
  { spaceId, hash, name }: StoredBook,
  holder: BookHolder,
  expires?: Date,
): string {
  const until = Math.min(now.getTime() + VALID_MS, expires?.getTime() ?? Infinity)
  const signature = sealing.seal(JSON.stringify([until, holder]), purposeOf({ spaceId, hash, name }))
  return urls.api(`/spaces/${spaceId}/books/${hash}/${nameInAddress(name)}?signature=${signature}`)
}

/** The holder of an address for a book that a caller made. */
export function holderOf(me: Caller, reading: SpaceReading | undefined): BookHolder {
  if (!me.reader || !reading) return memberHolder(me, 'read')
  const { organizationId, siteId, proof } = me.reader
  return { reader: { organizationId, siteId, proof }, view: reading.open.view }
}

/** A member who needs a role on the space to download a file that they made. */
export function memberHolder(me: Caller, role: Role): BookHolder {
  const { userId, tokenId, organizationId, ownSignIn = false } = me
  return {
    member: { userId, tokenId, ownSignIn, ...(organizationId === undefined ? {} : { organizationId }) },
    role,
  }
}

/** The holder in the address of a book; undefined if the address was not made for this book, or has expired. */
export function holderIn(
  sealing: Sealing,
  book: StoredBook,
  signature: string,
  now: Date,
): { holder: BookHolder; until: Date } | undefined {
  const text = sealing.open(signature, purposeOf(book))
  if (text === undefined) return undefined
  const [until, holder] = JSON.parse(text) as [number, BookHolder]
  return until > now.getTime() ? { holder, until: new Date(until) } : undefined
}

/**
 * Whether a holder may still have a book. A member needs their role on the space, because members see all its revisions.
 * For a reader of a site, the site must still admit them, and must show exactly the content that the book was made from.
 */
export async function mayDownload(
  context: { db: Reader; sealing: Sealing; now: Date },
  { spaceId, holder, until }: { spaceId: string; holder: BookHolder; until: Date },
): Promise<boolean> {
  if ('reader' in holder) {
    const reading = await findSpaceForReader(context, { ...holder.reader, expires: until }, spaceId)
    return reading?.open.view === holder.view
  }
  const found = await findSpace(context.db, holder.member, spaceId)
  return found?.space.deletedAt === null && atLeast(found.role, holder.role)
}

const purposeOf = ({ spaceId, hash, name }: StoredBook) => `book ${spaceId} ${hash} ${name}`

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
