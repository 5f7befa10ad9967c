import { bookRoute } from '../../shared-routes/books.ts'
import { onReadableSpace } from '../../model/sites/published/on-reader.ts'

export const getSpacePdf = bookRoute({
  path: '/v1/spaces/:spaceId',
  of: 'a space',
  access: onReadableSpace(),
  params: {},
  revision: ({ space, reading }) => reading?.variant.revisionId ?? space.revisionId,
})
