/** The parts of the URL of a site. */
export interface SiteAddress {
  hostname: string | null
  basename: string
}

/** Builds the URLs of resources. */
export interface Urls {
  /** The absolute API URL of a path such as `/spaces/abc`. */
  api(path: string): string
  /** The absolute URL of a SCIM resource such as `/Users/abc`. */
  scim(path: string): string
  /** The absolute URL of a page of the console. */
  app(path: string): string
  /** The absolute URL of a path of git, such as `/webhooks/abc`. */
  git(path: string): string
  /** The absolute URL of a step of single sign-on. */
  sso(path: string): string
  /** The public URL of a site: the origin of its proxy, or else its URL on this server. */
  site(site: SiteAddress & { proxy: string | null }, organizationHostname: string): string
  /** The URL of a site on this server: its own host name, or a path under the host name of its organization. */
  siteTarget(site: SiteAddress, organizationHostname: string): string
  /**
   * The organization whose sites a URL may name, by its host name, and the path at which they begin: `/`, or
   * `/sites/<host name>/` on the host of the API. Undefined for other URLs, such as those at a site's own host name.
   */
  sitesAt(url: URL): { organizationHostname: string; base: string } | undefined
  /** A signed URL that downloads stored bytes without a token. */
  file(spaceId: string, hash: string, name: string): string
  /** The file that a download URL of this server names; undefined for other URLs, and without a valid signature. */
  storedFile(url: string): { spaceId: string; hash: string; name: string } | undefined
  /** Whether the signature of a download URL is valid. */
  signed(spaceId: string, hash: string, signature: string): boolean
  /** The signature of a URL that serves what `name` stands for without a token. */
  signatureOf(name: string): string
  isSignatureOf(name: string, signature: string): boolean
}
