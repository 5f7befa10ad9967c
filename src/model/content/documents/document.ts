import { Type } from 'typebox'
import { isFault, readDocument } from '../../../core/document/shape/check.ts'
import type { ContentRef, Document } from '../../../core/document/model.ts'
import type { ReadingProblem } from '../../../core/document/shown/unshown.ts'
import { invalidField } from '../../../http/errors.ts'
import { ReadingProblemSchema } from './reading-problem.ts'

/** The target of a link, an image or a card. */
export const ContentReference = Type.Unsafe<ContentRef>({
  title: 'ContentReference',
  type: 'object',
  required: ['kind'],
  properties: {
    kind: {
      type: 'string',
      enum: [
        'url',
        'file',
        'page',
        'anchor',
        'user',
        'collection',
        'space',
        'reusable-content',
        'openapi',
        'tag',
      ],
    },
  },
  additionalProperties: { type: 'string' },
})

const DocumentFields = {
  object: { type: 'string', enum: ['document'] },
  data: { type: 'object', properties: { schemaVersion: { type: 'integer' } } },
  nodes: {
    type: 'array',
    items: {
      title: 'Block',
      type: 'object',
      required: ['object', 'type', 'data'],
      properties: {
        object: { type: 'string', enum: ['block'] },
        type: { type: 'string' },
        key: { type: 'string' },
        data: { type: 'object', additionalProperties: true },
      },
      additionalProperties: true,
    },
  },
}

/** The typed tree of a page's body. This schema of blocks is loose; the manual defines each block. */
export const DocumentSchema = Type.Unsafe<Document>({
  title: 'Document',
  type: 'object',
  required: ['object', 'data', 'nodes'],
  properties: DocumentFields,
})

/** A document with what its Markdown does not show as its author meant it. */
export const ConvertedMarkdown = Type.Unsafe<Document & { problems?: ReadingProblem[] }>({
  title: 'ConvertedMarkdown',
  type: 'object',
  required: ['object', 'data', 'nodes'],
  properties: {
    ...DocumentFields,
    problems: {
      type: 'array',
      description: 'What sites do not show as it was meant; absent if there is nothing',
      items: ReadingProblemSchema,
    },
  },
})

/**
 * Parses a document from a request.
 * @param at the path of the document in the request, for messages
 * @throws 400
 */
export function needDocument(value: unknown, at: string): Document {
  const read = readDocument(value)
  if (!isFault(read)) return read
  const path = read.path === '' ? at : `${at}.${read.path}`
  throw invalidField(path, read)
}
