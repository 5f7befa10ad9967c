/** The links of a revision: every reference of its pages and reusable contents, by what it leads to. */
import type { DocumentLinks } from './document/links-in.ts'
import type { ContentRef } from './document/model.ts'
import type { Place } from './document/references.ts'
import { documentHash } from './hash.ts'
import { isBroken, repositoryPath, resolveReference, type Targets } from './links.ts'
import type { FileRecord, PageRecord, ReusableRecord } from './revision.ts'

/** Whether the content leads to the target, or cannot be shown without it (api-facts 1.2). */
export type Relation = 'reference' | 'dependsOn'

/** Where a reference stands. */
export interface Holder {
  kind: 'page' | 'reusable-content'
  id: string
  /** The key of the block; absent where the page itself refers, as by its cover. */
  node?: string
}

/** `elsewhere` has to be asked of what is not in the revision. */
export type LinkStatus = 'ok' | 'broken' | 'in-app' | 'elsewhere'

/** Everything that refers to one target in one way. */
export interface LinkUse {
  /** Unique in the revision, the same in others; uses are sorted by it. */
  key: string
  relation: Relation
  /** Resolved; an anchor names its page. */
  target: ContentRef
  status: LinkStatus
  /** In reading order. */
  holders: readonly Holder[]
}

/** What the links of a revision are found in. */
export interface LinkedContent {
  spaceId: string
  /** In reading order. */
  pages: readonly PageRecord[]
  page(id: string): PageRecord | undefined
  files: ReadonlyMap<string, FileRecord>
  reusables: ReadonlyMap<string, ReusableRecord>
  targets: Targets
  links(document: string): DocumentLinks | undefined
  /** Where the console begins; what is under it is in the app. */
  app: string
}

/** Every use of every target, sorted by key. */
export function indexLinks(linked: LinkedContent): LinkUse[] {
  const content = { ...linked, targets: remembering(linked.targets) }
  const uses = new Map<string, LinkUse & { holders: Holder[] }>()
  const anchors = anchorsOf(content)

  const add = (
    ref: ContentRef,
    place: Place | 'cover' | 'source',
    holder: Holder,
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
    if (last?.id !== holder.id || last.node !== holder.node) use.holders.push(holder)
  }
  const addDocument = (document: string | undefined, holder: Holder, from: string | undefined) => {
    for (const { ref, place, key } of linksIn(content, document).references)
      add(ref, place, key === undefined ? holder : { ...holder, node: key }, from)
  }

  for (const { id, cover, target, computed, document, file } of content.pages) {
    const holder: Holder = { kind: 'page', id }
    for (const ref of [cover?.ref, cover?.refDark]) if (ref) add(ref, 'cover', holder, file)
    for (const { ref } of Object.values(computed?.dependencies ?? {})) add(ref, 'source', holder, file)
    if (target) add(target, 'link', holder, file)
    addDocument(document, holder, file)
  }
  for (const { id, document, path } of content.reusables.values())
    addDocument(document, { kind: 'reusable-content', id }, path)

  return [...uses.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

/** The same path is meant by many links, and is looked up in many ways where it leads nowhere. */
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

/** What of these uses stands in a page. */
export function usesIn(uses: readonly LinkUse[], page: string): LinkUse[] {
  return uses.flatMap((use) => {
    const holders = use.holders.filter(({ kind, id }) => kind === 'page' && id === page)
    return holders.length === 0 ? [] : [{ ...use, holders }]
  })
}

/** Where else a page, a part of it, or a file is referred to, sorted by `holderKey`. */
export function backlinksTo(
  uses: readonly LinkUse[],
  { kind, id }: { kind: 'page' | 'file'; id: string },
): Holder[] {
  const found = new Map<string, Holder>()
  for (const { target, holders } of uses) {
    const named = kind === 'page' ? pageOf(target) : fileOf(target)
    if (named !== id) continue
    for (const holder of holders)
      if (holder.id !== id || holder.kind !== kind) found.set(holderKey(holder), holder)
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, holder]) => holder)
}

/** Unique for each place, in every revision. */
export function holderKey({ kind, id, node = '' }: Holder): string {
  return `${kind} ${id} ${node}`
}

/** What is a part of the page that shows it. */
const DEPENDS = new Set<Place | 'cover' | 'source'>([
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

function linksIn(content: LinkedContent, document: string | undefined): DocumentLinks {
  return (document === undefined ? undefined : content.links(document)) ?? NONE
}

/** The reference with the page that it means, and without the space if it is this one; undefined for what leads nowhere by intention. */
function absolute(ref: ContentRef, holder: Holder, spaceId: string): ContentRef | undefined {
  if (ref.kind === 'tag' || (ref.kind === 'url' && ref.url === '#')) return undefined
  if (ref.kind === 'anchor' && ref.page === undefined && ref.space === undefined)
    // Where a reusable content is included decides what its anchors are.
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

/** Relative addresses that lead nowhere are one where they mean the same path. */
function keyOf(target: ContentRef, from: string | undefined): string {
  if (target.kind === 'url' && isBroken(target))
    return `broken ${addressKey(repositoryPath(target.url, from) ?? target.url)}`
  const key = KEYS[target.kind] as (ref: ContentRef) => string
  return target.kind === 'url' ? `url ${key(target)}` : key(target)
}

const SHOWN = 100

/** Short enough for a cursor, and one for each address. */
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

/** The anchors of a page with those of what it includes; each page is read once. */
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
  // What is made when it is read has anchors that nobody knows yet.
  if (page?.computed) return () => true
  const anchors = new Set<string>()
  const seen = new Set<string>()
  const read = (document: string | undefined, from: string | undefined) => {
    const links = linksIn(content, document)
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
  return (anchor) => anchors.has(anchor)
}

function pageOf(target: ContentRef): string | undefined {
  return (target.kind === 'page' || target.kind === 'anchor') && target.space === undefined
    ? target.page
    : undefined
}

function fileOf(target: ContentRef): string | undefined {
  return target.kind === 'file' && target.space === undefined ? target.file : undefined
}
