import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Reader } from '../../../db/schema.ts'
import { conditionsOf, sendDownload } from '../../../http/response/answer.ts'
import { missing } from '../../../http/errors.ts'
import type { Services } from '../../../http/route.ts'
import { queryIn } from '../../../http/request/query-string.ts'
import { needRevision } from '../../../model/content/commit.ts'
import { filesOf } from '../../../model/content/content.ts'
import { fileDownload } from '../../../model/content/download.ts'
import type { Tools } from '../tools.ts'
import { openFor } from '../../../model/sites/published/admission.ts'
import { filePath, signedNameOf } from '../../../model/sites/published/content/site-content.ts'
import { isFileShown } from '../../../model/sites/published/content/shown-content.ts'
import { fileSigner, readerOfAddress } from '../../../model/sites/published/resolve/file-address.ts'
import { previewIn } from '../../../model/sites/published/resolve/previews.ts'
import type { OpenSite, ServedSite } from '../../../model/sites/published/open-site.ts'
import { firstMatch } from '../../../model/sites/published/resolve/resolve.ts'
import { forVisit, redirectResponse, sendResponse, VARY, visitorKey } from '../responses.ts'
import { because } from '../../../core/languages/reasons.ts'

const FILES = '~/files/'
const ADDRESS = /^~\/files\/([^/]+)\/([^/]+)\/([^/]+)$/

/** Whether a path within a site may be that of an uploaded file. */
export const isFilePath = (path: string) => path.includes(FILES)

const noFile = () => missing(because('no-file-here'))

/** The service that serves the uploaded files of sites. */
export interface SiteFiles {
  /** The site as the reader for whom an address was signed sees it now; undefined if it is not signed, or not for them any more. */
  openSigned(place: ServedSite, path: string, request: FastifyRequest): Promise<SignedOpening | undefined>
  /** Sends a file to a reader. @throws 404 if the reader may see no page that uses it */
  send(
    opening: SignedOpening | { open: OpenSite; signFile?: undefined },
    path: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply>
}

/** A site for the reader of a signed address of one of its files. */
interface SignedOpening {
  open: OpenSite
  /** Signs the address of the file as it is now, for as long as this one is valid. */
  signFile: (file: string) => string
}

type Signing = Pick<Services, 'sealing' | 'now'> & { db: Reader }

/**
 * Opens a site with the signature in the address of a file: as the reader for whom it was signed sees the site now.
 * @param name the name of the file that was signed
 */
export async function openSignedFor(
  { sealing, now, db }: Signing,
  place: ServedSite,
  { name, request }: { name: string; request: FastifyRequest },
): Promise<SignedOpening | undefined> {
  const query = queryIn(request.originalUrl)
  if (!query.includes('signature=')) return undefined
  const signed = readerOfAddress(sealing, place.site.id, name, new URLSearchParams(query), now())
  // The version of the site has no signature, so that the address shares what a reader with cookies has in caches.
  const open = signed && (await openFor({ db, sealing, now }, place, { ...signed, sendsCookies: true }))
  return open && { open, ...fileSigner(sealing, place.site.id, signed.proof, { now: now(), ...signed }) }
}

/** Serves the uploaded files of sites. A file is served to readers who may see a page that uses it. */
export function siteFiles(tools: Tools, { blobs, sealing, now }: Services): SiteFiles {
  const { db } = tools
  return {
    async openSigned(place, path, request) {
      const [, id = '', hash = ''] = ADDRESS.exec(path.slice(path.indexOf(FILES))) ?? []
      return openSignedFor({ sealing, now, db }, place, { name: signedNameOf({ id, hash }), request })
    },
    async send({ open, signFile }, path, request, reply) {
      const plain = firstMatch(open, path)
      const chosen = plain && (await previewIn(db, open, plain))
      const [, fileId = '', hash = '', name = ''] = ADDRESS.exec(chosen?.rest ?? '') ?? []
      const revision = chosen && (await needRevision(db, chosen.variant.spaceId, chosen.variant.revisionId))
      const file = revision && (await filesOf(db, revision)).get(fileId)
      if (!chosen || !file) throw noFile()
      if (!(await isFileShown(db, chosen.open, chosen.variant.spaceId, file))) throw noFile()

      // Clients cache a file for a year, so each version has its own address. An old address redirects to the new one.
      const address = filePath(chosen.base, file)
      if (!address.endsWith(`/${hash}/${name}`)) {
        const signed = address + (signFile?.(signedNameOf(file)) ?? '')
        const redirect = { ...redirectResponse(signed, false), keepsLocation: signFile !== undefined }
        return sendResponse(request, reply, forVisit(open.visit, redirect))
      }
      const download = await fileDownload(blobs, file, conditionsOf(request))
      if (open.visit.storedBy === 'anyone' || download.status === 416)
        return sendDownload(request, reply, download, () => visitorKey(request))
      const headers = {
        ...download.headers,
        'cache-control': 'private, max-age=0, must-revalidate',
        vary: VARY,
      }
      return sendDownload(request, reply, { ...download, headers }, () => visitorKey(request))
    },
  }
}
