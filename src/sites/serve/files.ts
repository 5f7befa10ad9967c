import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '../../access/tokens.ts'
import { ANONYMOUS } from '../../access/visitors.ts'
import { conditionsOf, sendDownload } from '../../http/answer.ts'
import { notFound } from '../../http/errors.ts'
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

const noFile = () => notFound('There is no file at this address')

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

/** Serves the uploaded files of sites. A file is served to readers who may see a page that uses it. */
export function siteFiles(tools: Tools, { blobs, sealing, now }: Services): SiteFiles {
  const { db } = tools
  async function isOpenedBy({ site }: ServedSite, key: string | undefined): Promise<boolean> {
    return key !== undefined && (await shareLinkWith(db, site.id, hashSecret(key))) !== undefined
  }

  return {
    async openSigned(place, path, request) {
      if (!request.originalUrl.includes('signature=')) return undefined
      const query = queryOf(request)
      const [, id = '', hash = ''] = ADDRESS.exec(path.slice(path.indexOf(FILES))) ?? []
      const expiry = expiryOf(sealing, place.site.id, signedNameOf({ id, hash }), query, now())
      const preview =
        query.get('of') === PREVIEW_FILES ? { userId: '', of: { kind: 'site' as const } } : undefined
      if (!expiry || !(place.published || preview)) return undefined
      // A share link that is withdrawn closes the files too.
      const key = keyIn(path)?.key
      if (place.site.visibility === 'share-link' && !preview && !(await isOpenedBy(place, key)))
        return undefined
      return {
        open: { ...place, visit: { visitor: ANONYMOUS, context: '', storedBy: 'reader', preview } },
        expiry,
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
