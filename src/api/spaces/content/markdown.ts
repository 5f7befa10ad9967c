import { Type } from 'typebox'
import { onSpace } from '../../../access/checks/on.ts'
import { route } from '../../../http/route.ts'
import { InSpace, oneOf } from '../../../model/common.ts'
import { ConvertedMarkdown } from '../../../model/content/documents/document.ts'
import { convertedMarkdown } from '../../../model/content/documents/read-document.ts'

/** In characters: a long page. An editor that pastes more inserts it as text. */
const LONGEST = 200_000

export const convertMarkdown = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/content/markdown',
  summary: 'Convert Markdown to a document',
  description:
    'Returns the blocks of a part of a page, such as one that a user pastes into an editor. A `# heading` is a block of it, not a title, unless `form` is `page`. Nothing is stored. References are not resolved. `problems` lists what sites do not show as it was meant, such as what follows a tag that only looks like a condition.',
  access: onSpace('read'),
  params: InSpace,
  body: Type.Object({
    markdown: Type.String({ maxLength: LONGEST }),
    form: Type.Optional(
      oneOf(['part', 'page'], {
        default: 'part',
        description: 'Whether it is a part of a page, or a whole page with front matter and a title',
      }),
    ),
  }),
  bodyLimit: 1024 * 1024,
  returns: ConvertedMarkdown,
  audit: false,
  reads: true,
  prepare: ({ db, space, body: { markdown, form } }) =>
    convertedMarkdown(db.read, space.id, { source: markdown, isPage: form === 'page' }),
  handler: async ({ prepared }) => prepared,
})
