/** Makes an EPUB of an order: its pages are made in threads, and its bytes are stored as they come. */
import { buffer } from 'node:stream/consumers'
import type { Blobs, StoredBlob } from '../blobs/blobs.ts'
import { MOST_BOOK_IMAGE_BYTES } from '../core/epub/book-image.ts'
import { epubOf } from '../core/epub/epub.ts'
import type { EpubBody, EpubBook, EpubPage, EpubReport } from '../core/epub/model.ts'
import type { BodyTask, ReferenceTarget } from '../core/reading/body.ts'
import { epubInThreads } from './epub-in-threads.ts'
import type { PlainPage } from './messages.ts'
import type { BookOrder } from './book-source.ts'
import type { WorkLimit } from './work-limit.ts'
import { publicAddress } from './public-address.ts'
import { bookWords } from './book-words.ts'
import { because } from '../core/languages/reasons.ts'

/** Makes and stores an EPUB. @param signal ends the work @throws BookLate beyond the limit */
export async function storeEpub(
  order: BookOrder,
  blobs: Blobs,
  signal: AbortSignal,
  limit: WorkLimit,
): Promise<StoredBlob & { plain: PlainPage[]; unreadable: [] }> {
  const { title, description, note, language, direction, logo } = order.cover
  const byId = new Map(order.pages.map((page) => [page.record.id, page]))
  const logoType = logo === undefined ? undefined : order.images.get(logo)?.contentType
  const book: EpubBook = {
    title,
    description,
    note,
    language,
    direction,
    identifier: order.identifier,
    modified: order.modified,
    words: { contents: bookWords(language).contents, cover: title },
    logo: logo !== undefined && logoType !== undefined ? { key: logo, contentType: logoType } : undefined,
    pages: order.pages.map(({ record, level }) => ({
      id: record.id,
      title: record.title,
      description: record.description,
      emoji: record.emoji,
      level,
      hasBody: record.type === 'document',
    })),
  }
  let report: EpubReport | undefined
  async function* bytes() {
    report = yield* epubOf(book, { ...epubInThreads(order.party, { signal, limit }), body, image })
  }
  const stored = await blobs.put(bytes())
  const plain = (report?.plainPages ?? []).map((page) => ({
    page,
    title: byId.get(page)?.record.title ?? '',
    why: because('page-costly-to-read'),
  }))
  // Readers of EPUB bring their own fonts.
  return { ...stored, plain, unreadable: [] }

  async function body({ id }: EpubPage): Promise<EpubBody> {
    const { task } = await order.read(byId.get(id)!)
    return withPublicTargets(task!, order)
  }

  async function image(key: string): Promise<Uint8Array | undefined> {
    const hash = order.hashOf(key)
    if (hash === undefined || (order.images.get(key)?.size ?? 0) > MOST_BOOK_IMAGE_BYTES) return undefined
    const blob = await blobs.get(hash)
    return blob && buffer(blob.stream)
  }
}

/** A book is read elsewhere: what has no public URL is text there. */
function withPublicTargets(task: BodyTask, order: BookOrder): BodyTask {
  const targets = new Map<string, ReferenceTarget>()
  const outside = (address: string) => (address.startsWith('/') ? publicAddress(address, order) : address)
  for (const [key, { href, file, ...target }] of task.targets) {
    const { href: address, ...named } = href ?? {}
    const shown = address === undefined ? undefined : outside(address)
    targets.set(key, {
      ...target,
      ...(href ? { href: shown === undefined ? named : { ...named, href: shown } } : {}),
      ...(file ? { file: { ...file, href: outside(file.href) ?? file.href } } : {}),
    })
  }
  return { ...task, targets }
}
