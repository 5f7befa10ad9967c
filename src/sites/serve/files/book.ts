/** The PDF of a page or a space of a site, as its reader sees them. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BOOK_TYPES, fileNameOf } from '../../../books/download.ts'
import { orderBook } from '../../../books/book-source.ts'
import { bookOf } from '../../../books/press.ts'
import { conditionsOf, sendDownload } from '../../../http/response/answer.ts'
import { missing } from '../../../http/errors.ts'
import { leaving } from '../../../http/request/leaving.ts'
import type { Services } from '../../../http/route.ts'
import { queryIn } from '../../../http/request/query-string.ts'
import { fileDownload } from '../../../model/content/download.ts'
import { homeOf } from '../../../model/sites/published/resolve/addresses.ts'
import { loadContent } from '../../../model/sites/published/content/site-content.ts'
import type { OpenSite } from '../../../model/sites/published/open-site.ts'
import { previewIn } from '../../../model/sites/published/resolve/previews.ts'
import { firstMatch } from '../../../model/sites/published/resolve/resolve.ts'
import { VARY, visitorKey } from '../responses.ts'
import type { Tools } from '../tools.ts'
import { because } from '../../../core/languages/reasons.ts'

/** The path of the PDF below that of a space. */
export const BOOK_PATH = '~/pdf'
const LONGEST_ID = 64

/** Whether a path within a site is that of a PDF. */
export const isBookPath = (path: string) => path === BOOK_PATH || path.endsWith(`/${BOOK_PATH}`)

/** Sends the PDF. @throws 404 if the site offers none, and for a page that the reader does not see */
export async function sendBook(
  { db, urls }: Tools,
  { blobs, reportMissing }: Pick<Services, 'blobs' | 'reportMissing'>,
  site: { open: OpenSite; path: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const plain = firstMatch(site.open, site.path)
  const chosen = plain && (await previewIn(db, site.open, plain))
  if (chosen?.rest !== BOOK_PATH) throw noBook()
  const { open, variant, base } = chosen
  const content = await loadContent({ db, urls }, open, variant, base)
  if (!content.customization.pdf.enabled) throw noBook()

  const query = new URLSearchParams(queryIn(request.originalUrl))
  const page = query.get('page')?.slice(0, LONGEST_ID)
  const only = page !== undefined && query.get('only') === 'true'
  const order = await orderBook({ db, urls }, { content, home: homeOf(urls, open) }, 'pdf', { page, only })
  const { hash, size } = await bookOf(order, { blobs, reportMissing }, leaving(reply))
  const file = { hash, size, name: fileNameOf(order.cover.title, 'pdf'), contentType: BOOK_TYPES.pdf }
  const download = await fileDownload(blobs, file, conditionsOf(request))
  // The address stays when the content changes, so a client asks again each time.
  const headers = {
    ...download.headers,
    'cache-control': `${open.visit.storedBy === 'anyone' ? 'public' : 'private'}, no-cache`,
    'x-robots-tag': 'noindex',
    vary: VARY,
  }
  return sendDownload(request, reply, { ...download, headers }, () => visitorKey(request))
}

const noBook = () => missing(because('no-pdf-here'))
