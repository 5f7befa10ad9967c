/** Reads and writes the pages and reusable contents of a change request. */
import type { Block } from '../../../../core/document/model.ts'
import { api } from '../../api/requests.ts'
import { changeRequestOf, contentOf, type PagePlace } from '../../api/page-place.ts'
import type { SentEntry } from './saving.ts'
import type { AnyPage } from '../../api/types.ts'
import type { BatchDone } from '../../content/tree/changes.ts'

/** Content that has not been saved, as a save would send it. */
export interface Unsaved {
  revision: string
  /** Only if the writer has changed it: one that others have changed meanwhile is theirs. */
  title?: string | undefined
  entries: SentEntry[]
  /** The text is not that of a page. */
  isReusable?: boolean | undefined
}

/** The newest version of a page. */
export interface NewestPage {
  revision: string
  title: string
  blocks: Block[]
}

/** Reads the newest version of a page. */
export async function readNewest(place: PagePlace): Promise<NewestPage> {
  const { revision } = await api(`GET ${changeRequestOf(place)}`)
  return { revision, ...(await readPage(place, revision)) }
}

/** A page at a revision. */
export async function readPage({ spaceId, page, isReusable }: PagePlace, revision: string) {
  if (isReusable) {
    const at = `/spaces/${spaceId}/revisions/${revision}/reusable-contents/${page}` as const
    const [{ title: name }, { nodes }] = await Promise.all([api(`GET ${at}`), api(`GET ${at}/document`)])
    return { title: name, blocks: nodes }
  }
  const { title, document }: AnyPage = await api(
    `GET /spaces/${spaceId}/revisions/${revision}/page/${page}?format=document&descendants=false`,
  )
  return { title, blocks: document?.nodes ?? [] }
}

/** Writes a page. */
export async function send(place: PagePlace, unsaved: Unsaved): Promise<BatchDone> {
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
export function sendSource(place: PagePlace, { revision, source }: SavedSource): Promise<BatchDone> {
  const change = { operation: 'update_page' as const, page: place.page, document: { markdown: source } }
  return api(`POST ${contentOf(place)}?compat=false`, { revision, changes: [change] })
}

type Updated = Extract<BatchDone['changes'][number], { object: 'updated_page' | 'updated_reusable_content' }>

/** The title and the blocks that a page has after a write, as far as the answer names them. */
export function writtenIn({ changes }: BatchDone, { page }: PagePlace): Pick<Updated, 'title' | 'blocks'> {
  for (const one of changes) {
    if (one.object === 'updated_page' && one.page.id === page) return one
    if (one.object === 'updated_reusable_content' && one.reusableContent.id === page) return one
  }
  return {}
}
