/** The files of this server that the settings of a site name by their download URLs: fonts, logos and icons. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PreviewedLook } from '../../../access/visitors/preview.ts'
import { nameInAddress } from '../../../core/web/file-name.ts'
import { prepare } from '../../../db/prepare.ts'
import type { Reader } from '../../../db/schema.ts'
import { conditionsOf, sendDownload } from '../../../http/response/answer.ts'
import { missing } from '../../../http/errors.ts'
import type { Services } from '../../../http/route.ts'
import type { Urls } from '../../../http/urls.ts'
import { fileDownload } from '../../../model/content/download.ts'
import { findKeptFile, type KeptFileName } from '../../../model/content/files/kept-file.ts'
import { findFontFile } from '../../../model/sites/fonts/font.ts'
import { fontFileAt } from '../../../model/sites/fonts/font-address.ts'
import type { OpenSite, ServedSite } from '../../../model/sites/published/open-site.ts'
import { decodePath } from '../../../model/sites/published/resolve/resolve.ts'
import { openSignedFor } from './files.ts'
import { VARY, visitorKey } from '../responses.ts'
import { because } from '../../../core/languages/reasons.ts'

const PLACE = '~/look/'
const ADDRESS = /^(?:.*\/)?~\/look\/(fonts\/)?(\w{1,64})\/([0-9a-f]{64})\/([^/]+)$/s

/** A file that the settings of a site name: of a space, or of a font of the organization. */
type LookFile = KeptFileName | { fontId: string; hash: string; name: string }

/** The path of a font on the host of a site, if this server stores it. Its address is not signed: fonts are no secret. */
export function fontAddress(urls: Urls, { base, site }: OpenSite, url: string): string | undefined {
  const font = fontFileAt(urls, url)
  if (font?.organizationId === site.organizationId)
    return `${base}${PLACE}fonts/${font.fontId}/${font.hash}/${font.name}`
  const file = urls.storedFile(url)
  return file && keptFilePath(base, file)
}

/** The path of an image on the host of a site, if this server stores it. It is signed for some readers. */
export function lookImageAddress(urls: Urls, { base, visit }: OpenSite, url: string): string | undefined {
  const file = urls.storedFile(url)
  const isPreviewed = visit.preview?.look !== undefined
  return file && keptFilePath(base, file) + (visit.signFile?.(signedNameOf(file, isPreviewed)) ?? '')
}

const keptFilePath = (base: string, { spaceId, hash, name }: KeptFileName) =>
  `${base}${PLACE}${spaceId}/${hash}/${nameInAddress(name)}`

/** What the address of a file is signed for. The saved settings need not name a file that a previewed look names. */
const signedNameOf = ({ spaceId, hash }: KeptFileName, isPreviewed: boolean) =>
  `${isPreviewed ? 'previewed ' : ''}look ${spaceId} ${hash}`

/** The file that a path within a site names; undefined for other paths. */
export function lookFileAt(path: string): LookFile | undefined {
  if (!path.includes(PLACE)) return undefined
  const [, ofFont, id, hash, name] = ADDRESS.exec(path) ?? []
  if (!id || !hash || !name) return undefined
  const file = { hash, name: decodePath(name) }
  return ofFont ? { fontId: id, ...file } : { spaceId: id, ...file }
}

const settingsOf = prepare((db, argument) =>
  db.selectFrom('siteCustomization').select('settings').where('siteId', '=', argument(0)),
)

/** Sends the files that the settings of sites name. */
export function lookFiles({ blobs, sealing, now }: Pick<Services, 'blobs' | 'sealing' | 'now'>, db: Reader) {
  const find = ({ organizationId }: ServedSite['site'], file: LookFile) =>
    'fontId' in file ? findFontFile(db, { organizationId, ...file }) : findKeptFile(db, file)

  async function isNamed(
    { id }: ServedSite['site'],
    file: LookFile,
    previewed: PreviewedLook | 'any' | undefined,
  ): Promise<boolean> {
    // The API sends the fonts of an organization to everyone.
    if ('fontId' in file || previewed === 'any') return true
    const rows = await settingsOf(db, id)
    const texts = [...rows.map(({ settings }) => settings), JSON.stringify(previewed?.changes ?? {})]
    return texts.some((text) => text.includes(`/v1/spaces/${file.spaceId}/files/${file.hash}/`))
  }

  return {
    /**
     * What opens a file for everyone: a font needs no proof, also of a site that is offline, and a signed address proves that
     * the settings or a previewed look name the file. Undefined for other requests.
     */
    async openedBy(
      place: ServedSite,
      file: LookFile,
      request: FastifyRequest,
    ): Promise<'settings' | 'preview' | undefined> {
      if ('fontId' in file || isFont(file)) return 'settings'
      const isSigned = async (isPreviewed: boolean) => {
        const name = signedNameOf(file, isPreviewed)
        return (await openSignedFor({ sealing, now, db }, place, { name, request })) !== undefined
      }
      if (await isSigned(false)) return 'settings'
      return (await isSigned(true)) ? 'preview' : undefined
    },
    /**
     * Sends a file that the settings of the site or a previewed look name, or a font of the organization.
     * @throws 404 for another one
     */
    async send(
      { site }: ServedSite,
      file: LookFile,
      {
        request,
        reply,
        isShared,
        previewed,
      }: {
        request: FastifyRequest
        reply: FastifyReply
        isShared: boolean
        /** The look of the preview; `any` if the address is signed for one. */
        previewed: PreviewedLook | 'any' | undefined
      },
    ): Promise<FastifyReply> {
      const stored = (await isNamed(site, file, previewed)) ? await find(site, file) : undefined
      if (!stored) throw missing(because('no-file-here'))
      const { headers, ...download } = await fileDownload(blobs, stored, conditionsOf(request))
      const own: Record<string, string> = isShared
        ? {}
        : { 'cache-control': 'private, max-age=3600', vary: VARY }
      // A page in an opaque origin loads fonts only from servers that allow it.
      const open: Record<string, string> = isFont(file) ? { 'access-control-allow-origin': '*' } : {}
      const sent = { ...download, headers: { ...headers, ...own, ...open } }
      return sendDownload(request, reply, sent, () => visitorKey(request))
    },
  }
}

const isFont = ({ name }: LookFile) => /\.woff2?$/i.test(name)
