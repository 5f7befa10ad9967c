import { createHmac, timingSafeEqual } from 'node:crypto'
import { nameInAddress } from './core/file-name.ts'
import type { Addresses } from './http/addresses.ts'

/** Where this installation is found; read at each use because the port may be known only after listening. */
export interface Base {
  url(): string
  sitesHost(): string
  secret: string
}

/** The addresses of an installation (`Addresses`). */
export function addressesOf({ url, sitesHost, secret }: Base): Addresses {
  const sign = (spaceId: string, hash: string) =>
    createHmac('sha256', secret).update(`file:${spaceId}:${hash}`).digest('base64url').slice(0, 32)

  return {
    api: (path) => `${url()}/v1${path}`,
    app: (path) => `${url()}/app${path}`,
    site({ hostname, basename }, organizationHostname) {
      const { protocol } = new URL(url())
      if (hostname) return `${protocol}//${hostname}/`
      return `${protocol}//${organizationHostname}.${sitesHost()}/${basename}/`
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
