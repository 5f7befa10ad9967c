/** Where the links and files of a page lead. */
import type { ContentRef } from '../../../../core/document/model.ts'
import { api } from '../../api/api.ts'
import type { PageEntry } from '../../api/types.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { ContentPath } from '../../api/paths.ts'

/** The content that a page belongs to. */
export interface PageContext {
  /** Its path below `/v1`, such as `/spaces/x/content`; undefined if it is unknown. */
  content: ContentPath | undefined
  pages: readonly PageEntry[]
  /** Whether the page is being written. */
  isEdited?: boolean
}

/** A file of the content. */
export type ContentFile = Schemas['File']

const files = new Map<string, Promise<ContentFile>>()

/** A file by its id. Its bytes never change for as long as a page is shown. */
export function fileOf({ content }: PageContext, id: string): Promise<ContentFile> {
  const path = `${content ?? ''}/files/${id}`
  return kept(files, path, async () => {
    if (content === undefined) throw new Error('The content is unknown')
    return api(`GET ${content}/files/${id}`)
  })
}

/** The page with an id. */
export function pageOf(pages: readonly PageEntry[], id: string): PageEntry | undefined {
  for (const page of pages) {
    const found = page.id === id ? page : pageOf(page.pages ?? [], id)
    if (found) return found
  }
  return undefined
}

const SAFE = /^(?:https?|mailto|tel):/i

/** The address that a reference leads to, within the console or elsewhere. */
export function addressOf(ref: ContentRef, { content, pages }: PageContext): string | undefined {
  const space = /^\/spaces\/([^/]+)/.exec(content ?? '')?.[1]
  if (ref.kind === 'url') return SAFE.test(ref.url) ? ref.url : undefined
  if (ref.kind === 'anchor' && ref.page === undefined) return `#${encodeURIComponent(ref.anchor)}`
  if ((ref.kind === 'page' || ref.kind === 'anchor') && ref.space === undefined && ref.page !== undefined) {
    const page = pageOf(pages, ref.page)
    const place = ref.kind === 'anchor' ? `#${encodeURIComponent(ref.anchor)}` : ''
    return page && space ? `/app/s/${space}/${page.path ?? ''}${place}` : undefined
  }
  return ref.kind === 'space' ? `/app/s/${ref.space}` : undefined
}

/** Where reusable content is written in the change request of a page, below `/app`. */
export function reusableAddressOf(ref: ContentRef, { content }: PageContext): string | undefined {
  const [, space, number] = /^\/spaces\/([^/]+)\/change-requests\/([^/]+)/.exec(content ?? '') ?? []
  if (ref.kind !== 'reusable-content' || number === undefined) return undefined
  return `/s/${space}/~/changes/${number}/reusable/${ref.reusableContent}`
}

/** The name of what a reference leads to, if it is known. */
export function titleOf(ref: ContentRef, { pages }: PageContext): string | undefined {
  return ref.kind === 'page' && ref.space === undefined ? pageOf(pages, ref.page)?.title : undefined
}

/** Keeps what was read, for as long as it could be read. */
function kept<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? read()
  known.set(key, found)
  found.catch(() => known.delete(key))
  return found
}

const names = new Map<string, Promise<string>>()

/** The name of a user. */
export const nameOfUser = (id: string): Promise<string> =>
  kept(names, id, async () => (await api(`GET /users/${id}`)).displayName)

const reusables = new Map<string, Promise<string>>()

/** The title of reusable content. */
export function reusableOf({ content }: PageContext, id: string): Promise<string> {
  const path = `${content ?? ''}/reusable-contents/${id}`
  return kept(reusables, path, async () => (await api(`GET ${content!}/reusable-contents/${id}`)).title)
}
