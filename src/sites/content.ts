import { ANONYMOUS, maySeePage, scopeOf } from '../access/visitors.ts'
import type { ContentRef, Document } from '../core/document/model.ts'
import type { FileTarget, ImageTarget, LinkTarget, RenderContext } from '../core/document/html/renderer.ts'
import { listReferences } from '../core/document/references.ts'
import { evaluate } from '../core/expression.ts'
import { nameInAddress } from '../core/file-name.ts'
import { isBroken } from '../core/links.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from '../core/revision.ts'
import type { PageTree } from '../core/tree.ts'
import type { Reader, Row } from '../db/schema.ts'
import { documentOf, filesOf, pagesOf, reusablesOf } from '../model/content.ts'
import { needRevision } from '../model/revision.ts'
import { pageIcon } from './icons.ts'
import type { OpenSite, Variant } from './resolve.ts'

const INCLUDE_DEPTH = 4

/** The content of one published space, as its visitors may see it. */
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
}

export async function loadContent(
  db: Reader,
  open: OpenSite,
  variant: Variant,
  base: string,
): Promise<SiteContent> {
  const revision = await needRevision(db, variant.spaceId, variant.revisionId)
  const tree = await pagesOf(db, revision)
  const variables = JSON.parse(revision.variables) as Variables
  return {
    open,
    variant,
    base,
    revision,
    tree,
    files: await filesOf(db, revision),
    reusables: await reusablesOf(db, revision),
    variables,
    shown: (page) => maySeePage(tree, page, ANONYMOUS, variables),
  }
}

/** The page at the root of the space: its first document that visitors may see. */
export function rootPage({ tree, shown }: SiteContent): PageRecord | undefined {
  return tree.pages().find((page) => page.type === 'document' && shown(page))
}

/** Where a page is, as a path on its host. */
export function pageAddress(content: SiteContent, page: PageRecord): string {
  const path = rootPage(content)?.id === page.id ? '' : content.tree.path(page.id)
  return content.base + path.split('/').map(encodeURIComponent).join('/')
}

/** Where a file of the space is, as a path on its host; it changes with the content. */
export function fileAddress(
  { base }: Pick<SiteContent, 'base'>,
  file: Pick<FileRecord, 'id' | 'hash' | 'name'>,
): string {
  return `${base}~/files/${file.id}/${file.hash.slice(0, 12)}/${nameInAddress(file.name)}`
}

/** Where a reference leads on this site; undefined when there is nothing for a visitor. */
export function linkTo(content: SiteContent, ref: ContentRef): LinkTarget | undefined {
  if (ref.kind === 'url')
    return isBroken(ref) ? undefined : { href: ref.url, external: !ref.url.startsWith('#') }
  if (ref.kind === 'anchor' && ref.page === undefined) return { href: `#${ref.anchor}` }
  if (ref.kind === 'page' || ref.kind === 'anchor') {
    const page = ref.page === undefined ? undefined : content.tree.get(ref.page)
    if (!page || ref.space !== undefined || !content.shown(page)) return undefined
    if (page.type === 'link') return page.target && linkTo(content, page.target)
    const { title, description, icon, emoji } = page
    const anchor = ref.kind === 'anchor' ? `#${ref.anchor}` : ''
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

/** Where a space of the site begins. */
export function variantAddress({ base }: OpenSite, { isDefault, path }: Variant): string {
  return isDefault ? base : `${base}${encodeURIComponent(path)}/`
}

/** A page's document with those it includes, loaded before rendering, which waits for nothing. */
export interface LoadedDocument {
  document: Document
  included: ReadonlyMap<string, Document>
}

export async function loadDocument(
  db: Reader,
  { revision, reusables }: SiteContent,
  page: PageRecord,
): Promise<LoadedDocument> {
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
  return { document, included }
}

function includedBy(document: Document): string[] {
  return listReferences(document).flatMap(({ ref }) =>
    ref.kind === 'reusable-content' ? [ref.reusableContent] : [],
  )
}

/** The document of a reusable content among those that were loaded. */
export function includedDocument({ included }: LoadedDocument, ref: ContentRef): Document | undefined {
  return ref.kind === 'reusable-content' ? included.get(ref.reusableContent) : undefined
}

/** What the renderer asks of the world around a page of this site. */
export function renderContext(
  content: SiteContent,
  page: PageRecord,
  loaded: LoadedDocument,
  highlight: RenderContext['highlight'],
): RenderContext {
  const scope = scopeOf(ANONYMOUS, content.variables, page)
  const fileOf = (ref: ContentRef) => (ref.kind === 'file' ? content.files.get(ref.file) : undefined)

  return {
    href: (ref) => linkTo(content, ref),
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
      const result = evaluate(expression, scope)
      return result.ok ? result.value : undefined
    },
    icon: pageIcon,
  }
}
