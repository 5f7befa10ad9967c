import type { PageRecord } from '../../core/content/revision.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { notForEver } from '../../http/response/answer.ts'
import type { HandlerContext } from '../../http/route.ts'
import { pagesOf } from '../../model/content/content.ts'
import { computedMarkdown, expandedPagesOf } from '../../model/openapi/computed-pages.ts'
import type { SpaceReading } from '../../model/sites/published/on-reader.ts'
import { readerContent } from '../../model/sites/published/content/reader-content.ts'
import { type ContentBase, revisionOf, spaceIn } from './base.ts'

/** The context of a request for content. */
export type Asked = Pick<HandlerContext, 'urls'> & {
  db: Reader
  query: { format?: string; metadata?: boolean; computed?: boolean; descendants?: boolean }
}

/** What a request is answered from: the revision, and for readers of a site, what they may see of it. */
export type RequestedContent = Awaited<ReturnType<typeof requestedContent>>

/** Reads the content that a request names. */
export async function requestedContent<Subject extends object>(base: ContentBase<Subject>, context: Asked) {
  const { db, query } = context
  const revision = await revisionOf(base, context)
  const reader = await readerOf(context, revision)
  if (reader) return { revision, reader, tree: reader.tree, metadata: false }
  const metadata = query.metadata ?? true
  const folded = await pagesOf(db, revision)
  if (query.computed === false) return { revision, tree: folded, metadata }
  const expanded = await expandedPagesOf(db, spaceIn(context).organizationId, revision)
  return { revision, tree: expanded.shown, folded, metadata, expanded }
}

/** What the reader of a site who sent a request sees of a revision; undefined for other callers. */
export async function readerOf(
  context: { reading?: SpaceReading } & Pick<Asked, 'db' | 'urls'>,
  revision: Row<'revision'>,
) {
  return context.reading && readerContent(context, context.reading, revision)
}

/** An answer, which may change if something in it is computed. */
export function answered<T extends object>(answer: T, computed: { version: string } | undefined): T {
  return computed && computed.version !== '' ? notForEver(answer) : answer
}

/** The body of a page that was made for a computed page; undefined for other pages. */
export function computedSource(context: { db: Reader }, page: PageRecord): Promise<string | undefined> {
  return computedMarkdown(context.db, spaceIn(context).organizationId, page)
}

/** What pages of an answer are made from. */
export function pagesFrom({ urls }: Asked, { revision, tree, metadata, reader, expanded }: RequestedContent) {
  return { urls, revision, tree, metadata, reader: reader?.version, computed: expanded }
}
