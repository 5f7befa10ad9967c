import { ANONYMOUS, hiddenPages, scopeOf } from '../../access/visitors.ts'
import type { ContentRef, Document } from '../../core/document/model.ts'
import type { FileTarget, ImageTarget, LinkTarget, RenderContext } from '../../core/document/html/renderer.ts'
import { listReferences } from '../../core/document/references.ts'
import { anchorFinder, type FindAnchor } from '../../core/document/html/anchors.ts'
import { documentAnchors } from '../../core/document/links-in.ts'
import { evaluator } from '../../core/expression/expression.ts'
import { nameInAddress } from '../../core/file-name.ts'
import { isBroken } from '../../core/content/links.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import { heapSize } from '../../core/heap-size.ts'
import { lru } from '../../core/lru.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { documentOf, filesOf, pagesOf, reusablesOf } from '../../model/content/content.ts'
import { linksOfDocuments } from '../../model/links/link-index.ts'
import { needRevision } from '../../model/content/commit.ts'
import { pageIcon } from '../render/icons.ts'
import type { OpenSite, Variant } from './resolve.ts'

const INCLUDE_DEPTH = 4

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

/** The path of a page on its host. */
export function pageAddress(content: SiteContent, page: PageRecord): string {
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
  if (ref.kind === 'url')
    return isBroken(ref) ? undefined : { href: ref.url, external: !ref.url.startsWith('#') }
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

/** The document of a page and the documents that it includes, loaded before rendering, which is synchronous. */
export interface LoadedDocument extends LinkSurroundings {
  document: Document
  included: ReadonlyMap<string, Document>
}

export async function loadDocument(
  db: Reader,
  content: SiteContent,
  page: PageRecord,
): Promise<LoadedDocument> {
  const { revision, reusables } = content
  const document = await documentOf(db, revision, page)
  const included = new Map<string, Document>()

  let fresh = [document]
  for (let depth = 0; fresh.length > 0 && depth < INCLUDE_DEPTH; depth++) {
    const wanted = new Set(fresh.flatMap((one) => includedBy(one)).filter((id) => !included.has(id)))
    fresh = []
    for (const id of wanted) {
      const reusable = reusables.get(id)
      if (!reusable) continue
      const one = await documentOf(db, revision, { document: reusable.document, file: reusable.path })
      included.set(id, one)
      fresh.push(one)
    }
  }
  const documents = [document, ...included.values()]
  return { document, included, ...(await surroundingsOf(db, content, page, documents)) }
}

async function surroundingsOf(
  db: Reader,
  { open, variant, tree, revision }: SiteContent,
  page: PageRecord,
  documents: readonly Document[],
): Promise<LinkSurroundings> {
  const refs = documents.flatMap((one) => listReferences(one).map(({ ref }) => ref))
  const named = refs.flatMap((ref) => (ref.kind === 'anchor' ? (tree.get(ref.page ?? '') ?? []) : []))
  const hashes = named.flatMap((target) => target.document ?? [])
  const links = await linksOfDocuments(db, revision.spaceId, hashes)
  const anchors = new Map(
    named.map(
      (target) => [target.id, anchorFinder(links.get(target.document ?? '')?.anchors ?? [])] as const,
    ),
  )
  anchors.set(page.id, anchorFinder(documents.flatMap(documentAnchors)))

  const spaces = new Map<string, SiteContent>()
  for (const other of open.variants) {
    if (other === variant || !refs.some((ref) => 'space' in ref && ref.space === other.spaceId)) continue
    spaces.set(other.spaceId, await loadContent(db, open, other, variantAddress(open, other)))
  }
  return { anchors, spaces }
}

function includedBy(document: Document): string[] {
  return listReferences(document).flatMap(({ ref }) =>
    ref.kind === 'reusable-content' ? [ref.reusableContent] : [],
  )
}

/** The document of a reusable content, if it was loaded. */
export function includedDocument({ included }: LoadedDocument, ref: ContentRef): Document | undefined {
  return ref.kind === 'reusable-content' ? included.get(ref.reusableContent) : undefined
}

/** The functions with which the renderer resolves links, files and expressions of a page. */
export function renderContext(
  content: SiteContent,
  page: PageRecord,
  loaded: LoadedDocument,
  highlight: RenderContext['highlight'],
): RenderContext {
  const evaluateIt = evaluator(scopeOf(ANONYMOUS, content.variables, page))
  const fileOf = (ref: ContentRef) => (ref.kind === 'file' ? content.files.get(ref.file) : undefined)

  return {
    // An anchor alone means this page, also in reusable content.
    href: (ref) =>
      ref.kind === 'anchor' && ref.page === undefined && ref.space === undefined
        ? { href: `#${loaded.anchors.get(page.id)?.(ref.anchor) ?? ref.anchor}` }
        : linkTo(content, ref, loaded),
    image(ref): ImageTarget | undefined {
      if (ref.kind === 'url') return isBroken(ref) ? undefined : { src: ref.url }
      const file = fileOf(ref)
      return file && { src: fileAddress(content, file), ...file.dimensions }
    },
    file(ref): FileTarget | undefined {
      if (ref.kind === 'url') return isBroken(ref) ? undefined : { href: ref.url, name: ref.url }
      const file = fileOf(ref)
      return (
        file && {
          href: fileAddress(content, file),
          name: file.name,
          size: file.size,
          contentType: file.contentType,
        }
      )
    },
    reusable: (ref) => includedDocument(loaded, ref),
    highlight,
    evaluate(expression) {
      const result = evaluateIt(expression)
      return result.ok ? result.value : undefined
    },
    icon: pageIcon,
  }
}
