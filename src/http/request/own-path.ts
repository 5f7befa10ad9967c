import { ASSET_BASE, SITES_PATH } from '../../core/web/site-paths.ts'

/** Where people go who did not ask for another page. */
export const HOME = '/app'
const LONGEST = 2000
const NOBODYS = 'http://nobody.invalid'

/**
 * The path of a page of this server to go to after signing in; `/app` for everything else. An address of another server
 * would let strangers send people to a page of their own (open redirect). So would the pages of sites, because their
 * authors write them.
 */
export function ownPath(next: string | null | undefined): string {
  if (!next || next.length > LONGEST || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)) return HOME
  const url = URL.parse(next, NOBODYS)
  if (url?.origin !== NOBODYS || url.pathname.startsWith('//')) return HOME
  if (`${url.pathname}/`.startsWith(SITES_PATH) || url.pathname.startsWith(ASSET_BASE)) return HOME
  return url.pathname + url.search
}
