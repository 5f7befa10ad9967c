import { type Call, connect, type ServerOptions } from './client.ts'
import { UsageError } from './usage.ts'

const AT_ONCE = 200

interface Location {
  page?: { title: string; path: string; git?: { path: string } }
  reusableContent?: { title: string; git?: { path: string } }
  link?: { address?: string; line?: number }
}

interface BrokenList {
  items: { reason?: string; locationReferences: Location[] }[]
  stats: { total: number; broken: { total: number } }
  next?: { page: string }
}

/** Prints the broken links of a space: where each is, its address, and why it is broken. The exit code is 1 if there are any. */
export async function linksCommand([space, ...more]: string[], options: ServerOptions): Promise<void> {
  if (!space || more.length > 0) throw new UsageError('Name one space by its id: lectern links <space>')
  const call = await connect(options)
  const path = `/spaces/${encodeURIComponent(space)}/links?status=broken&limit=${AT_ONCE}`
  const lines: { place: string; line: number; text: string }[] = []
  let stats: BrokenList['stats'] | undefined
  for (let next: string | undefined = ''; next !== undefined;) {
    const list = (await call('GET', path + next)) as unknown as BrokenList
    stats ??= list.stats
    for (const { reason, locationReferences } of list.items) {
      for (const location of locationReferences) {
        const { address = '(hidden)', line } = location.link ?? {}
        const place = placeOf(location)
        const text = `${place}${line === undefined ? '' : `:${line}`}  ${address}  ${WHY[reason ?? ''] ?? WHY.target}`
        lines.push({ place, line: line ?? 0, text })
      }
    }
    next = list.next && `&page=${encodeURIComponent(list.next.page)}`
  }
  for (const { text } of lines.toSorted((a, b) => compare(a.place, b.place) || a.line - b.line))
    console.log(text)
  console.log(summaryOf(stats))
  if (lines.length > 0) process.exitCode = 1
}

/** Prints how many links of a space are broken. What it cannot find out does not make the command before it fail. */
export async function printLinkSummary(call: Call, space: string): Promise<void> {
  try {
    const { stats } = (await call(
      'GET',
      `/spaces/${space}/links?status=broken&limit=0`,
    )) as unknown as BrokenList
    const more = stats.broken.total > 0 ? `; list them with: lectern links ${space}` : ''
    console.log(`Links  ${summaryOf(stats)}${more}`)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.log(`Links  not checked: ${error.message}`)
  }
}

function summaryOf(stats: BrokenList['stats'] | undefined): string {
  const { total, broken } = stats ?? { total: 0, broken: { total: 0 } }
  return `${broken.total} of ${total} link targets are broken`
}

/** The file that the text was imported from, or else the path of the page. */
function placeOf({ page, reusableContent }: Location): string {
  return page?.git?.path ?? page?.path ?? reusableContent?.git?.path ?? reusableContent?.title ?? ''
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
