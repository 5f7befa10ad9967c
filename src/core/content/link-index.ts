/** The links of a revision: every reference in its pages and reusable contents, by target. */
import type { DocumentLinks } from '../document/links-in.ts'
import { anchorFinder } from '../document/html/anchors.ts'
import { printAddress } from '../document/markdown/addresses.ts'
import type { ContentRef } from '../document/model.ts'
import type { ReferencePlace } from '../document/references.ts'
import { documentHash } from './hash.ts'
import { isBroken, repositoryPath, resolveReference, type Targets } from './links.ts'
import type { FileRecord, PageRecord, ReusableRecord } from './revision.ts'

/** Whether the content links to the target, or cannot be shown without it. */
export type Relation = 'reference' | 'dependsOn'

/** A place that refers to something. */
export interface LinkHolder {
  kind: 'page' | 'reusable-content'
  id: string
  /** The key of the block; absent for a reference of the page itself, such as its cover. */
  node?: string
  link?: WrittenLink
}

/** A reference as the author wrote it. */
export interface WrittenLink {
  address?: string
  /** The text of a link, the label of a button, the alternative text of an image. */
  text?: string
  /** The line in the Markdown source, from 1; absent for a reference of the page itself. */
  line?: number
}

/** The status `elsewhere` means that the result depends on content outside the revision, and on the caller. */
export type LinkStatus = 'ok' | 'broken' | 'in-app' | 'elsewhere'

/** Everything that refers to one target in one way. */
export interface LinkUse {
  /** Unique within a revision, and the same in every revision. Uses are sorted by it. */
  key: string
  relation: Relation
  /** The resolved target. An anchor includes its page. */
  target: ContentRef
  status: LinkStatus
  /** In reading order. */
  holders: readonly LinkHolder[]
}

/** The content to search for links. */
export interface LinkedContent {
  spaceId: string
  /** In reading order. */
  pages: readonly PageRecord[]
  page(id: string): PageRecord | undefined
  files: ReadonlyMap<string, FileRecord>
  reusables: ReadonlyMap<string, ReusableRecord>
  targets: Targets
  links(document: string): DocumentLinks | undefined
  /** The address of the console. Addresses below it have the status `in-app`. */
  app: string
}

/** Every use of every target, sorted by key. */
export function indexLinks(linked: LinkedContent): LinkUse[] {
  const content = { ...linked, targets: remembering(linked.targets) }
  const uses = new Map<string, LinkUse & { holders: LinkHolder[] }>()
  const anchors = anchorsOf(content)

  const add = (
    ref: ContentRef,
    place: ReferencePlace | 'cover' | 'source',
    holder: LinkHolder,
    from: string | undefined,
  ) => {
    const target = absolute(resolveReference(ref, from, content.targets), holder, content.spaceId)
    if (target === undefined) return
    const relation = DEPENDS.has(place) ? 'dependsOn' : 'reference'
    const key = `${keyOf(target, from)} ${relation}`
    const use = uses.get(key)
    if (!use) {
      uses.set(key, { key, relation, target, status: statusOf(target, content, anchors), holders: [holder] })
      return
    }
    const last = use.holders.at(-1)
    const isSame =
      last?.id === holder.id && last.node === holder.node && last.link?.line === holder.link?.line
    if (!isSame) use.holders.push(holder)
  }
  const addDocument = (document: string | undefined, holder: LinkHolder, from: string | undefined) => {
    for (const { ref, place, key, text, line } of linksOfDocument(content, document).references) {
      const link = { address: printAddress(ref), ...(text === undefined ? {} : { text }), line }
      add(ref, place, { ...holder, ...(key === undefined ? {} : { node: key }), link }, from)
    }
  }

  for (const { id, cover, target, computed, document, file } of content.pages) {
    const holder: LinkHolder = { kind: 'page', id }
    const addOfPage = (ref: ContentRef, place: ReferencePlace | 'cover' | 'source') =>
      add(ref, place, { ...holder, link: { address: printAddress(ref) } }, file)
    for (const ref of [cover?.ref, cover?.refDark]) if (ref) addOfPage(ref, 'cover')
    for (const { ref } of Object.values(computed?.dependencies ?? {})) addOfPage(ref, 'source')
    if (target) addOfPage(target, 'link')
    addDocument(document, holder, file)
  }
  for (const { id, document, path } of content.reusables.values())
    addDocument(document, { kind: 'reusable-content', id }, path)

  return [...uses.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

/** Caches lookups: many links name the same path, and a path without a target costs several lookups. */
function remembering(targets: Targets): Targets {
  const once = (find: (path: string) => string | undefined) => {
    const known = new Map<string, string | undefined>()
    return (path: string) => {
      if (!known.has(path)) known.set(path, find(path))
      return known.get(path)
    }
  }
  return {
    pageByFile: once(targets.pageByFile),
    pageByPath: once(targets.pageByPath),
    ...(targets.pageByOldPath ? { pageByOldPath: once(targets.pageByOldPath) } : {}),
    fileByPath: targets.fileByPath,
    reusableByPath: targets.reusableByPath,
  }
}

/** The uses in one page. */
export function usesIn(uses: readonly LinkUse[], page: string): LinkUse[] {
  return uses.flatMap((use) => {
    const holders = use.holders.filter(({ kind, id }) => kind === 'page' && id === page)
    return holders.length === 0 ? [] : [{ ...use, holders }]
  })
}

/** The other places that refer to a page, a part of it, or a file, sorted by `holderKey`. */
export function backlinksTo(
  uses: readonly LinkUse[],
  { kind, id }: { kind: 'page' | 'file'; id: string },
): LinkHolder[] {
  const found = new Map<string, LinkHolder>()
  for (const { target, holders } of uses) {
    const named = kind === 'page' ? pageOf(target) : fileOf(target)
    if (named !== id) continue
    for (const holder of holders)
      if (holder.id !== id || holder.kind !== kind) found.set(holderKey(holder), holder)
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, holder]) => holder)
}

/** Unique for each place, and the same in every revision. */
export function holderKey({ kind, id, node = '' }: LinkHolder): string {
  return `${kind} ${id} ${node}`
}

/** References that display their target as part of the page. */
const DEPENDS = new Set<ReferencePlace | 'cover' | 'source'>([
  'image',
  'image-dark',
  'drawing',
  'reusable-content',
  'openapi',
  'cell-image',
  'cover',
  'source',
])

const NONE: DocumentLinks = { references: [], anchors: [] }

function linksOfDocument(content: LinkedContent, document: string | undefined): DocumentLinks {
  return (document === undefined ? undefined : content.links(document)) ?? NONE
}

/**
 * Adds the page to an anchor, and removes the space if it is this one. Returns undefined for a reference that has no
 * target on purpose, such as `#`.
 */
function absolute(ref: ContentRef, holder: LinkHolder, spaceId: string): ContentRef | undefined {
  if (ref.kind === 'tag' || (ref.kind === 'url' && ref.url === '#')) return undefined
  if (ref.kind === 'anchor' && ref.page === undefined && ref.space === undefined)
    // The anchors of a reusable content depend on the page that includes it.
    return holder.kind === 'page' ? { ...ref, page: holder.id } : undefined
  if (!('space' in ref) || ref.kind === 'space' || ref.space !== spaceId) return ref
  const { space: _here, ...rest } = ref
  return rest
}

const KEYS: { [K in ContentRef['kind']]: (ref: Extract<ContentRef, { kind: K }>) => string } = {
  url: ({ url }) => addressKey(url),
  anchor: ({ space = '', page = '', anchor }) => `page ${space} ${page} ${addressKey(anchor)}`,
  page: ({ space = '', page }) => `page ${space} ${page}`,
  file: ({ space = '', file }) => `file ${space} ${file}`,
  'reusable-content': ({ space = '', reusableContent }) => `reusable-content ${space} ${reusableContent}`,
  tag: ({ space = '', tag }) => `tag ${space} ${tag}`,
  space: ({ space }) => `space ${space}`,
  collection: ({ collection }) => `collection ${collection}`,
  user: ({ user }) => `user ${user}`,
  openapi: ({ spec }) => `openapi ${spec}`,
}

/** Broken relative addresses share a key if they resolve to the same path. */
function keyOf(target: ContentRef, from: string | undefined): string {
  if (target.kind === 'url' && isBroken(target))
    return `broken ${addressKey(repositoryPath(target.url, from) ?? target.url)}`
  const key = KEYS[target.kind] as (ref: ContentRef) => string
  return target.kind === 'url' ? `url ${key(target)}` : key(target)
}

const SHOWN = 100

/** A key that is unique for each address, and short enough for a cursor. */
function addressKey(address: string): string {
  return address.length <= SHOWN ? address : `${address.slice(0, SHOWN)}${documentHash(address)}`
}

function statusOf(
  target: ContentRef,
  content: LinkedContent,
  anchors: (page: string) => AnchorSet,
): LinkStatus {
  if (target.kind === 'url') {
    if (isBroken(target)) return 'broken'
    return target.url === content.app || target.url.startsWith(`${content.app}/`) ? 'in-app' : 'ok'
  }
  if (target.kind === 'file' && target.space === undefined) return found(content.files.has(target.file))
  if (target.kind === 'page' && target.space === undefined) return found(content.page(target.page))
  if (target.kind === 'reusable-content' && target.space === undefined)
    return found(content.reusables.has(target.reusableContent))
  if (target.kind === 'anchor' && target.space === undefined) {
    const page = target.page ?? ''
    return found(content.page(page) && anchors(page)(target.anchor))
  }
  return 'elsewhere'
}

const found = (thing: unknown) => (thing ? 'ok' : 'broken')

type AnchorSet = (anchor: string) => boolean

/** The anchors of each page, with those of its included content. Each page is read once. */
function anchorsOf(content: LinkedContent): (page: string) => AnchorSet {
  const known = new Map<string, AnchorSet>()
  return (id) => {
    const set = known.get(id) ?? readAnchors(content, id)
    known.set(id, set)
    return set
  }
}

function readAnchors(content: LinkedContent, id: string): AnchorSet {
  const page = content.page(id)
  // Computed content is generated when it is read, so its anchors are not known here.
  if (page?.computed) return () => true
  const anchors = new Set<string>()
  const seen = new Set<string>()
  const read = (document: string | undefined, from: string | undefined) => {
    const links = linksOfDocument(content, document)
    for (const anchor of links.anchors) anchors.add(anchor)
    for (const { ref, place } of links.references) {
      if (place !== 'reusable-content') continue
      const included = resolveReference(ref, from, content.targets)
      if (included.kind !== 'reusable-content' || seen.has(included.reusableContent)) continue
      seen.add(included.reusableContent)
      const reusable = content.reusables.get(included.reusableContent)
      read(reusable?.document, reusable?.path)
    }
  }
  read(page?.document, page?.file)
  const find = anchorFinder(anchors)
  return (anchor) => anchors.has(find(anchor))
}

function pageOf(target: ContentRef): string | undefined {
  return (target.kind === 'page' || target.kind === 'anchor') && target.space === undefined
    ? target.page
    : undefined
}

function fileOf(target: ContentRef): string | undefined {
  return target.kind === 'file' && target.space === undefined ? target.file : undefined
}
