/**
 * The dependencies of resolved references. Each lookup records tokens: the repository paths that it tried, the places
 * in the page tree that it went through, and the bodies that it read. A reference resolves differently in another
 * content only if the contents differ in one of its tokens.
 */
import type { Targets } from './links.ts'
import { findOldPath, type OldPlaces } from './old-places.ts'
import { pathTargets } from './repository-paths.ts'
import type { EntryChange } from './prolly-tree/read.ts'
import { type FileRecord, hasPath, type PageRecord, type ReusableRecord } from './revision.ts'
import { type PageTree, trimmedPath } from './tree/tree.ts'

/**
 * The kinds of tokens: the page with a repository path, the file or the reusable content with one, the pages that are or
 * were at a place (`<parent>/<slug>`), whether a page exists and has a path, the first page of the tree, and the body of
 * a page or reusable content.
 */
type TokenKind = 'source' | 'file' | 'include' | 'place' | 'page' | 'first' | 'body'

/** A token is the 32-bit FNV-1a hash of its kind and name. If two share a hash, a reference is only resolved once more. */
export function tokenOf(kind: TokenKind, name: string): number {
  let hash = 0x81_1c_9d_c5
  const text = `${kind} ${name}`
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01_00_01_93)
  return hash >>> 0
}

/** The records among which references resolve. */
export interface LinkTargets {
  readonly tree: PageTree
  readonly files: ReadonlyMap<string, FileRecord>
  readonly reusables: ReadonlyMap<string, ReusableRecord>
  readonly oldPlaces: OldPlaces
}

/** Lookups that collect their tokens in `asked` until the caller replaces it. */
export interface NotingTargets extends Targets {
  asked: Set<number>
}

type Note = (kind: TokenKind, name: string) => void

/** Lookups in a content. Each path is looked up once: many links name the same one. */
export function notingTargets({ tree, files, reusables, oldPlaces }: LinkTargets): NotingTargets {
  const direct = pathTargets({ pages: tree, files, reusables })
  const noting: NotingTargets = {
    asked: new Set(),
    pageByFile: once((path, note) => {
      note('source', path)
      return direct.pageByFile(path)
    }),
    fileByPath: once((path, note) => {
      note('file', path)
      return direct.fileByPath(path)
    }),
    reusableByPath: once((path, note) => {
      note('include', path)
      return direct.reusableByPath(path)
    }),
    pageByPath: once((path, note) => {
      notePlaces(tree, path, note)
      return direct.pageByPath(path)
    }),
    pageByOldPath: once((path, note) => findOldPath(tree, oldPlaces, path, note)?.id),
  }
  function once(find: (path: string, note: Note) => string | undefined) {
    const known = new Map<string, { found: string | undefined; tokens: number[] }>()
    return (path: string) => {
      let answer = known.get(path)
      if (!answer) {
        const tokens: number[] = []
        const found = find(path, (kind, name) => tokens.push(tokenOf(kind, name)))
        answer = { found, tokens }
        known.set(path, answer)
      }
      for (const token of answer.tokens) noting.asked.add(token)
      return answer.found
    }
  }
  return noting
}

/** Notes the places that `byPath` goes through. */
function notePlaces(tree: PageTree, path: string, note: Note): void {
  const wanted = trimmedPath(path)
  if (wanted === '') return note('first', '')
  for (const way of wanted.endsWith('.md') ? [wanted, wanted.slice(0, -3)] : [wanted]) {
    let parent: string | null = null
    for (const slug of way.split('/')) {
      note('place', `${parent ?? ''}/${slug}`)
      const child: PageRecord | undefined = tree.childAt(parent, slug)
      if (!child) break
      parent = child.id
    }
  }
}

/** The differences between two contents, by id; those of the old places by their keys. */
export interface LinkChanges {
  pages: readonly EntryChange<PageRecord>[]
  files: readonly EntryChange<FileRecord>[]
  reusables: readonly EntryChange<ReusableRecord>[]
  oldPlaces: readonly EntryChange<string>[]
}

/** The tokens in which two contents differ. Every page of both trees is below the parent that it names. */
export function changedTokens(before: PageTree, after: PageTree, changes: LinkChanges): Set<number> {
  const tokens = new Set<number>()
  const add = (kind: TokenKind, names: readonly (string | undefined)[]) => {
    for (const name of names) if (name !== undefined) tokens.add(tokenOf(kind, name))
  }
  for (const { key, before: old, after: now } of changes.pages) {
    const places = [tokenPlace(old), tokenPlace(now)]
    // The order decides between siblings with the same slug.
    if (places[0] !== places[1] || old?.order !== now?.order) add('place', places)
    if (places.includes(undefined)) add('page', [key])
    if (!old || !now || old.file !== now.file) add('source', [old?.file, now?.file])
    if (!old || !now || hasOtherBody(old, now)) add('body', [key])
  }
  for (const { before: old, after: now } of changes.files)
    if (!old || !now || old.path !== now.path) add('file', [old?.path, now?.path])
  for (const { key, before: old, after: now } of changes.reusables) {
    if (!old || !now || old.path !== now.path) add('include', [old?.path, now?.path])
    if (!old || !now || old.document !== now.document || old.path !== now.path) add('body', [key])
  }
  for (const { key } of changes.oldPlaces) {
    const [parent, slug, page = ''] = key.split('/')
    // How long the page has been at its present place depends on its latest old place.
    add('place', [`${parent}/${slug}`, tokenPlace(before.get(page)), tokenPlace(after.get(page))])
  }
  if (before.first()?.id !== after.first()?.id) add('first', [''])
  return tokens
}

function hasOtherBody(old: PageRecord, now: PageRecord): boolean {
  return (
    old.document !== now.document || old.file !== now.file || Boolean(old.computed) !== Boolean(now.computed)
  )
}

function tokenPlace(page: PageRecord | undefined): string | undefined {
  return page && hasPath(page) ? `${page.parent ?? ''}/${page.slug.toLowerCase()}` : undefined
}
