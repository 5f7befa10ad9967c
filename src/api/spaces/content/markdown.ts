import { Type } from 'typebox'
import { onSpace } from '../../../access/on.ts'
import { route } from '../../../http/route.ts'
import { InSpace } from '../../../model/common.ts'
import { DocumentSchema } from '../../../model/content/document.ts'
import { documentOfPart } from '../../../model/content/read-document.ts'

/** In characters: a long page. An editor that pastes more inserts it as text. */
const LONGEST = 200_000

export const convertMarkdown = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/content/markdown',
  summary: 'Convert Markdown to a document',
  description:
    'Returns the blocks of a part of a page, such as one that a user pastes into an editor. A `# heading` is a block of it, not a title. Nothing is stored. References are not resolved.',
  access: onSpace('read'),
  params: InSpace,
  body: Type.Object({ markdown: Type.String({ maxLength: LONGEST }) }),
  bodyLimit: 1024 * 1024,
  returns: DocumentSchema,
  audit: false,
  reads: true,
  prepare: ({ db, space, body }) => documentOfPart(db.read, space.id, body.markdown),
  handler: async ({ prepared }) => prepared,
})
