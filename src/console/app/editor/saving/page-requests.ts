/** Reads and writes the pages and reusable contents of a change request. */
import type { Block, Document } from '../../../../core/document/model.ts'
import { api } from '../../api/requests.ts'
import type { ChangeRequest } from '../../api/types.ts'
import { changeRequestOf, contentOf, type PagePlace } from '../../api/page-place.ts'
import type { SentEntry, WrittenEntry } from './saving.ts'

/** Content that has not been saved, as a save would send it. */
export interface Unsaved {
  revision: string
  /** Only if the writer has changed it: one that others have changed meanwhile is theirs. */
  title?: string | undefined
  entries: SentEntry[]
  /** The text is not that of a page. */
  isReusable?: boolean | undefined
}

/** The answer to a write. */
export interface BatchAnswer {
  revision: string
  changes: {
    object: string
    page?: { id: string }
    reusableContent?: { id: string }
    title?: string
    blocks?: WrittenEntry[]
  }[]
}

/** The newest version of a page. */
export interface NewestPage {
  revision: string
  title: string
  blocks: Block[]
}

/** Reads the newest version of a page. */
export async function readNewest(place: PagePlace): Promise<NewestPage> {
  const { revision } = await api<ChangeRequest>(`GET ${changeRequestOf(place)}`)
  return { revision, ...(await readPage(place, revision)) }
}

/** A page at a revision. */
export async function readPage({ spaceId, page, isReusable }: PagePlace, revision: string) {
  if (isReusable) {
    const at: `/${string}` = `/spaces/${spaceId}/revisions/${revision}/reusable-contents/${page}`
    const [{ title: name }, { nodes }] = await Promise.all([
      api<{ title: string }>(`GET ${at}`),
      api<Document>(`GET ${at}/document`),
    ])
    return { title: name, blocks: nodes }
  }
  const { title, document } = await api<{ title: string; document?: Document }>(
    `GET /spaces/${spaceId}/revisions/${revision}/page/${page}?format=document&descendants=false`,
  )
  return { title, blocks: document?.nodes ?? [] }
}

/** The blocks that entries stand for. */
export function blocksOf(base: readonly Block[], entries: readonly SentEntry[]): Block[] {
  const byKey = new Map(base.map((block) => [block.key, block]))
  return entries.flatMap((one) => ('keep' in one ? (byKey.get(one.keep) ?? []) : [one]))
}

/** Writes a page. */
export async function send(place: PagePlace, unsaved: Unsaved): Promise<BatchAnswer> {
  const { revision, title, entries } = await sendable(unsaved)
  const { page, isReusable } = place
  const named = title === undefined || title.trim() === '' ? {} : { title }
  const change = { ...named, document: { blocks: entries } }
  return api(`POST ${contentOf(place)}?compat=false`, {
    revision,
    changes: [
      isReusable
        ? { operation: 'update_reusable_content', reusableContent: page, ...change }
        : { operation: 'update_page', page, ...change },
    ],
  })
}

/** What the server takes. What removes tags is loaded only if something can be a tag. */
async function sendable(unsaved: Unsaved): Promise<Unsaved> {
  if (!/[{\uff5b]/.test(JSON.stringify([unsaved.title, unsaved.entries]))) return unsaved
  const tags = await import('./value-tags.ts').catch(() => undefined)
  return tags?.withoutTags(unsaved) ?? unsaved
}

/** The source of a page in a revision. */
export interface SavedSource {
  revision: string
  source: string
}

/** Writes the source of a page. */
export function sendSource(place: PagePlace, { revision, source }: SavedSource): Promise<BatchAnswer> {
  const change = { operation: 'update_page', page: place.page, document: { markdown: source } }
  return api(`POST ${contentOf(place)}?compat=false`, { revision, changes: [change] })
}

/** The title and the blocks that a page has after a write, as far as the answer names them. */
export function writtenIn(
  { changes }: BatchAnswer,
  { page }: PagePlace,
): Pick<BatchAnswer['changes'][number], 'title' | 'blocks'> {
  return changes.find((one) => (one.page ?? one.reusableContent)?.id === page) ?? {}
}
