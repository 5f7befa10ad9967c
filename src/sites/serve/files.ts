import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '../../access/tokens.ts'
import { ANONYMOUS } from '../../access/visitors.ts'
import type { Reader } from '../../db/schema.ts'
import { conditionsOf, sendDownload } from '../../http/answer.ts'
import { missing } from '../../http/errors.ts'
import type { Services } from '../../http/route.ts'
import { needRevision } from '../../model/content/commit.ts'
import { filesOf } from '../../model/content/content.ts'
import { fileDownload } from '../../model/content/download.ts'
import type { Tools } from './tools.ts'
import { filePath, signedNameOf } from '../../model/sites/published/content.ts'
import { isFileShown } from '../../model/sites/published/shown-files.ts'
import { expiryOf, PREVIEW_FILES } from '../../model/sites/published/file-address.ts'
import { previewIn } from '../../model/sites/published/previews.ts'
import type { OpenSite, ServedSite } from '../../model/sites/published/open-site.ts'
import { firstMatch } from '../../model/sites/published/resolve.ts'
import { keyIn, shareLinkWith } from '../../model/sites/published/share-key.ts'
import { forVisit, redirectResponse, sendResponse, VARY, visitorKey } from './responses.ts'

const FILES = '~/files/'
const ADDRESS = /^~\/files\/([^/]+)\/([^/]+)\/([^/]+)$/

/** Whether a path within a site may be that of an uploaded file. */
export const isFilePath = (path: string) => path.includes(FILES)

const noFile = () => missing('There is no file at this address')

/** The service that serves the uploaded files of sites. */
export interface SiteFiles {
  /** The site as the holder of a signed address sees it, while the address is valid. */
  openSigned(place: ServedSite, path: string, request: FastifyRequest): Promise<SignedOpening | undefined>
  /** Sends a file to a reader. @throws 404 if the reader may see no page that uses it */
  send(
    { open, expiry }: SignedOpening | { open: OpenSite; expiry?: undefined },
    path: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply>
}

/** A site for the holder of a signed address of one of its files. */
interface SignedOpening {
  open: OpenSite
  expiry: Date
}

/**
 * Checks the signature in the address of a file. It opens the file until it expires, the site is taken offline, or the
 * share link in the path is withdrawn.
 * @param name the name of the file that was signed
 */
export async function signatureIn(
  { sealing, now, db }: Pick<Services, 'sealing' | 'now'> & { db: Reader },
  { site, published }: ServedSite,
  { path, name, request }: { path: string; name: string; request: FastifyRequest },
): Promise<{ expiry: Date; isPreview: boolean } | undefined> {
  if (!request.originalUrl.includes('signature=')) return undefined
  const query = queryOf(request)
  const expiry = expiryOf(sealing, site.id, name, query, now())
  const isPreview = query.get('of') === PREVIEW_FILES
  if (!expiry || !(published || isPreview)) return undefined
  if (site.visibility !== 'share-link' || isPreview) return { expiry, isPreview }
  const key = keyIn(path)?.key
  const link = key === undefined ? undefined : await shareLinkWith(db, site.id, hashSecret(key))
  return link && { expiry, isPreview }
}

/** Serves the uploaded files of sites. A file is served to readers who may see a page that uses it. */
export function siteFiles(tools: Tools, { blobs, sealing, now }: Services): SiteFiles {
  const { db } = tools
  return {
    async openSigned(place, path, request) {
      const [, id = '', hash = ''] = ADDRESS.exec(path.slice(path.indexOf(FILES))) ?? []
      const signed = await signatureIn({ sealing, now, db }, place, {
        path,
        name: signedNameOf({ id, hash }),
        request,
      })
      if (!signed) return undefined
      const preview = signed.isPreview ? { userId: '', of: { kind: 'site' as const } } : undefined
      return {
        open: { ...place, visit: { visitor: ANONYMOUS, context: '', storedBy: 'reader', preview } },
        expiry: signed.expiry,
      }
    },
    async send({ open, expiry }, path, request, reply) {
      const plain = firstMatch(open, path)
      const chosen = plain && (await previewIn(db, open, plain))
      const [, fileId = '', hash = '', name = ''] = ADDRESS.exec(chosen?.rest ?? '') ?? []
      const revision = chosen && (await needRevision(db, chosen.variant.spaceId, chosen.variant.revisionId))
      const file = revision && (await filesOf(db, revision)).get(fileId)
      if (!chosen || !file) throw noFile()
      if (!expiry && !(await isFileShown(db, chosen.open, chosen.variant.spaceId, file))) throw noFile()

      // Clients cache a file for a year, so each version has its own address. An old address redirects to the new one.
      const address = filePath(chosen.base, file)
      if (!address.endsWith(`/${hash}/${name}`))
        return sendResponse(request, reply, forVisit(open.visit, redirectResponse(address, false)))
      const download = await fileDownload(blobs, file, conditionsOf(request))
      if (open.visit.storedBy === 'anyone' || download.status === 416)
        return sendDownload(request, reply, download, () => visitorKey(request))
      const seconds = expiry ? Math.floor((expiry.getTime() - now().getTime()) / 1000) : 0
      const headers = { ...download.headers, 'cache-control': `private, max-age=${seconds}`, vary: VARY }
      return sendDownload(request, reply, { ...download, headers }, () => visitorKey(request))
    },
  }
}

const queryOf = ({ originalUrl }: FastifyRequest) => new URLSearchParams(originalUrl.split('?')[1] ?? '')
