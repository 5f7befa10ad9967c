import { createHmac, timingSafeEqual } from 'node:crypto'
import { nameInAddress } from './core/file-name.ts'
import type { Urls } from './http/urls.ts'

/** The base URLs of an installation. They are read at each use, because the port may be known only after listening. */
export interface Base {
  url(): string
  sitesHost(): string
  secret: string
}

/** Builds and signs the URLs of an installation. */
export function addressesOf({ url, sitesHost, secret }: Base): Urls {
  const sign = (spaceId: string, hash: string) =>
    createHmac('sha256', secret).update(`file:${spaceId}:${hash}`).digest('base64url').slice(0, 32)

  return {
    api: (path) => `${url()}/v1${path}`,
    app: (path) => `${url()}/app${path}`,
    site({ hostname, basename }, organizationHostname) {
      const { protocol } = new URL(url())
      if (hostname) return `${protocol}//${hostname}/`
      return `${protocol}//${organizationHostname}.${sitesHost()}/${encodeURIComponent(basename)}/`
    },
    file: (spaceId, hash, name) =>
      `${url()}/v1/spaces/${spaceId}/files/${hash}/${nameInAddress(name)}?signature=${sign(spaceId, hash)}`,
    signed(spaceId, hash, signature) {
      const expected = Buffer.from(sign(spaceId, hash))
      const given = Buffer.from(signature)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
