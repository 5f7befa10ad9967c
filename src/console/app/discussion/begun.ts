/** Texts that a user has begun in a discussion and not sent. The browser keeps them, so that no click loses them. */
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { store, storedNames, stored } from '../api/browser-storage.ts'
import type { NewComment } from '../api/review-types.ts'

/** A text that is not sent. */
export interface Begun {
  markdown: string
  /** The text of a block with a suggestion in it. */
  text?: string
  /** The comment that would be sent, if there is enough to send. Browsers have stored it under this name. */
  remark?: NewComment | undefined
}

/** The discussion, and the user who writes in it. */
interface Writing {
  base: string
  me: { id: string }
}

/** Browsers have stored new comments under names with this word. */
const NEW_COMMENT = 'remark '
/** The texts of this tab, which has them for as long as it is open if the browser keeps none. */
const texts = new Map<string, string | undefined>()
const listeners = new Set<() => void>()

/** The name under which the text of a field is kept. @param field names it within its discussion */
export const nameOfBegun = ({ base, me }: Writing, field: string): string => `begun ${me.id} ${base} ${field}`

/** The name under which a new comment on a page, or on a block of it, is kept. */
export const nameOfNewComment = (writing: Writing, page: string, node: string | undefined): string =>
  nameOfBegun(writing, `${NEW_COMMENT}${page} ${node ?? ''}`)

const begunText = (name: string): string | undefined => (texts.has(name) ? texts.get(name) : stored(name))

const parsed = (text: string | undefined): Begun | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as Begun)

/** Returns the text that is kept under a name. */
export const begunAt = (name: string): Begun | undefined => parsed(begunText(name))

/** Keeps a text until it is sent, or forgets it. */
export function keepBegun(name: string, begun: Begun | undefined): void {
  const text = begun && JSON.stringify(begun)
  texts.set(name, text)
  store(name, text)
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== null) texts.delete(key)
    listener()
  }
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}

/** Returns the text that is kept under a name, and a function that replaces it. */
export function useBegun(name: string): [Begun | undefined, (begun: Begun | undefined) => void] {
  const text = useSyncExternalStore(listen, () => begunText(name))
  const keep = useCallback((begun: Begun | undefined) => keepBegun(name, begun), [name])
  return [useMemo(() => parsed(text), [text]), keep]
}

/** A new comment that is not sent. */
export interface BegunComment {
  name: string
  comment: NewComment
}

/** The new comments in a discussion that have enough to be sent. @param page only those on it */
export function begunComments(writing: Writing, page = ''): BegunComment[] {
  const start = nameOfBegun(writing, NEW_COMMENT + (page && `${page} `))
  const names = new Set([...storedNames(start), ...texts.keys()])
  return [...names]
    .filter((name) => name.startsWith(start))
    .toSorted()
    .flatMap((name) => {
      const comment = begunAt(name)?.remark
      return comment ? [{ name, comment }] : []
    })
}

/** The new comments in a discussion, while they are written. */
export function useBegunComments(writing: Writing): BegunComment[] {
  const found = useSyncExternalStore(listen, () => JSON.stringify(begunComments(writing)))
  return useMemo(() => JSON.parse(found) as BegunComment[], [found])
}
