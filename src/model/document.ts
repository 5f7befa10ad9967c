import { Type } from 'typebox'
import type { ContentRef, Document } from '../core/document/model.ts'

/** Where a link, an image or a card points (api-facts 1.3). */
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

/** The typed tree of a page's body (api-facts 5). Blocks are described loosely here and exactly in the manual. */
export const DocumentSchema = Type.Unsafe<Document>({
  title: 'Document',
  type: 'object',
  required: ['object', 'data', 'nodes'],
  properties: {
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
  },
})
