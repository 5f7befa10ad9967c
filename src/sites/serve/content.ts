import { ANONYMOUS, hiddenPages } from '../../access/visitors.ts'
import type { ContentRef } from '../../core/document/model.ts'
import type { LinkTarget } from '../../core/document/html/renderer.ts'
import type { FindAnchor } from '../../core/document/html/anchors.ts'
import { nameInAddress } from '../../core/file-name.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import { heapSize } from '../../core/heap-size.ts'
import { lru } from '../../core/lru.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { filesOf, pagesOf, reusablesOf } from '../../model/content/content.ts'
import { needRevision } from '../../model/content/commit.ts'
import { targetOfUrl } from '../render/body.ts'
import type { OpenSite, Variant } from './resolve.ts'

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
  /** The page at the root of the space: the first document that visitors may see. */
  root: PageRecord | undefined
}

/** The contents of sites that were loaded, by the version of the site. */
const contents = lru<SiteContent>(8 * 1024 * 1024)
/** The pages that visitors may not see, by revision. */
const hiddenIn = lru<ReadonlySet<string>>(8 * 1024 * 1024)

/** The content of a space that a site publishes. @param base the path of the space on its host */
export async function loadContent(
  db: Reader,
  open: OpenSite,
  variant: Variant,
  base: string,
): Promise<SiteContent> {
  const key = `${open.version} ${variant.siteSpaceId} ${base}`
  const known = contents.get(key)
  if (known) return known
  const revision = await needRevision(db, variant.spaceId, variant.revisionId)
  const tree = await pagesOf(db, revision)
  const variables = JSON.parse(revision.variables) as Variables
  const hidden = await hiddenOf(revision, tree, variables)
  const shown = (page: PageRecord) => !hidden.has(page.id)
  const content: SiteContent = {
    open,
    variant,
    base,
    revision,
    tree,
    files: await filesOf(db, revision),
    reusables: await reusablesOf(db, revision),
    variables,
    shown,
    root: tree.pages().find((page) => page.type === 'document' && shown(page)),
  }
  // The tree and the maps are in caches of their own.
  contents.set(key, content, heapSize([open, variant, revision]))
  return content
}

async function hiddenOf({ id }: Row<'revision'>, tree: PageTree, variables: Variables) {
  const known = hiddenIn.get(id)
  if (known) return known
  const hidden = await hiddenPages(tree, ANONYMOUS, variables)
  hiddenIn.set(id, hidden, heapSize([...hidden]))
  return hidden
}

/** The paths of pages, which the navigation of every page needs again. */
const addresses = new WeakMap<SiteContent, Map<string, string>>()

/** The path of a page on its host. */
export function pageAddress(content: SiteContent, page: PageRecord): string {
  let known = addresses.get(content)
  if (!known) addresses.set(content, (known = new Map()))
  const address = known.get(page.id) ?? makeAddress(content, page)
  known.set(page.id, address)
  return address
}

function makeAddress(content: SiteContent, page: PageRecord): string {
  const path = content.root?.id === page.id ? '' : content.tree.path(page.id)
  return content.base + path.split('/').map(encodeURIComponent).join('/')
}

/** The path of a file on its host. It changes when the content of the file changes. */
export function fileAddress(
  { base }: Pick<SiteContent, 'base'>,
  file: Pick<FileRecord, 'id' | 'hash' | 'name'>,
): string {
  return `${base}~/files/${file.id}/${file.hash.slice(0, 12)}/${nameInAddress(file.name)}`
}

/** The targets of a document's links beyond the pages of its space. */
export interface LinkSurroundings {
  /** Finds an anchor on a page, by the page's id. */
  anchors: ReadonlyMap<string, FindAnchor>
  /** The other spaces of the site that the document refers to. */
  spaces: ReadonlyMap<string, SiteContent>
}

const NO_SURROUNDINGS: LinkSurroundings = { anchors: new Map(), spaces: new Map() }

/** The target of a reference on this site; undefined if a visitor cannot see the target. */
export function linkTo(
  content: SiteContent,
  ref: ContentRef,
  surroundings: LinkSurroundings = NO_SURROUNDINGS,
): LinkTarget | undefined {
  if (ref.kind !== 'space' && 'space' in ref && ref.space !== undefined) {
    const { space, ...inside } = ref
    const other = space === content.variant.spaceId ? content : surroundings.spaces.get(space)
    return other && linkTo(other, inside, surroundings)
  }
  if (ref.kind === 'url') return targetOfUrl(ref).href
  if (ref.kind === 'anchor' && ref.page === undefined) return { href: `#${ref.anchor}` }
  if (ref.kind === 'page' || ref.kind === 'anchor') {
    const page = ref.page === undefined ? undefined : content.tree.get(ref.page)
    if (!page || !content.shown(page)) return undefined
    if (page.type === 'link') return page.target && linkTo(content, page.target, surroundings)
    const { title, description, icon, emoji } = page
    const find = surroundings.anchors.get(page.id)
    const anchor = ref.kind === 'anchor' ? `#${find?.(ref.anchor) ?? ref.anchor}` : ''
    return { href: pageAddress(content, page) + anchor, title, description, icon, emoji }
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

/** The path of a space of the site on its host. */
export function variantAddress({ base }: OpenSite, { isDefault, path }: Variant): string {
  return isDefault ? base : `${base}${encodeURIComponent(path)}/`
}
