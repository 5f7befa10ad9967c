/** Compares the sitemap of an old website with the spaces of an import. */
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isRecord } from '../../core/data/is-record.ts'
import { append } from '../../core/data/lists.ts'
import { type OldAddress, pathsOfOldSite } from '../../core/sources/website/old-addresses.ts'
import { readSitemapAddresses } from '../../core/sources/website/read-page.ts'
import { isBelow, isWebAddress, pathBelow } from '../../core/text/file-paths.ts'
import { type Call, RefusedCall } from '../client.ts'
import { printLines } from '../print.ts'
import { UsageError } from '../usage.ts'

/** The limits of sitemaps: those of the protocol for each, and one for all. */
const MOST_BYTES = 50 * 1024 * 1024
const MOST_SITEMAPS = 100
const MOST_ADDRESSES = 200_000
const FETCH_MS = 30_000
/** How many paths the command requests at once. */
const AT_ONCE = 8
/** The exit code if addresses are not answered. */
const UNANSWERED = 3

/**
 * Reads the addresses of a sitemap, and of the sitemaps of an index. A sitemap of an index is the file of that name beside
 * the index, or else it is downloaded.
 * @param from a file or a URL
 * @throws UsageError if a sitemap cannot be read, or if there are too many
 */
export async function readOldAddresses(from: string): Promise<string[]> {
  const addresses: string[] = []
  const waiting = [from]
  const known = new Set(waiting)
  for (let at = 0; at < waiting.length; at++) {
    if (at === MOST_SITEMAPS) throw new UsageError(`${from} must list at most ${MOST_SITEMAPS} sitemaps`)
    const { pages, sitemaps } = await readOldSitemap(waiting[at] ?? '')
    append(addresses, pages)
    if (addresses.length > MOST_ADDRESSES)
      throw new UsageError(`${from} must list at most ${MOST_ADDRESSES} addresses`)
    for (const address of sitemaps) {
      const place = await placeOfSitemap(address, from)
      if (!known.has(place)) waiting.push(place)
      known.add(place)
    }
  }
  if (addresses.length === 0) throw new UsageError(`${from} lists no addresses`)
  return addresses
}

async function placeOfSitemap(address: string, index: string): Promise<string> {
  if (isWebAddress(index)) return new URL(address, index).href
  const beside = join(dirname(index), basename(URL.parse(address)?.pathname ?? address))
  const isThere = await stat(beside).then(
    (found) => found.isFile(),
    () => false,
  )
  return isThere ? beside : address
}

async function readOldSitemap(place: string) {
  try {
    const bytes = isWebAddress(place) ? await downloaded(place) : await fileBytes(place)
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
    return readSitemapAddresses(isPacked ? gunzipSync(bytes, { maxOutputLength: MOST_BYTES }) : bytes, place)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const cause = error instanceof Error ? error.message : String(error)
    throw new UsageError(`The sitemap ${place} cannot be read: ${cause}`)
  }
}

async function fileBytes(path: string): Promise<Uint8Array> {
  if ((await stat(path)).size > MOST_BYTES) throw tooLarge(path)
  return readFile(path)
}

async function downloaded(url: string): Promise<Uint8Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) })
  if (!response.ok || !response.body) throw new UsageError(`The sitemap ${url} returned ${response.status}`)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body) {
    size += part.length
    if (size > MOST_BYTES) throw tooLarge(url)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const tooLarge = (place: string) =>
  new UsageError(`The sitemap ${place} must have at most ${MOST_BYTES / 1024 / 1024} MB`)

/** A space with its place on the site of the import. */
interface AnsweringSpace {
  id: string
  /** The path of the space on the site, without slashes at its ends; empty for the whole site. */
  prefix: string
  /** The paths of its pages, groups and redirects, in lower case. */
  paths: ReadonlySet<string>
}

/**
 * Prints the addresses that no page and no redirect of the spaces answers. The exit code is 3 if there are any.
 * @param spaces the ids of the spaces of an import
 */
export async function checkAddresses(
  call: Call,
  spaces: readonly string[],
  addresses: readonly string[],
): Promise<void> {
  const answering = await answeringSpaces(call, spaces)
  const inSpaces = (path: string) =>
    answering.flatMap((space) =>
      path === space.prefix || isBelow(path, space.prefix)
        ? [{ space, inside: pathBelow(path, space.prefix) }]
        : [],
    )
  const isKnown = (path: string) =>
    inSpaces(path).some(({ space, inside }) => inside === '' || space.paths.has(inside))
  const old = pathsOfOldSite(addresses, isKnown)
  const open = old.filter(({ path }) => !isKnown(path))
  const unanswered: OldAddress[] = []
  for (let start = 0; start < open.length; start += AT_ONCE) {
    const some = open.slice(start, start + AT_ONCE)
    const found = await Promise.all(
      some.map(async ({ path }) => {
        for (const { space, inside } of inSpaces(path))
          if (await isPageAt(call, space.id, inside)) return true
        return false
      }),
    )
    append(
      unanswered,
      some.filter((_, nth) => !found[nth]),
    )
  }
  printLines(
    `Addresses  ${unanswered.length} of ${old.length} old addresses are not answered`,
    unanswered.map(({ address }) => `  ${address}`),
  )
  if (unanswered.length > 0) process.exitCode = UNANSWERED
}

/** Whether a page has, had or redirects from a path. */
async function isPageAt(call: Call, space: string, path: string): Promise<boolean> {
  try {
    await call('GET', `/spaces/${space}/content/path/${encodeURIComponent(path)}`)
    return true
  } catch (error) {
    if (error instanceof RefusedCall && (error.status === 404 || error.status === 400)) return false
    throw error
  }
}

async function answeringSpaces(call: Call, ids: readonly string[]): Promise<AnsweringSpace[]> {
  const spaces: (AnsweringSpace & { segments: string[] })[] = []
  for (const id of ids) {
    const { urls } = await call('GET', `/spaces/${id}`)
    const published = isRecord(urls) && typeof urls.published === 'string' ? urls.published : ''
    const segments = (URL.parse(published)?.pathname ?? '').split('/').filter((segment) => segment !== '')
    const { pages, redirects } = await call('GET', `/spaces/${id}/content`)
    const paths = new Set<string>()
    addPaths(pages, paths)
    for (const path of Object.keys(isRecord(redirects) ? redirects : {})) paths.add(path.toLowerCase())
    spaces.push({ id, prefix: '', paths, segments })
  }
  // The first segments that all spaces share are those of their site.
  const [{ segments: first } = { segments: [] }] = spaces
  const end = first.findIndex((segment, nth) => spaces.some((one) => one.segments[nth] !== segment))
  const shared = spaces.length === 1 || end === -1 ? first.length : end
  return spaces
    .map(({ segments, ...space }) => ({ ...space, prefix: segments.slice(shared).join('/').toLowerCase() }))
    .toSorted((a, b) => b.prefix.length - a.prefix.length)
}

function addPaths(pages: unknown, paths: Set<string>): void {
  if (!Array.isArray(pages)) return
  for (const page of pages) {
    if (!isRecord(page)) continue
    if (typeof page.path === 'string') paths.add(page.path.toLowerCase())
    addPaths(page.pages, paths)
  }
}
