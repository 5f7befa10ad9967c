/**
 * The URL for the public of a path on the host of a site, without the signature that the address of a file may have: a
 * book is read for longer than a signature is valid. Undefined without a site, and for paths that no reader can open.
 */
export function publicAddress(
  path: string,
  { siteBase, home }: { siteBase: string; home: string | undefined },
): string | undefined {
  if (home === undefined || !path.startsWith(siteBase)) return undefined
  const at = path.search(/[?#]/)
  const address = path.includes('/~/') && at >= 0 ? path.slice(0, at) : path
  return home + address.slice(siteBase.length)
}
