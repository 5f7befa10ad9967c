/** Resolves the references of one page or reusable content, and decides whether their targets exist. */
import { need } from '../data/lists.ts'
import { anchorFinder } from '../document/html/anchors.ts'
import type { DocumentLinks } from '../document/links/links-in.ts'
import type { ContentRef } from '../document/model.ts'
import { documentHash } from './hash.ts'
import { DEPENDS, isPage, type LinkSource, sourcePath, placesIn } from './link-places.ts'
import { type LinkTargets, notingTargets, tokenOf } from './link-tokens.ts'
import type { IndexedStatus, Relation } from './link-uses.ts'
import { isBroken, repositoryPath, resolveReference } from './links.ts'

/** How the `document` of a computed page begins whose anchors are known. It is no hash, as nothing is stored of it. */
export const COMPUTED = 'computed '

/** The content to search for links. */
export interface LinkedContent extends LinkTargets {
  readonly spaceId: string
  /** The address of the console. Addresses below it have the status `in-app`. */
  readonly app: string
  links(document: string): DocumentLinks | undefined
}

/** A reference, resolved. */
export interface ResolvedLink {
  /** The key of the use; see `WholeIndex`. */
  key: string
  relation: Relation
  target: ContentRef
  /** The index of the reference in `placesIn`. */
  place: number
  /** The rank of the key of its block among those of the source. */
  block: number
}

/** The references of a source, and the tokens that their resolution depends on. */
export interface SourceLinks {
  links: ResolvedLink[]
  asked: Uint32Array
}

/** Whether a page has an anchor, and the tokens that this depends on. */
export interface PageAnchors {
  has(anchor: string): boolean
  asked: Uint32Array
}

/** Resolves the links of a content. */
export interface LinkResolver {
  source(record: LinkSource): SourceLinks
  status(target: ContentRef): IndexedStatus
  /** The anchors that `status` has read, by page. */
  anchors: ReadonlyMap<string, PageAnchors>
}

/** Resolves links in a content. Each path and the anchors of each page are looked up once. */
export function linkResolver(content: LinkedContent): LinkResolver {
  const targets = notingTargets(content)
  const anchors = new Map<string, PageAnchors>()
  function noted<T>(work: () => T): { value: T; asked: Uint32Array } {
    targets.asked = new Set()
    const value = work()
    return { value, asked: Uint32Array.from(targets.asked) }
  }

  function anchorsOf(page: string): PageAnchors {
    const known = anchors.get(page)
    if (known) return known
    const { value, asked } = noted(() => readAnchors(page))
    const read = { has: value, asked }
    anchors.set(page, read)
    return read
  }

  function readAnchors(id: string): (anchor: string) => boolean {
    const page = content.tree.get(id)
    targets.asked.add(tokenOf('body', id))
    // Computed content is generated when it is read. Only a content that names its anchors has them here.
    if (page?.computed && page.document?.startsWith(COMPUTED) !== true) return () => true
    const found = new Set<string>()
    const seen = new Set<string>()
    const read = (document: string | undefined, from: string | undefined) => {
      const links = linksOfDocument(content, document)
      for (const anchor of links.anchors) found.add(anchor)
      for (const { ref, place } of links.references) {
        if (place !== 'reusable-content') continue
        const included = resolveReference(ref, from, targets)
        if (included.kind !== 'reusable-content' || seen.has(included.reusableContent)) continue
        seen.add(included.reusableContent)
        targets.asked.add(tokenOf('body', included.reusableContent))
        const reusable = content.reusables.get(included.reusableContent)
        read(reusable?.document, reusable?.path)
      }
    }
    read(page?.document, page?.file)
    const find = anchorFinder(found)
    return (anchor) => found.has(find(anchor))
  }

  return {
    anchors,
    source(record) {
      const places = placesIn(record, linksOfDocument(content, record.document))
      const blocks = ranksOf(places.map(({ node = '' }) => node))
      const { value: links, asked } = noted(() => {
        const found: ResolvedLink[] = []
        const last = new Map<string, { block: number; line: number | undefined }>()
        for (const [place, { ref, place: kind, node = '', line }] of places.entries()) {
          const link = spelled(resolveReference(ref, sourcePath(record), targets), record, content.spaceId)
          if (!link) continue
          const relation = DEPENDS.has(kind) ? 'dependsOn' : 'reference'
          const key = `${link.key} ${relation}`.toWellFormed()
          const block = need(blocks, node)
          const before = last.get(key)
          last.set(key, { block, line })
          // Two references in one line of a block are one place.
          if (before?.block === block && before.line === line) continue
          found.push({ key, relation, target: link.target, place, block })
        }
        return found
      })
      return { links, asked }
    },
    status(target) {
      if (target.kind === 'url') {
        if (isBroken(target)) return 'broken'
        return target.url === content.app || target.url.startsWith(`${content.app}/`) ? 'in-app' : 'ok'
      }
      if (target.kind === 'user' || target.kind === 'collection' || target.kind === 'openapi')
        return 'elsewhere'
      if ('space' in target && target.space !== undefined) return 'elsewhere'
      if (target.kind === 'file') return found(content.files.has(target.file))
      if (target.kind === 'page') return found(content.tree.get(target.page))
      if (target.kind === 'reusable-content') return found(content.reusables.has(target.reusableContent))
      if (target.kind !== 'anchor') return 'elsewhere'
      const { page = '', anchor } = target
      return found(content.tree.get(page) && anchorsOf(page).has(anchor))
    },
  }
}

/** Loads the links of documents, by their hash; undefined if they are so long that they belong in a thread. */
export type LoadLinks = (hashes: readonly string[]) => Promise<ReadonlyMap<string, DocumentLinks> | undefined>

/** A content whose links are loaded when they are needed. */
export type StoredContent = Omit<LinkedContent, 'links'>

/**
 * Does work that reads links. It is done again with more documents as long as it asks for others: the anchors of a page
 * need the documents that it includes, which are known once it is read.
 * @param first documents that the work will need
 * @returns undefined if `load` does
 */
export async function withLoadedLinks<T>(
  content: StoredContent,
  first: Iterable<string>,
  load: LoadLinks,
  work: (resolver: LinkResolver) => Promise<T> | T,
): Promise<T | undefined> {
  const documents = new Map<string, DocumentLinks>()
  for (let missing = new Set(first); ;) {
    const loaded = await load([...missing])
    if (!loaded) return undefined
    for (const hash of missing) documents.set(hash, loaded.get(hash) ?? NONE)
    missing = new Set()
    const links = (hash: string) => {
      const known = documents.get(hash)
      if (!known) missing.add(hash)
      return known
    }
    const result = await work(linkResolver({ ...content, links }))
    if (missing.size === 0) return result
  }
}

const found = (thing: unknown) => (thing ? 'ok' : 'broken')

function ranksOf(texts: readonly string[]): Map<string, number> {
  return new Map([...new Set(texts)].toSorted().map((text, rank) => [text, rank]))
}

const NONE: DocumentLinks = { references: [], anchors: [] }

function linksOfDocument(content: LinkedContent, document: string | undefined): DocumentLinks {
  return (document === undefined ? undefined : content.links(document)) ?? NONE
}

/** The key and the target of a resolved reference; undefined if it has no target on purpose, such as `#`. */
function spelled(
  resolved: ContentRef,
  source: LinkSource,
  spaceId: string,
): { key: string; target: ContentRef } | undefined {
  const target = absolute(resolved, source, spaceId)
  if (target === undefined) return undefined
  if (target.kind !== 'url' || !isBroken(target)) return { key: targetKey(target), target }
  // Broken relative addresses share a use if they resolve to the same path.
  const path = repositoryPath(target.url, sourcePath(source))
  return {
    key: `broken ${addressKey(path ?? target.url)}`,
    target: path === undefined ? target : { kind: 'url', url: `/${path}` },
  }
}

/** Adds the page to an anchor, and removes the space if it is this one. */
function absolute(ref: ContentRef, source: LinkSource, spaceId: string): ContentRef | undefined {
  if (ref.kind === 'tag' || (ref.kind === 'url' && ref.url === '#')) return undefined
  if (ref.kind === 'anchor' && ref.page === undefined && ref.space === undefined)
    // The anchors of a reusable content depend on the page that includes it.
    return isPage(source) ? { ...ref, page: source.id } : undefined
  if (!('space' in ref) || ref.kind === 'space' || ref.space !== spaceId) return ref
  const { space: _here, ...rest } = ref
  return rest
}

const KEYS: { [K in ContentRef['kind']]: (ref: Extract<ContentRef, { kind: K }>) => string } = {
  url: ({ url }) => `url ${addressKey(url)}`,
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

function targetKey(target: ContentRef): string {
  return (KEYS[target.kind] as (ref: ContentRef) => string)(target)
}

/** How the keys of the uses of a page, file or reusable content of the same space, and of its parts, begin. */
export function keysTo(kind: 'page' | 'file' | 'reusable-content', id: string): string {
  return `${kind}  ${id} `
}

/** How the keys of the uses of an address begin. */
export function keysToAddress(url: string): string {
  return `${KEYS.url({ kind: 'url', url })} `.toWellFormed()
}

const SHOWN = 100

/** A key that is unique for each address, and short enough for a cursor. */
function addressKey(address: string): string {
  return address.length <= SHOWN ? address : `${address.slice(0, SHOWN)}${documentHash(address)}`
}
