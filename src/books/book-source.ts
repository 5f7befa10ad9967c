/** The content of a book: the pages of a space as a reader sees them, in the order of the page tree. */
import { hash } from 'node:crypto'
import { ANONYMOUS } from '../access/visitors/visitors.ts'
import type { Book } from '../core/book/model.ts'
import type { PageRecord } from '../core/content/revision.ts'
import { withoutHidden } from '../core/document/markdown/hiding-tags.ts'
import type { Party } from '../core/runtime/party.ts'
import { partyFor } from '../core/runtime/turns.ts'
import type { Reader, Row } from '../db/schema.ts'
import { invalid, invalidField, notFound } from '../http/errors.ts'
import type { Urls } from '../http/urls.ts'
import { needRevision } from '../model/content/commit.ts'
import { findKeptFile } from '../model/content/files/kept-file.ts'
import { loadCustomizations, shownCustomization } from '../model/sites/customization/customization.ts'
import { homeOf } from '../model/sites/published/resolve/addresses.ts'
import { loadBody } from '../model/sites/published/content/body.ts'
import {
  isReadable,
  languageOfSite,
  loadContent,
  type SiteServices,
  pageAddress,
  type SiteContent,
  variantAddress,
} from '../model/sites/published/content/site-content.ts'
import { nameOtherSites } from '../model/sites/published/resolve/elsewhere.ts'
import type { OpenSite, Variant } from '../model/sites/published/open-site.ts'
import type { SpaceReading } from '../model/sites/published/on-reader.ts'
import { visitOf } from '../model/sites/published/visit.ts'
import { directionOf } from '../sites/render/words/choose.ts'
import { VERSION } from '../core/runtime/version.ts'
import type { BookFormat, BookImage, PageToRead } from './messages.ts'
import { because } from '../core/languages/reasons.ts'

/** A book has at most so many pages. */
const MOST_PAGES = 5_000
/** The id under which the logo of a site is kept among the images. No file has it. */
const LOGO = 'logo'

/** Which pages a book has: all, a page with everything below it, or one page. */
export interface BookSelection {
  page?: string | undefined
  only?: boolean | undefined
}

/** A book that somebody asks for. */
export interface BookOrder {
  /** The same for all orders whose books are equal. */
  key: string
  /** Who asks for it, and the organization of the site. */
  party: Party
  format: BookFormat
  cover: Omit<Book, 'chapters' | 'words'>
  identifier: string
  /** The time of the content, in ISO 8601 with seconds. */
  modified: string
  base: string
  siteBase: string
  home: string | undefined
  images: Map<string, BookImage>
  pages: readonly SelectedPage[]
  /** Reads the whole content that a page shows. */
  read(page: SelectedPage): Promise<PageToRead>
  /** The hash of the bytes of an image. */
  hashOf(image: string): string | undefined
}

interface SelectedPage {
  record: PageRecord
  level: number
}

/** The source from which the books of a space are made. */
export interface BookSource {
  content: SiteContent
  /** The URL of the site for the public; undefined if the reader does not read on a site. */
  home: string | undefined
}

/** The content of a space as the reader of a site sees it. */
async function sourceForReader(services: SiteServices, { open, variant }: SpaceReading): Promise<BookSource> {
  const content = await loadContent(services, open, variant, variantAddress(open, variant))
  return { content, home: homeOf(services.urls, open) }
}

/**
 * The content of a revision for a member of the organization: what a visitor without claims would see of it. Members pass
 * books on, so a book has nothing that not everybody may see.
 */
async function sourceForMember(
  services: SiteServices,
  space: Row<'space'>,
  revisionId: string,
): Promise<BookSource> {
  const { db } = services
  const place = await db
    .selectFrom('siteSpace')
    .select(['id', 'siteId'])
    .where('spaceId', '=', space.id)
    .orderBy('id')
    .executeTakeFirst()
  const title = withoutHidden(space.title)
  const variant: Variant = {
    siteSpaceId: '',
    spaceId: space.id,
    title,
    language: space.languageTag ?? space.language,
    emoji: space.emoji,
    path: '',
    isDefault: true,
    revisionId,
    condition: null,
    section: undefined,
    home: '',
  }
  const specs = await versionOfSpecs(db, space.organizationId)
  const version = `book ${space.id} ${revisionId} ${specs} ${space.title} ${space.languageTag ?? space.language ?? ''}`
  const open: OpenSite = {
    site: {
      id: '',
      title,
      icon: null,
      visibility: 'public',
      basename: '',
      hostname: null,
      proxy: null,
      organizationId: space.organizationId,
      version: 0,
    },
    organizationHostname: '',
    items: [],
    variants: [variant],
    version,
    view: version,
    base: '/',
    assets: '/',
    proxied: false,
    sandboxed: false,
    published: false,
    adaptive: false,
    visit: visitOf(ANONYMOUS, { storedBy: 'nobody' }),
  }
  const content = await loadContent(services, open, variant, '/')
  if (!place) return { content, home: undefined }
  const { ofSpace } = await loadCustomizations(db, place.siteId)
  return { content: { ...content, customization: shownCustomization(ofSpace(place.id)) }, home: undefined }
}

/** Changes whenever a specification of the organization does. */
async function versionOfSpecs(db: Reader, organizationId: string): Promise<string> {
  const row = await db
    .selectFrom('openapiSpec')
    .select(({ fn }) => [fn.max('updatedAt').as('newest'), fn.countAll().as('count')])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  return `${row?.newest ?? ''} ${Number(row?.count ?? 0)}`
}

/** The order for a book. @throws 404 for a page that the reader does not see */
export async function orderBook(
  { db, urls }: { db: Reader; urls: Urls },
  { content, home }: BookSource,
  format: BookFormat,
  selection: BookSelection,
): Promise<BookOrder> {
  const { open, variant, revision, customization } = content
  const { pages, root } = select(content, selection)
  const language = languageOfSite(content)
  const logo = await logoOf(db, urls, customization.header.logo?.light)
  const cover: BookOrder['cover'] = {
    title: root?.title ?? variant.title,
    description: root ? root.description : content.root?.description,
    note: dateIn(language, revision.createdAt),
    language,
    direction: directionOf(language),
    pageSize: customization.pdf.pageSize === 'letter' ? 'us-letter' : 'a4',
    logo: logo ? LOGO : undefined,
    whole: selection.only !== true,
  }
  const parts = [VERSION, format, cover, logo?.hash, open.version, revision.id, home, selection]
  const images = new Map<string, BookImage>()
  for (const [id, { contentType, size, dimensions }] of content.files) {
    if (!contentType.startsWith('image/')) continue
    const pixels = dimensions && dimensions.width * dimensions.height
    images.set(id, { contentType, size, ...(pixels === undefined ? {} : { pixels }) })
  }
  if (logo) images.set(LOGO, { contentType: logo.contentType, size: logo.size, pixels: 0 })
  const key = hash('sha256', JSON.stringify(parts))
  const elsewhere = new Map<string, string>()

  return {
    key,
    party: partyFor(open.site.organizationId),
    format,
    cover,
    identifier: urls.api(`/spaces/${variant.spaceId}${root ? `/content/page/${root.id}` : ''}`),
    modified: revision.createdAt.replace(/\.\d+Z$/, 'Z'),
    base: content.base,
    siteBase: open.base,
    home,
    images,
    pages,
    async read({ record, level }) {
      const { id, title, description, type } = record
      if (type !== 'document') return { id, title, level }
      const task = await loadBody({ db, urls }, content, record)
      if (home !== undefined) await nameOtherSites({ db, urls }, open, task, elsewhere)
      return { id, title, level, description, address: pageAddress(content, record), task }
    },
    hashOf: (id) => (id === LOGO ? logo?.hash : content.files.get(id)?.hash),
  }
}

/** The pages of a selection. Link pages have no body, so they are left out, as are pages that are not in the page tree. */
function select(
  content: SiteContent,
  { page, only }: BookSelection,
): { pages: SelectedPage[]; root?: PageRecord } {
  const { tree, navigation } = content
  if (page === undefined) {
    if (only) throw invalidField('query.only', because('book-page-missing'))
    return { pages: bounded(below(null, 1)) }
  }
  const root = tree.get(page)
  if (!root || !isReadable(content, root) || (root.type !== 'document' && root.type !== 'group'))
    throw notFound('page')
  if (only) return { pages: [{ record: root, level: 1 }], root }
  return { pages: bounded([{ record: root, level: 1 }, ...below(root.id, 2)]), root }

  function below(parent: string | null, level: number): SelectedPage[] {
    const found: SelectedPage[] = []
    const open = navigation
      .below(parent)
      .toReversed()
      .map((record) => ({ record, level }))
    while (open.length > 0) {
      const next = open.pop()!
      if (next.record.type !== 'link') found.push(next)
      for (const record of navigation.below(next.record.id).toReversed())
        open.push({ record, level: next.level + 1 })
    }
    return found
  }
}

function bounded(pages: SelectedPage[]): SelectedPage[] {
  if (pages.length > MOST_PAGES)
    throw invalid(because('book-too-long', { limit: MOST_PAGES, count: pages.length }))
  return pages
}

async function logoOf(db: Reader, urls: Urls, url: string | undefined) {
  const file = url === undefined ? undefined : urls.storedFile(url)
  const kept = file && (await findKeptFile(db, file))
  return kept?.contentType.startsWith('image/') ? kept : undefined
}

function dateIn(language: string, at: string): string {
  const style = { dateStyle: 'long', timeZone: 'UTC' } as const
  try {
    return new Intl.DateTimeFormat(language, style).format(new Date(at))
  } catch {
    return new Intl.DateTimeFormat('en', style).format(new Date(at))
  }
}

/** The content that a route of the API makes books from. */
export async function bookSourceOf(
  context: { db: Reader; urls: Urls },
  space: Row<'space'>,
  reading: SpaceReading | undefined,
  revisionId: string,
): Promise<BookSource> {
  if (!reading) return sourceForMember(context, space, revisionId)
  if (reading.variant.revisionId === revisionId) return sourceForReader(context, reading)
  // A preview shows any revision.
  if (!reading.open.visit.preview) throw notFound('revision')
  await needRevision(context.db, space.id, revisionId)
  const variant = { ...reading.variant, revisionId }
  const open = {
    ...reading.open,
    version: `${reading.open.version} ${revisionId}`,
    variants: reading.open.variants.map((one) => (one === reading.variant ? variant : one)),
  }
  return sourceForReader(context, { open, variant })
}
