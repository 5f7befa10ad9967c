import { Type } from 'typebox'
import { onSpace } from '../../../access/checks/on.ts'
import { DOCUMENT_BODY_LIMIT, route } from '../../../http/route.ts'
import { InSpace } from '../../../model/common.ts'
import { DocumentSchema, needDocument } from '../../../model/content/documents/document.ts'
import { markdownOfDocument } from '../../../model/content/documents/printed-document.ts'

export const convertDocument = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/content/document',
  summary: 'Convert a document to Markdown',
  description:
    'Returns the Markdown of the blocks, as a page would store it. Nothing is stored. A reference to a page or a file is written with its id.',
  access: onSpace('read'),
  params: InSpace,
  body: Type.Object({ document: DocumentSchema }),
  bodyLimit: DOCUMENT_BODY_LIMIT,
  returns: Type.Object({ markdown: Type.String() }, { title: 'ConvertedDocument' }),
  audit: false,
  reads: true,
  prepare: ({ db, space, body }) =>
    markdownOfDocument(db.read, space.id, needDocument(body.document, 'body.document')),
  handler: async ({ prepared }) => ({ markdown: prepared }),
})
