/** URLs that a site does not show its reader, above all its own that lead to a page, a file, a space or a section that is hidden. */
import type { FileRecord, PageRecord } from '../../../../core/content/revision.ts'
import { hidingTagInAddress } from '../../../../core/document/markdown/hiding-tags.ts'
import { fullUrl, isFullUrl } from '../../../../core/document/sanitize.ts'
import type { OwnPlace } from '../../../../core/reading/own-places.ts'
import type { Reader } from '../../../../db/schema.ts'
import type { Urls } from '../../../../http/urls.ts'
import { filesOf } from '../../../content/content.ts'
import { LONGEST_CHAIN, type RedirectMatch, withSegments } from '../../../../core/web/redirect-table.ts'
import { loadOwnPaths } from '../../redirects/own-paths.ts'
import { redirected } from '../../redirects/redirects.ts'
import {
  externalUrl,
  OF_SPACE,
  type RedirectRule,
  redirectsOfSite,
  type SiteDestination,
} from '../../redirects/site-redirect.ts'
import { findSite, type OpenSite, type ServedSite, type Variant } from '../open-site.ts'
import { decodePath, matchesOf, waysAt } from '../resolve/resolve.ts'
import { loadSeenPages, type SeenPages } from './seen-pages.ts'
import { isFileShown } from './shown-content.ts'

/** The address of an uploaded file, also in a preview. Its signature, its version and its name decide nothing. */
const FILE = /(?:^|\/)~\/files\/([^/]+)/
/** The address of what a page has besides its path, by its id: its PDF, its preview image, and the entries below it. */
const OF_PAGE = /^~\/(?:pdf|preview|pages)\/([^/]+)/
/** The address of a PDF, which names the page in its query. */
const BOOK = /(?:^|\/)~\/pdf\/?$/
/** The beginning of a path in a preview of a change request or a revision. */
const PREVIEW = /^~\/(?:changes|revisions)\/[^/]+\//
/** So many files are looked for at once, because each may need the bodies of several pages. Further ones count as hidden. */
const MOST_FILES = 100

const NONE: ReadonlySet<string> = new Set()

/** What is at a path, for a reader. */
type Outcome = 'hidden' | 'seen' | 'nothing'

/**
 * Those of the URLs that no link shows the reader: URLs of the site itself that lead to what exists and the reader may not
 * see, and URLs with a condition, which nothing evaluates. The API refuses those today, and older data can have them.
 */
export async function hiddenUrls(
  services: { db: Reader; urls: Urls },
  open: OpenSite,
  named: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const all = [...named]
  const conditional = all.filter((url) => hidingTagInAddress(url) !== undefined)
  const full = all.filter(isFullUrl)
  const { hidden } = full.length === 0 ? { hidden: NONE } : await decideOwnUrls(services, open, full)
  return conditional.length === 0 ? hidden : new Set([...hidden, ...conditional])
}

/** The places of a site, and its own ones among some URLs: those that the reader may follow, and the hidden ones. */
export interface OwnUrls {
  places: readonly OwnPlace[]
  seen: ReadonlySet<string>
  hidden: ReadonlySet<string>
}

/** Decides which URLs are of the site itself, at any of its addresses. The time is linear in their number. */
export async function decideOwnUrls(
  { db, urls }: { db: Reader; urls: Urls },
  open: OpenSite,
  named: Iterable<string>,
): Promise<OwnUrls> {
  const own = await loadOwnPaths(db, urls, open.site, open.organizationHostname)
  const paths = [...new Set(named)].flatMap((url) => {
    const path = own.of(url)
    return path === undefined ? [] : [{ url, path: pathWithPage(url, path) }]
  })
  const none = { places: own.places, seen: NONE, hidden: NONE }
  if (paths.length === 0) return none
  const { organizationHostname } = open
  const whole = await findSite(db, { organizationHostname, basename: open.site.basename, base: '/' })
  if (!whole) return none
  const isHidden = hiddenPaths(db, open, whole, (url) => own.of(url))
  const hidden = new Set<string>()
  for (const { url, path } of paths) if (await isHidden(path)) hidden.add(url)
  const seen = new Set(paths.flatMap(({ url }) => (hidden.has(url) ? [] : url)))
  return { places: own.places, seen, hidden }
}

/** The path within a site to which a URL leads; of a PDF, with the id of its page at the end. */
function pathWithPage(url: string, path: string): string {
  const page = BOOK.test(decodePath(path)) ? fullUrl(url)?.searchParams.get('page') : undefined
  return page ? `${path.replace(/\/$/, '')}/${encodeURIComponent(page)}` : path
}

/**
 * Decides for paths of a site whether something is there, and the reader may see nothing of it.
 * @param ownPath the path on the site of a URL; undefined for one of another host
 */
function hiddenPaths(
  db: Reader,
  open: OpenSite,
  whole: ServedSite,
  ownPath: (url: string) => string | undefined,
): (path: string) => Promise<boolean> {
  const decided = new Map<string, boolean>()
  const filled = new Map<PageRecord, boolean>()
  const seen = new Set(open.variants.map(({ siteSpaceId }) => siteSpaceId))
  const files = new Set<FileRecord>()

  return async (path) => {
    const before = decided.get(path)
    if (before !== undefined) return before
    let outcome: Outcome = 'nothing'
    for await (const way of waysAt(db, whole, path, isPage)) {
      outcome = way.kind === 'redirect' ? await redirectedBy(way.match) : await outcomeAt(way.path)
      if (outcome !== 'nothing') break
    }
    decided.set(path, outcome === 'hidden')
    return outcome === 'hidden'
  }

  /** Whether the reader sees a page at a path, and not only at its former one. */
  async function isPage(path: string): Promise<boolean> {
    for (const { variant, rest } of matchesOf(open, path)) {
      if (rest === '') return true
      const pages = await loadSeenPages(db, open, variant)
      const page = presentAt(pages, rest)
      if (page && mayRead(pages, page)) return true
    }
    return false
  }

  /** What is at the end of the chain of redirects that begins with a match. */
  async function redirectedBy(first: RedirectMatch<RedirectRule>): Promise<Outcome> {
    const redirects = await redirectsOfSite(db, open.site, { drafts: open.visit.preview !== undefined })
    let match: RedirectMatch<RedirectRule> | undefined = first
    for (let hops = 0; match && hops < LONGEST_CHAIN; hops += 1) {
      const { rule, rest }: RedirectMatch<RedirectRule> = match
      let path: string | undefined
      if (rule.destination.kind === 'external') path = ownPath(externalUrl(rule.destination.url, rest))
      else {
        const target = await findDestination(rule.destination)
        if (typeof target === 'string') return target
        if (rest.length === 0) return 'seen'
        path = withSegments(target.path, rest)
      }
      if (path === undefined) return 'nothing'
      const outcome = await outcomeAt(path)
      if (outcome !== 'nothing') return outcome
      match = redirects.exact(path) ?? (OF_SPACE.test(path) ? undefined : redirects.wildcard(path))
    }
    return 'nothing'
  }

  /** The path of the section, the space or the page that a redirect names, if the reader may see it. */
  async function findDestination(
    destination: SiteDestination,
  ): Promise<{ path: string } | Exclude<Outcome, 'seen'>> {
    const isNamed = ({ siteSpaceId, section }: Variant) =>
      destination.kind === 'site-section'
        ? section?.id === destination.siteSectionId
        : siteSpaceId === destination.siteSpaceId
    const inside = open.variants.filter(isNamed)
    const variant = inside.find(({ isDefault }) => isDefault) ?? inside[0]
    if (!variant) return whole.variants.some(isNamed) ? 'hidden' : 'nothing'
    if (destination.kind !== 'site-page') return { path: variant.home }
    const pages = await loadSeenPages(db, open, variant)
    const page = pages.tree.get(destination.pageId)
    if (!page) return 'nothing'
    return mayRead(pages, page) ? { path: variant.home + pages.tree.path(page.id) } : 'hidden'
  }

  async function outcomeAt(path: string): Promise<Outcome> {
    let exists = false
    for (const { variant, rest } of matchesOf(open, path)) {
      if (rest === '') return 'seen'
      const pages = await loadSeenPages(db, open, variant)
      const page = await pageAt(pages, rest)
      if (page && mayRead(pages, page)) return 'seen'
      const file = page ? undefined : await fileAt(pages, rest)
      if (file && (await maySee(variant, file))) return 'seen'
      exists ||= page !== undefined || file !== undefined
    }
    for (const { variant, rest } of matchesOf(whole, path))
      if (!exists && !seen.has(variant.siteSpaceId)) exists = await isIn(variant, rest)
    return exists ? 'hidden' : 'nothing'
  }

  /** Whether a path is one of a space that the reader may not see. A path that names the space is, with any rest. */
  async function isIn(variant: Variant, rest: string): Promise<boolean> {
    if (rest === '' || variant.home !== '') return true
    const pages = await loadSeenPages(db, open, variant)
    return ((await pageAt(pages, rest)) ?? (await fileAt(pages, rest))) !== undefined
  }

  async function fileAt({ revision }: SeenPages, rest: string) {
    const [, id] = FILE.exec(decodePath(rest)) ?? []
    return id === undefined ? undefined : (await filesOf(db, revision)).get(id)
  }

  async function maySee({ spaceId }: Variant, file: FileRecord): Promise<boolean> {
    if (files.size < MOST_FILES) files.add(file)
    return files.has(file) && isFileShown(db, open, spaceId, file)
  }

  function pageAt(pages: SeenPages, rest: string) {
    return presentAt(pages, rest) ?? redirected(db, pages.revision, pages.tree, pathOfPage(rest))
  }

  function presentAt({ tree }: SeenPages, rest: string): PageRecord | undefined {
    const path = pathOfPage(rest)
    const [, id] = OF_PAGE.exec(path) ?? []
    return id === undefined ? tree.byPath(path) : tree.get(id)
  }

  function mayRead(pages: SeenPages, page: PageRecord): boolean {
    return pages.shown(page) && (page.type !== 'group' || isFilled(pages, page))
  }

  /** Whether the address of a group leads to a page: to the first in it that the site lists. */
  function isFilled({ tree, shown }: SeenPages, group: PageRecord): boolean {
    const before = filled.get(group)
    if (before !== undefined) return before
    const isListed = (page: PageRecord): boolean =>
      !page.hidden && shown(page) && (page.type === 'document' || tree.children(page.id).some(isListed))
    const above = [group, ...tree.ancestors(group.id)]
    const isFull = !above.some(({ hidden }) => hidden) && tree.children(group.id).some(isListed)
    filled.set(group, isFull)
    return isFull
  }
}

/** The path of a page in the path of something that belongs to it, such as its feed. */
function pathOfPage(rest: string): string {
  return decodePath(rest)
    .replace(PREVIEW, '')
    .replace(/\/rss\.xml$/i, '')
}
