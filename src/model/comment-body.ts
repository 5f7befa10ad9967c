import { type Static, Type } from 'typebox'
import { parseMarkdown } from '../core/document/parse.ts'
import { printDocument } from '../core/document/print.ts'
import { invalid } from '../http/errors.ts'
import { oneOf } from './common.ts'
import { DocumentSchema, needDocument, toDocument } from './document.ts'

/** Characters of a comment or a reply, as Markdown. A list of a thousand of them must not be more than a server can answer. */
export const BODY_MAX = 10_000

/** What somebody wrote: as Markdown, as a document, or nothing at all (api-facts 1.3). */
export const CommentBody = Type.Object(
  {
    markdown: Type.Optional(Type.String({ maxLength: BODY_MAX })),
    document: Type.Optional(DocumentSchema),
  },
  { title: 'CommentBody', description: 'One of the two, or neither: then it is empty' },
)
export type CommentBody = Static<typeof CommentBody>

export type Format = 'document' | 'markdown'

/** How bodies are given. */
export const FormatQuery = Type.Object({
  format: Type.Optional(
    oneOf(['document', 'markdown'], { default: 'document', description: 'How bodies are given' }),
  ),
})

/**
 * The Markdown that is kept of a body: as it was sent, or the document printed.
 * @param field where the body is in the request, for messages
 * @throws 400
 */
export function sourceOfBody({ markdown, document }: CommentBody, field = 'body.body'): string {
  if (document === undefined) return markdown ?? ''
  if (markdown !== undefined) throw invalid(`${field} must have "markdown" or "document", not both`)
  const at = `${field}.document`
  const printed = printDocument(needDocument(document, at))
  if (printed.length <= BODY_MAX) return printed
  const message = `must not be longer than ${BODY_MAX} characters of Markdown`
  throw invalid(`${at} ${message}`, [{ path: at, message }])
}

/** Characters of the bodies in one page of a list; one body is always in it. */
const PAGE_MAX = 250_000

/** How many of these bodies, and at most `limit`, a page of a list can hold: documents are far larger than their Markdown. */
export function bodiesWithin(rows: { body: string }[], limit: number): number {
  let total = 0
  const end = rows.findIndex(({ body }) => (total += body.length) > PAGE_MAX)
  return end === -1 ? limit : Math.min(limit, Math.max(end, 1))
}

/** A body in the format that was asked for. */
export function toBody(source: string, format: Format): CommentBody {
  if (format === 'markdown') return { markdown: source }
  return { document: toDocument(parseMarkdown(source).document) }
}
