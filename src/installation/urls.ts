import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../access/credentials/keyring.ts'
import { nameInAddress } from '../core/web/file-name.ts'
import type { Urls } from '../http/urls.ts'

/** The base URLs of an installation. They are read at each use, because the port may be known only after listening. */
export interface Base {
  url(): string
  sitesHost(): string
  keyring: Keyring
}

const SIGNED =
  /(?<=\/v1\/spaces\/(\w{1,64})\/files\/([0-9a-f]{64})\/[^/?"\s\\]{1,512}\?signature=)[\w-]{32}(?![\w-])/g

const signFile = (secret: string, spaceId: string, hash: string) => sign(secret, `file:${spaceId}:${hash}`)

function sign(secret: string, name: string): string {
  return createHmac('sha256', secret).update(name).digest('base64url').slice(0, 32)
}

/** Signs the addresses of files in a text again that one secret has signed, with another one. */
export function signAgain(text: string, from: string, to: string): string {
  return text.replace(SIGNED, (signature: string, spaceId: string, hash: string) =>
    signature === signFile(from, spaceId, hash) ? signFile(to, spaceId, hash) : signature,
  )
}

/** Builds and signs the URLs of an installation. */
export function addressesOf({ url, sitesHost, keyring }: Base): Urls {
  const isSignatureOf: Urls['isSignatureOf'] = (name, signature) => {
    const given = Buffer.from(signature)
    return keyring.secrets().some((secret) => {
      const expected = Buffer.from(sign(secret, name))
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  }
  const signed: Urls['signed'] = (spaceId, hash, signature) =>
    isSignatureOf(`file:${spaceId}:${hash}`, signature)
  const siteTarget: Urls['siteTarget'] = ({ hostname, basename }, organizationHostname) => {
    const { protocol } = new URL(url())
    if (hostname) return `${protocol}//${hostname}/`
    return `${protocol}//${organizationHostname}.${sitesHost()}/${encodeURIComponent(basename)}/`
  }

  return {
    api: (path) => `${url()}/v1${path}`,
    scim: (path) => `${url()}/scim/v2${path}`,
    app: (path) => `${url()}/app${path}`,
    git: (path) => `${url()}/git${path}`,
    sso: (path) => `${url()}/sso${path}`,
    site: (site, organizationHostname) =>
      site.proxy === null
        ? siteTarget(site, organizationHostname)
        : `${new URL(url()).protocol}//${site.proxy}/`,
    siteTarget,
    sitesAt({ hostname, pathname }) {
      const apiHost = new URL(url()).hostname
      const suffix = `.${sitesHost().replace(/:\d+$/, '').toLowerCase()}`
      if (hostname !== apiHost && hostname.endsWith(suffix))
        return { organizationHostname: hostname.slice(0, -suffix.length), base: '/' }
      const [, organizationHostname] = hostname === apiHost ? (/^\/sites\/([^/]+)/.exec(pathname) ?? []) : []
      if (organizationHostname === undefined) return undefined
      return { organizationHostname, base: `/sites/${organizationHostname}/` }
    },
    file: (spaceId, hash, name) =>
      `${url()}/v1/spaces/${spaceId}/files/${hash}/${nameInAddress(name)}?signature=${signFile(keyring.secrets()[0], spaceId, hash)}`,
    storedFile(address) {
      if (!address.startsWith(`${url()}/v1/spaces/`)) return undefined
      const { pathname, searchParams } = URL.parse(address) ?? {}
      const [, spaceId = '', hash = '', name = ''] =
        /\/v1\/spaces\/(\w{1,64})\/files\/([0-9a-f]{64})\/([^/]+)$/.exec(pathname ?? '') ?? []
      if (!signed(spaceId, hash, searchParams?.get('signature') ?? '')) return undefined
      try {
        return { spaceId, hash, name: decodeURIComponent(name) }
      } catch {
        return undefined
      }
    },
    signed,
    signatureOf: (name) => sign(keyring.secrets()[0], name),
    isSignatureOf,
  }
}
