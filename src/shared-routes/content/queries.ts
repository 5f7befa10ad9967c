/** The query parameters of requests for content. */
import { Type } from 'typebox'
import { ListQuery } from '../../http/pagination.ts'
import { Id, oneOf } from '../../model/common.ts'

const Metadata = {
  metadata: Type.Optional(Type.Boolean({ default: true, description: 'With `false`, `git` is left out' })),
  computed: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'With `false`, a computed page stays as it is. By default, the pages of its specification are in its place, as of its newest version.',
    }),
  ),
}
/** The query parameters of a request for pages, a file or reusable contents. */
export const ContentQuery = Type.Object(Metadata)
/** The query parameters of a request for a revision. */
export const RevisionQuery = Type.Object({
  ...Metadata,
  descendants: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'With `false`, `pages`, `files` and `reusableContents` are empty',
    }),
  ),
})
/** Which pages of the page tree a request asks for. */
export const OutlineQuery = Type.Object({
  ...ListQuery.properties,
  ...Metadata,
  parent: Type.Optional({ ...Id, description: 'List the pages directly below this page' }),
  parents: Type.Optional(
    Type.String({
      maxLength: 5000,
      description:
        'List the pages directly below each of the pages with these ids, separated by commas, one level after the other; unknown ids are left out',
    }),
  ),
  path: Type.Optional(
    Type.String({
      maxLength: 4096,
      description:
        'List the pages from the top level down to the page at this path, or at an earlier path of it; an empty path is that of the first document, if there is one',
    }),
  ),
  query: Type.Optional(
    Type.String({
      maxLength: 256,
      description:
        'List the pages of every level whose title or path contains this text, in reading order; an empty text lists all pages',
    }),
  ),
  ids: Type.Optional(
    Type.String({
      maxLength: 5000,
      description: 'List the pages with these ids, separated by commas; unknown ids are left out',
    }),
  ),
})
/** The query parameters of a request for the files of a revision. */
export const FilesQuery = Type.Object({ ...ListQuery.properties, ...Metadata })
/** The query parameters of a request for a page. */
export const PageQuery = Type.Object({
  ...Metadata,
  format: Type.Optional(
    oneOf(['document', 'markdown', 'none'], {
      default: 'document',
      description: 'The format of the body of the page; with `none`, it is left out',
    }),
  ),
  evaluated: Type.Optional(oneOf(['true', 'false', 'deterministic-only'])),
  dereferenced: Type.Optional(oneOf(['true', 'false', 'reusable-contents'])),
  descendants: Type.Optional(Type.Boolean({ default: true, description: 'With `false`, `pages` is empty' })),
})
/** The query parameters of a request for the body of a page alone. */
export const DocumentQuery = Type.Pick(PageQuery, ['evaluated', 'dereferenced'])
