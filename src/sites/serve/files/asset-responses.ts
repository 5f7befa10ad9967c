/** The assets of sites. They do not change while the server runs, so each is compressed once. */
import { missing } from '../../../http/errors.ts'
import { asset, ASSET_CACHE_CONTROL } from '../../assets/assets.ts'
import { type SiteResponse, textResponse } from '../responses.ts'
import { because } from '../../../core/languages/reasons.ts'

const responses = new Map<string, SiteResponse>()

/** @throws 404 if there is none at the path */
export async function respondWithAsset(path: string): Promise<SiteResponse> {
  const known = responses.get(path)
  if (known) return known
  const found = asset(path)
  if (!found) throw missing(because('no-file-here'))

  const { bytes, contentType } = found
  const headers = {
    'cache-control': ASSET_CACHE_CONTROL,
    'access-control-allow-origin': '*',
    ...found.headers,
  }
  const response = contentType.startsWith('font/')
    ? { status: 200, headers: { 'content-type': contentType, ...headers }, body: { identity: bytes } }
    : await textResponse(200, contentType, bytes.toString(), headers)
  responses.set(path, response)
  return response
}
