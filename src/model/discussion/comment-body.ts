import type { Kysely } from 'kysely'
import { type Static, Type } from 'typebox'
import { documentsJson } from '../../core/document/read-tasks.ts'
import type { Block, Inline, Text } from '../../core/document/model.ts'
import { printDocument } from '../../core/document/print.ts'
import type { Reader, Schema } from '../../db/schema.ts'
import { fromJson } from '../../http/response/json-parts.ts'
import { invalid, invalidField } from '../../http/errors.ts'
import { oneOf } from '../common.ts'
import { DocumentSchema, needDocument } from '../content/documents/document.ts'
import { inThread, type TaskKind } from '../content/in-thread.ts'
import { because } from '../../core/languages/reasons.ts'

/** The maximum length of a comment or reply as Markdown. It bounds the response that lists a thousand of them. */
const BODY_MAX = 10_000

/** The body of a comment or reply: Markdown, a document, or empty. */
export const CommentBody = Type.Object(
  {
    markdown: Type.Optional(Type.String({ maxLength: BODY_MAX })),
    document: Type.Optional(DocumentSchema),
  },
  { title: 'CommentBody', description: 'Send `markdown` or `document`; without both, the body is empty' },
)
export type CommentBody = Static<typeof CommentBody>

export type Format = 'document' | 'markdown'

/** The format in which bodies are returned. */
export const FormatQuery = Type.Object({
  format: Type.Optional(
    oneOf(['document', 'markdown'], {
      default: 'document',
      description: 'The format in which bodies are returned',
    }),
  ),
})

/**
 * The Markdown to store for a body: as sent, or converted from the document.
 * @param field the path of the body in the request, for messages
 * @throws 400
 */
export function sourceOfBody({ markdown, document }: CommentBody, field = 'body.body'): string {
  if (document === undefined) return markdown ?? ''
  if (markdown !== undefined) throw invalid(because('markdown-or-document', { field }))
  const at = `${field}.document`
  const read = needDocument(document, at)
  const printed = exceeds(read.nodes, BODY_MAX) ? undefined : printDocument(read)
  if (printed !== undefined && printed.length <= BODY_MAX) return printed
  const message = because('markdown-too-long', { limit: BODY_MAX })
  throw invalidField(at, message)
}

/**
 * Whether the text of a document alone is longer than its Markdown may be, which is known without printing it. Space does
 * not count, because printing may leave it out.
 */
function exceeds(blocks: readonly Block[], most: number): boolean {
  let length = 0
  const waiting: (Block | Inline | Text)[] = [...blocks]
  for (let node = waiting.pop(); node && length <= most; node = waiting.pop()) {
    if (node.object === 'text') for (const { text } of node.leaves) length += text.replace(/\s+/g, '').length
    else for (const inner of node.nodes ?? []) waiting.push(inner)
  }
  return length > most
}

/**
 * The maximum total length of the bodies in one page of results, which always has at least one item. The JSON of a
 * document can be 45 times as long as its Markdown.
 */
const PAGE_MAX: Record<Format, number> = { markdown: 250_000, document: 40_000 }

/** How many of these bodies, at most `limit`, fit in a page of results. */
export function bodiesWithin(rows: { body: string }[], limit: number, format: Format): number {
  let total = 0
  const end = rows.findIndex(({ body }) => (total += body.length) > PAGE_MAX[format])
  return end === -1 ? limit : Math.min(limit, Math.max(end, 1))
}

const DOCUMENTS_JSON: TaskKind<readonly string[], string[]> = {
  module: new URL('../../core/document/read-tasks.ts', import.meta.url),
  name: 'documentsJson',
  timeMs: 10_000,
}

/** A body and what a response shows of it. */
export interface ReadCommentBody {
  /** Markdown. */
  source: string
  shown: CommentBody
}

/** Reads a body before the transaction that stores it, because reading a long one can need a thread. */
export async function readCommentBody(
  db: Reader,
  spaceId: string,
  source: string,
  format: Format = 'document',
): Promise<ReadCommentBody> {
  const [shown = {}] = await toBodies(db, { space: { id: spaceId }, format }, [{ body: source }])
  return { source, shown }
}

/** Bodies in the requested format, in the same order. @param viewing with the body that the request has read already */
export async function toBodies(
  db: Reader,
  { space, format, read }: { space: { id: string }; format: Format; read?: ReadCommentBody | undefined },
  rows: readonly { body: string }[],
): Promise<CommentBody[]> {
  const sources = rows.map(({ body }) => body)
  if (format === 'markdown') return sources.map((markdown) => ({ markdown }))
  if (read && sources.length === 1 && sources[0] === read.source) return [read.shown]
  // A transaction must not wait for a thread. It only reads a body that another request has changed meanwhile.
  const isQuick = (db as Kysely<Schema>).isTransaction
  const work = { db, spaceId: space.id, sources: isQuick ? ('quick' as const) : sources }
  const documents = await inThread(DOCUMENTS_JSON, documentsJson, sources, work)
  return documents.map((json) => ({ document: fromJson(json) }))
}
