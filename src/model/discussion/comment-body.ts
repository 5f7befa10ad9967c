import { type Static, Type } from 'typebox'
import { documentsJson } from '../../core/document/read-tasks.ts'
import { printDocument } from '../../core/document/print.ts'
import type { Reader } from '../../db/schema.ts'
import { fromJson } from '../../http/answer.ts'
import { invalid, invalidField } from '../../http/errors.ts'
import { oneOf } from '../common.ts'
import { DocumentSchema, needDocument } from '../content/document.ts'
import { inThread, type TaskKind } from '../content/in-thread.ts'

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
  if (markdown !== undefined) throw invalid(`${field} must have "markdown" or "document", not both`)
  const at = `${field}.document`
  const printed = printDocument(needDocument(document, at))
  if (printed.length <= BODY_MAX) return printed
  const message = `must not be longer than ${BODY_MAX} characters of Markdown`
  throw invalidField(at, message)
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

/** Bodies in the requested format, in the same order. */
export async function toBodies(
  db: Reader,
  spaceId: string,
  rows: readonly { body: string }[],
  format: Format,
): Promise<CommentBody[]> {
  const sources = rows.map(({ body }) => body)
  if (format === 'markdown') return sources.map((markdown) => ({ markdown }))
  // One body is written in a transaction, which must not wait for a thread, and is short enough.
  const work = { db, spaceId, sources: sources.length === 1 ? ('quick' as const) : sources }
  const documents = await inThread(DOCUMENTS_JSON, documentsJson, sources, work)
  return documents.map((json) => ({ document: fromJson(json) }))
}
