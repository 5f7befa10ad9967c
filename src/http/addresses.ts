/** Turns what the system has into the addresses where it is found. */
export interface Addresses {
  /** Absolute address in the API of a path such as `/spaces/abc`. */
  api(path: string): string
  /** Absolute address in the console. */
  app(path: string): string
  /** Where a site is published: its own host name, or a path under its organization's host name. */
  site(site: { hostname: string | null; basename: string }, organizationHostname: string): string
  /** Where stored bytes can be downloaded without a token, by whoever was given the address. */
  file(spaceId: string, hash: string, name: string): string
  /** Whether the signature in a download address is ours. */
  signed(spaceId: string, hash: string, signature: string): boolean
}
