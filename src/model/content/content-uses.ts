import { setImmediate } from 'node:timers/promises'
import { resolveReference } from '../../core/content/links.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { ContentRef } from '../../core/document/model.ts'
import { heapSize } from '../../core/runtime/heap-size.ts'
import { lru } from '../../core/data/lru.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { linkTargetsOf, pagesOf, reusablesOf } from './content.ts'
import { linksOfDocuments } from './stored-links.ts'

type Content = Pick<Row<'revision'>, 'spaceId' | 'pages' | 'files' | 'reusables' | 'oldPlaces'>

/**
 * The ids of the pages that show or name something, by its key: a file, a reusable content, a user or a specification.
 */
export type ContentUses = ReadonlyMap<string, readonly string[]>

/** Distinguishes files: their ids are unique in a space. */
export const fileKey = (spaceId: string, file: string) => `${spaceId} ${file}`

/** Distinguishes reusable contents among all that pages use. */
export const reusableKey = (spaceId: string, id: string) => `reusable ${spaceId} ${id}`

/** Distinguishes users among all that pages use. */
export const userKey = (id: string) => `user ${id}`

/** Distinguishes the specifications of an organization among all that pages use. */
export const specKey = (slug: string) => `openapi ${slug}`

/** The key of what a reference of a space names; undefined for what no page shows or mentions. */
export function keyOfUse(ref: ContentRef, spaceId: string): string | undefined {
  if (ref.kind === 'file') return fileKey(ref.space ?? spaceId, ref.file)
  if (ref.kind === 'reusable-content') return reusableKey(ref.space ?? spaceId, ref.reusableContent)
  if (ref.kind === 'user') return userKey(ref.user)
  return ref.kind === 'openapi' ? specKey(ref.spec) : undefined
}

/** Keyed by hashes of the content, so never stale. */
const known = lru<ContentUses>(16 * 1024 * 1024, 'content-uses')
/** Other requests have their turn after so many documents. */
const AT_ONCE = 200

/** Which pages of a revision use what: in their text, in what the text includes, or as their cover or target. */
export async function contentUsesOf(db: Reader, revision: Content): Promise<ContentUses> {
  const { spaceId, pages, files, reusables, oldPlaces } = revision
  const name = [spaceId, pages, files, reusables, oldPlaces].join(' ')
  const before = known.get(name)
  if (before) return before
  const uses = await readUses(db, revision)
  known.set(name, uses, heapSize(uses))
  return uses
}

async function readUses(db: Reader, revision: Content): Promise<ContentUses> {
  const { spaceId } = revision
  const tree = await pagesOf(db, revision)
  const reusables = [...(await reusablesOf(db, revision)).values()]
  const targets = await linkTargetsOf(db, revision)

  /** Reads the references of documents: to what they show, and to the reusable contents that they include. */
  const read = async (places: readonly { id: string; document?: string; from: string | undefined }[]) => {
    const found = new Map<string, Named>()
    for (let start = 0; start < places.length; start += AT_ONCE) {
      const some = places.slice(start, start + AT_ONCE)
      const links = await linksOfDocuments(
        db,
        spaceId,
        some.flatMap(({ document }) => document ?? []),
      )
      for (const { id, document, from } of some) {
        const named: Named = { keys: new Set(), included: new Set() }
        for (const { ref } of links.get(document ?? '')?.references ?? [])
          add(named, resolveReference(ref, from, targets), spaceId)
        found.set(id, named)
      }
      await setImmediate()
    }
    return found
  }
  const ofReusables = await read(
    reusables.map(({ id, document, path }) => ({ id, ...(document ? { document } : {}), from: path })),
  )
  const documents = tree.pages()
  const ofPages = await read(
    documents.map(({ id, document, file }) => ({ id, ...(document ? { document } : {}), from: file })),
  )

  const uses = new Map<string, string[]>()
  for (const page of documents) {
    const named = ofPages.get(page.id)!
    for (const ref of refsOf(page)) add(named, resolveReference(ref, page.file, targets), spaceId)
    for (const key of usedWithin(named, ofReusables)) {
      const users = uses.get(key)
      if (users) users.push(page.id)
      else uses.set(key, [page.id])
    }
  }
  return uses
}

interface Named {
  keys: Set<string>
  included: Set<string>
}

function add(named: Named, ref: ContentRef, spaceId: string): void {
  const key = keyOfUse(ref, spaceId)
  if (key !== undefined) named.keys.add(key)
  if (ref.kind === 'reusable-content' && (ref.space ?? spaceId) === spaceId)
    named.included.add(ref.reusableContent)
}

function refsOf({ cover, target }: PageRecord): ContentRef[] {
  return [cover?.ref, cover?.refDark, target].filter((ref) => ref !== undefined)
}

function usedWithin(page: Named, reusables: ReadonlyMap<string, Named>): Set<string> {
  const keys = new Set(page.keys)
  const seen = new Set(page.included)
  // A set can grow while it is iterated: the contents that an included one includes come after it.
  for (const id of seen) {
    const included = reusables.get(id)
    for (const key of included?.keys ?? []) keys.add(key)
    for (const other of included?.included ?? []) seen.add(other)
  }
  return keys
}
