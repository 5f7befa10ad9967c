import { type Static, Type } from 'typebox'
import { parseMarkdown } from '../core/document/parse.ts'
import { printDocument } from '../core/document/print.ts'
import { invalid } from '../http/errors.ts'
import { oneOf } from './common.ts'
import { DocumentSchema, toDocument } from './document.ts'

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

/** The Markdown that is kept of a body: as it was sent, or the document printed. @throws 400 */
export function sourceOfBody({ markdown, document }: CommentBody): string {
  if (document === undefined) return markdown ?? ''
  if (markdown !== undefined) throw invalid('Send "markdown" or "document", not both')
  const printed = printDocument(document)
  if (printed.length > BODY_MAX)
    throw invalid(`The document must not be longer than ${BODY_MAX} characters of Markdown`, [
      { path: 'body.body.document', message: 'is too long' },
    ])
  return printed
}

/** A body in the format that was asked for. */
export function toBody(source: string, format: Format): CommentBody {
  if (format === 'markdown') return { markdown: source }
  return { document: toDocument(parseMarkdown(source).document) }
}
