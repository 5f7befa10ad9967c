/**
 * The answers to members who search, which they often ask for again: with each letter that they type or take back, and with
 * the names that everybody looks for. All members with access to the same spaces get the same answer.
 */
import { hash } from 'node:crypto'
import { heapSize } from '../../core/runtime/heap-size.ts'
import { lru } from '../../core/data/lru.ts'
import type { Reader } from '../../db/schema.ts'
import { answerJson, keptJson } from '../../http/response/json-parts.ts'
import type { PageRequest } from '../../http/pagination.ts'
import type { Urls } from '../../http/urls.ts'
import { type ReadIndex, readIndexes } from './entries.ts'
import { findPages, type SearchFindings } from './find.ts'
import { searchedByMember } from './searched.ts'

/** A space that a member searches. */
interface MembersSpace {
  id: string
  title: string
  revisionId: string
}

/** A page of what a search found. */
interface MembersAnswer {
  items: readonly unknown[]
}

/** The search of a member. */
export interface MembersSearch {
  /** The kind of items that the answer lists. */
  lists: 'pages' | 'spaces'
  /** All of these are visible to the member. */
  spaces: readonly MembersSpace[]
  text: string
  page: PageRequest
  urls: Urls
  signal: AbortSignal
}

/** Keyed by everything that they are made of, so never stale. */
const answers = lru<object>(32 * 1024 * 1024, 'search-results')
/** The bytes that a cached answer takes besides its text. */
const KEPT_BYTES = 1024
/** Longer answers are not kept. */
const LONGEST = 256 * 1024

/**
 * The answer to a member who searches.
 * @param show makes it of what was found, and of nothing else that can change
 * @returns an answer that can only be sent
 */
export async function answerMember<T extends MembersAnswer>(
  db: Reader,
  search: MembersSearch,
  show: (findings: SearchFindings) => Promise<T>,
): Promise<T> {
  const { spaces, text, signal } = search
  const indexes = await readIndexes(
    db,
    spaces.map(({ id }) => id),
  )
  const key = answerKey(search, indexes)
  const known = answers.get(key)
  if (known) return known as T

  const byId = new Map(spaces.map((space) => [space.id, space]))
  let isComputed = false
  const open = async (id: string) => {
    const space = await searchedByMember(db, byId.get(id)!)
    isComputed ||= space.isComputed
    return space
  }
  const answer = await show(await findPages(db, indexes, text, open, signal))
  // Computed pages change with their specifications, which the key does not name.
  return isComputed ? answer : keep(key, answer)
}

/** A space in which nothing is found adds nothing to an answer, so the state of its index is enough. */
function answerKey(
  { lists, spaces, text, page, urls }: MembersSearch,
  indexes: readonly ReadIndex[],
): string {
  const states = new Map(indexes.map(({ spaceId, state }) => [spaceId, state]))
  const of = spaces.map(({ id, title, revisionId }) => [id, title, revisionId, states.get(id) ?? null])
  return hash(
    'sha256',
    JSON.stringify([lists, of, text, page.limit, page.after ?? null, urls.app('')]),
    'base64url',
  )
}

/** The answer is kept in the codings in which clients got it. */
function keep<T extends MembersAnswer & object>(key: string, answer: T): T {
  const json = answerJson(answer)
  if (json.length > LONGEST) return answer
  const kept = keptJson<T>(json, (bytes) => {
    // An answer that was dropped meanwhile stays so.
    if (answers.get(key) === kept) answers.set(key, kept, KEPT_BYTES + bytes)
  })
  answers.set(key, kept, KEPT_BYTES + heapSize(json))
  return kept
}
