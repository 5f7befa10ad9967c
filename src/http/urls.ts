/** Builds the URLs of resources. */
export interface Urls {
  /** The absolute API URL of a path such as `/spaces/abc`. */
  api(path: string): string
  /** The absolute URL of a page of the console. */
  app(path: string): string
  /** The URL of a published site: its own host name, or a path under the host name of its organization. */
  site(site: { hostname: string | null; basename: string }, organizationHostname: string): string
  /** A signed URL that downloads stored bytes without a token. */
  file(spaceId: string, hash: string, name: string): string
  /** Whether the signature of a download URL is valid. */
  signed(spaceId: string, hash: string, signature: string): boolean
}
