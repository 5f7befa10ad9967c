/** The addresses of the files of fonts. They are not signed: fonts are no secret, since everyone loads those of a site. */
import type { FontFormat } from '../../../db/site-tables.ts'
import type { Urls } from '../../../http/urls.ts'

/** A file of a font of an organization. */
export interface FontFileName {
  organizationId: string
  fontId: string
  /** The SHA-256 hash of the bytes, in hexadecimal. */
  hash: string
  /** The name at the end of the address, such as `400.woff2`. */
  name: string
}

const ADDRESS = /^\/(\w{1,64})\/fonts\/(\w{1,64})\/files\/([0-9a-f]{64})\/(\d{1,4}\.woff2?)$/

/** The URL that downloads a file of a font without a token. */
export const fontFileUrl = (urls: Urls, { organizationId, fontId, hash, name }: FontFileName) =>
  urls.api(`/orgs/${organizationId}/fonts/${fontId}/files/${hash}/${name}`)

export const fontFileName = (weight: number, format: FontFormat) => `${weight}.${format}`

/** The file of a font that a URL of this server names; undefined for other URLs. */
export function fontFileAt(urls: Urls, url: string): FontFileName | undefined {
  const start = urls.api('/orgs')
  if (!url.startsWith(start)) return undefined
  const [, organizationId, fontId, hash, name] = ADDRESS.exec(url.slice(start.length)) ?? []
  return organizationId && fontId && hash && name ? { organizationId, fontId, hash, name } : undefined
}
