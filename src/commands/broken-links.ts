/** The broken links of a space or a change request, over the API. */
import type { Call } from './client.ts'

const AT_ONCE = 200

interface Location {
  page?: { title: string; path: string; git?: { path: string } }
  reusableContent?: { title: string; git?: { path: string } }
  link?: { address?: string; line?: number }
}

interface BrokenList {
  items: { reason?: string; locationCount: number; locationReferences: Location[] }[]
  stats: { total: number; broken: { total: number } }
  next?: { page: string }
}

/** A broken link with its place. */
export interface BrokenLink {
  kind: 'broken-link' | 'broken-anchor'
  /** The file that the text was imported from, or else the path of the page. */
  path: string
  line?: number
  address: string
  message: string
}

/** Lists broken links in the order of their places, with a line that counts them. @param of a path such as `/spaces/<id>` */
export async function brokenLinksOf(
  call: Call,
  of: string,
): Promise<{ links: BrokenLink[]; summary: string; total: number }> {
  const path = `${of}/links?status=broken&limit=${AT_ONCE}`
  const links: BrokenLink[] = []
  let leftOut = 0
  let stats = { total: 0, broken: { total: 0 } }
  for (let next: string | undefined = ''; next !== undefined;) {
    const list = (await call('GET', path + next)) as unknown as BrokenList
    stats = list.stats
    for (const { reason = 'target', locationCount, locationReferences } of list.items) {
      for (const location of locationReferences) links.push(toBrokenLink(reason, location))
      leftOut += locationCount - locationReferences.length
    }
    next = list.next && `&page=${encodeURIComponent(list.next.page)}`
  }
  const { total } = stats.broken
  return {
    links: links.toSorted((a, b) => compare(a.path, b.path) || (a.line ?? 0) - (b.line ?? 0)),
    summary: `${total} of ${stats.total} link targets are broken${leftOut > 0 ? `; ${leftOut} more places link to them` : ''}`,
    total,
  }
}

function toBrokenLink(reason: string, { page, reusableContent, link }: Location): BrokenLink {
  const { address = '(hidden)', line } = link ?? {}
  return {
    kind: reason === 'anchor' ? 'broken-anchor' : 'broken-link',
    path: page?.git?.path ?? page?.path ?? reusableContent?.git?.path ?? reusableContent?.title ?? '',
    ...(line === undefined ? {} : { line }),
    address,
    message: WHY[reason] ?? WHY.target!,
  }
}

/** Why a link is broken, by the `reason` of the API. */
const WHY: Readonly<Record<string, string>> = {
  target: 'does not exist, or the token cannot see it',
  anchor: 'the page has no heading or anchor with this name',
  'not-found': 'the server says 404 Not Found',
  gone: 'the server says 410 Gone',
  'unknown-host': 'the host does not exist',
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
