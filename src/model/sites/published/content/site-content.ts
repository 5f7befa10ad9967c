import type { ContentRef } from '../../../../core/document/model.ts'
import type { ImageTarget, LinkTarget } from '../../../../core/document/html/renderer.ts'
import type { FindAnchor } from '../../../../core/document/html/anchors.ts'
import { nameInAddress } from '../../../../core/web/file-name.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from '../../../../core/content/revision.ts'
import type { PageTree } from '../../../../core/content/tree/tree.ts'
import { heapSize } from '../../../../core/runtime/heap-size.ts'
import { lru } from '../../../../core/data/lru.ts'
import { sharing } from '../../../../core/data/sharing.ts'
import type { Reader, Row } from '../../../../db/schema.ts'
import type { Urls } from '../../../../http/urls.ts'
import { filesOf, reusablesOf } from '../../../content/content.ts'
import { type Navigation, navigationOf, NO_NAVIGATION } from './navigation.ts'
import { loadCustomizations, shownCustomization } from '../../customization/customization.ts'
import { type Customization, urlsOfSettings } from '../../customization/customization-settings.ts'
import { targetOfUrl } from '../../../../core/reading/body.ts'
import { hiddenUrls } from './hidden-urls.ts'
import { type ShownMcpServer, shownMcpServers } from './shown-mcp-servers.ts'
import { externalLinksIn } from '../../structure/external-link.ts'
import type { OpenSite, Variant } from '../open-site.ts'
import { isForEveryone, loadSeenPages } from './seen-pages.ts'

/** The services that the content of a site needs. */
export interface SiteServices {
  db: Reader
  urls: Urls
}

/** The content of one published space. `shown` decides which of its pages visitors may see. */
export interface SiteContent {
  open: OpenSite
  variant: Variant
  /** Path of the space on its host, with slashes at both ends. */
  base: string
  revision: Row<'revision'>
  tree: PageTree
  files: ReadonlyMap<string, FileRecord>
  reusables: ReadonlyMap<string, ReusableRecord>
  variables: Variables
  /** Whether a visitor may see this page. */
  shown(page: PageRecord): boolean
  navigation: Navigation
  /** The page at the root of the space: the first document that visitors may see. */
  root: PageRecord | undefined
  /** The appearance of the site in this space. */
  customization: Customization
  /** Whether somebody chose the light or dark mode of the site. */
  hasMode: boolean
  /** The full URLs of the site itself, in link pages and settings, that lead to what the reader may not see. */
  hiddenUrls: ReadonlySet<string>
  /** The MCP servers of others that the site names to the reader. */
  mcpServers: readonly ShownMcpServer[]
  /** The other spaces of the site that the links of the header, the footer and the announcement may lead to. */
  linked: ReadonlyMap<string, SiteContent>
}

/** The estimated size of what a content holds for each page: its record, its place in the tree and in the navigation. */
const BYTES_PER_PAGE = 1500

/** The contents that were loaded, by the version of the site. */
const ofEveryone = lru<SiteContent>(64 * 1024 * 1024, 'site-contents')
/** Apart, because a client can make up any number of claims. They must not evict what everyone sees. */
const ofReaders = lru<SiteContent>(64 * 1024 * 1024, 'site-contents-of-readers')
const loading = sharing<SiteContent>()

const cacheFor = ({ visit }: OpenSite) => (isForEveryone(visit) ? ofEveryone : ofReaders)

/** The content of a space that a site publishes. @param base the path of the space on its host */
export async function loadContent(
  services: SiteServices,
  open: OpenSite,
  variant: Variant,
  base: string,
): Promise<SiteContent> {
  const content = await loadAlone(services, open, variant, base)
  if (content.linked !== NOT_LINKED) return content
  const linked = new Map<string, SiteContent>()
  for (const other of open.variants)
    if (other !== variant && namesSpace(content.customization, other))
      linked.set(other.spaceId, await loadAlone(services, open, other, variantAddress(open, other)))
  content.linked = linked
  return content
}

const NOT_LINKED: SiteContent['linked'] = new Map()

/** Whether a link in the settings may lead into a space. A link that names no space may lead into the default one. */
function namesSpace(settings: Customization, { spaceId, isDefault }: Variant): boolean {
  const links = JSON.stringify([settings.header.links, settings.footer.groups, settings.announcement])
  return links.includes(JSON.stringify(spaceId)) || (isDefault && /"kind":"(?:page|file|anchor)"/.test(links))
}

/** The content of a space without those that its links lead to. */
async function loadAlone(
  services: SiteServices,
  open: OpenSite,
  variant: Variant,
  base: string,
): Promise<SiteContent> {
  const key = `${open.version} ${variant.siteSpaceId} ${base}`
  return cacheFor(open).get(key) ?? loading(key, () => makeContent(services, open, variant, base, key))
}

async function makeContent(
  services: SiteServices,
  open: OpenSite,
  variant: Variant,
  base: string,
  key: string,
): Promise<SiteContent> {
  const { db } = services
  const { ofSpace, hasMode } = await loadCustomizations(db, open.site.id, open.visit.preview?.look)
  const customization = shownCustomization(ofSpace(variant.siteSpaceId))
  const { revision, tree, variables, computed, shown } = await loadSeenPages(db, open, variant)
  const files = await filesOf(db, revision)
  const reusables = await reusablesOf(db, revision)
  const ofPages = tree.pages().flatMap(({ target }) => (target?.kind === 'url' ? target.url : []))
  const look = {
    customization,
    hasMode: hasMode(variant.siteSpaceId),
    hiddenUrls: await hiddenUrls(services, open, [
      ...ofPages,
      ...urlsOfSettings(customization),
      ...externalLinksIn(open.items).map(({ url }) => url),
    ]),
    mcpServers: await shownMcpServers(services, open),
    linked: NOT_LINKED,
  }
  const parts = { open, variant, base, revision, tree, files, reusables, variables, shown, ...look }
  const unordered: SiteContent = { ...parts, navigation: NO_NAVIGATION, root: undefined }
  // Whether a link page leads anywhere depends on the spaces of the site, and on their pages if it has a full URL.
  const around = [...open.variants.map(({ spaceId }) => spaceId), JSON.stringify([...look.hiddenUrls])]
  const navigation = await navigationOf([revision.id, computed, open.visit.context, ...around].join(' '), {
    tree,
    shown,
    leads({ target }, firstIn) {
      const links = { ...unordered, navigation: { ...NO_NAVIGATION, firstIn } }
      return target !== undefined && linkTo(links, target)?.href !== undefined
    },
  })
  const content: SiteContent = { ...parts, navigation, root: navigation.root }
  cacheFor(open).set(
    key,
    content,
    heapSize([open, variant, revision, customization, look.mcpServers]) + tree.size * BYTES_PER_PAGE,
  )
  return content
}

/** Whether an address can lead a visitor to a page: of a group, to a page in it. */
export function isReadable({ shown, navigation }: SiteContent, page: PageRecord): boolean {
  return shown(page) && (page.type !== 'group' || navigation.firstIn(page) !== undefined)
}

/** The language of the interface and the content of a space. */
export function languageOfSite({ variant, customization }: SiteContent): string {
  return variant.language ?? customization.internationalization.locale
}

/** The path of a page on its host. */
export function pageAddress({ base, navigation, root }: SiteContent, page: PageRecord): string {
  return root?.id === page.id ? base : base + navigation.path(page.id)
}

/** The path of a file on its host. It changes when the content of the file changes, and it is signed for some readers. */
export function fileAddress(
  { base, open }: Pick<SiteContent, 'base' | 'open'>,
  file: Pick<FileRecord, 'id' | 'hash' | 'name'>,
): string {
  return filePath(base, file) + (open.visit.signFile?.(signedNameOf(file)) ?? '')
}

/** The path of a file on its host, without a signature. @param base the path of the space */
export function filePath(base: string, { id, hash, name }: Pick<FileRecord, 'id' | 'hash' | 'name'>): string {
  return `${base}~/files/${id}/${shortHash(hash)}/${nameInAddress(name)}`
}

const shortHash = (hash: string) => hash.slice(0, 12)

/** The part of a file that the signature of its address is for. */
export function signedNameOf({ id, hash }: Pick<FileRecord, 'id' | 'hash'>): string {
  return `${id} ${shortHash(hash)}`
}

/** The targets of a document's links beyond the pages of its space. */
export interface LinkSurroundings {
  /** Finds an anchor on a page, by the page's id. */
  anchors: ReadonlyMap<string, FindAnchor>
  /** The other spaces of the site that the document refers to. */
  spaces: ReadonlyMap<string, SiteContent>
}

const NO_SURROUNDINGS: LinkSurroundings = { anchors: new Map(), spaces: new Map() }

/** How many link pages may lead to one another before a link counts as broken. They can form a circle. */
const MOST_HOPS = 8

/** The target of a reference on this site; undefined if a visitor cannot see the target. */
export function linkTo(
  content: SiteContent,
  ref: ContentRef,
  surroundings: LinkSurroundings = NO_SURROUNDINGS,
  hops = 0,
): LinkTarget | undefined {
  if (hops > MOST_HOPS) return undefined
  if (ref.kind !== 'space' && 'space' in ref && ref.space !== undefined) {
    const { space, ...inside } = ref
    const other = space === content.variant.spaceId ? content : surroundings.spaces.get(space)
    return other && linkTo(other, inside, surroundings, hops + 1)
  }
  if (ref.kind === 'url') return content.hiddenUrls.has(ref.url) ? undefined : targetOfUrl(ref).href
  if (ref.kind === 'anchor' && ref.page === undefined) return { href: `#${ref.anchor}` }
  if (ref.kind === 'page' || ref.kind === 'anchor') {
    const page = ref.page === undefined ? undefined : content.tree.get(ref.page)
    if (!page || !isReadable(content, page)) return undefined
    if (page.type === 'link') return page.target && linkTo(content, page.target, surroundings, hops + 1)
    const { title, description, icon, emoji } = page
    const find = surroundings.anchors.get(page.id)
    const anchor = ref.kind === 'anchor' ? `#${find?.(ref.anchor) ?? ref.anchor}` : ''
    const image = ownCover(content, page)
    return { href: pageAddress(content, page) + anchor, title, description, icon, emoji, image }
  }
  if (ref.kind === 'file') {
    const file = content.files.get(ref.file)
    return file && { href: fileAddress(content, file), title: file.name }
  }
  if (ref.kind === 'space') {
    const variant = content.open.variants.find(({ spaceId }) => spaceId === ref.space)
    return variant && { href: variantAddress(content.open, variant), title: variant.title }
  }
  return undefined
}

/** The cover of a page, if it is a file of the space: a link to a page makes no request to another host. */
function ownCover(content: SiteContent, { cover }: PageRecord): ImageTarget | undefined {
  const file = cover?.ref?.kind === 'file' ? content.files.get(cover.ref.file) : undefined
  return file && { src: fileAddress(content, file), ...file.dimensions }
}

/** The path of a space of the site on its host. */
export function variantAddress({ base }: OpenSite, { home }: Variant): string {
  return base + home
}
