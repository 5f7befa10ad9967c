import { Type } from 'typebox'
import { onSpace } from '../../access/checks/on.ts'
import type { Row } from '../../db/schema.ts'
import { batchRoutes, editedLine } from '../../shared-routes/batch.ts'
import { contentRoutes } from '../../shared-routes/content/routes.ts'
import { importRoutes } from '../../shared-routes/imports.ts'
import { linksRoutes } from '../../shared-routes/links.ts'
import { pageRevisionsRoute } from '../../shared-routes/page-revisions.ts'
import { conflict } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { ImportProgress } from '../../imports/progress.ts'
import { InSpace } from '../../model/common.ts'
import { needRevision } from '../../model/content/commit.ts'
import { onReadableSpace } from '../../model/sites/published/on-reader.ts'
import { Space, toSpace } from '../../model/places/space.ts'
import { because } from '../../core/languages/reasons.ts'

const family = contentRoutes({
  path: '/v1/spaces/:spaceId/content',
  access: onReadableSpace(),
  params: {},
  revision: ({ db, space, reading }) =>
    needRevision(db, space.id, reading?.variant.revisionId ?? space.revisionId),
})

export const getCurrentRevision = family.revision
export const listPages = family.pages
export const listPageOutline = family.outline
export const listFiles = family.files
export const getFileById = family.file
export const getPageById = family.page
export const getPageByPath = family.pageByPath
export const getPageDocument = family.pageDocument
export const listSpacePageMetaLinks = family.pageMetaLinks
export const listReusableContents = family.reusableContents
export const getReusableContentById = family.reusableContent
export const getReusableContentDocument = family.reusableContentDocument

const links = linksRoutes({ path: '/v1/spaces/:spaceId/content', access: onSpace('read'), params: {} })

export const listPageLinksInSpace = links.pageLinks
export const listSpacePageBacklinks = links.pageBacklinks
export const listSpaceFileBacklinks = links.fileBacklinks
export const listSpaceReusableContentBacklinks = links.reusableContentBacklinks

export const listPageRevisionsInSpace = pageRevisionsRoute({
  path: '/v1/spaces/:spaceId/content',
  name: 'the primary content',
  access: onSpace('read'),
  params: {},
})

export const updateContent = batchRoutes({
  path: '/v1/spaces/:spaceId/content',
  summary: 'Update the primary content of a space',
  description: 'The `editMode` of the space must be `live`. `revert_page` requires `revision`.',
  access: onSpace('edit'),
  params: {},
  line: (subject) => editedLine(subject),
  name: 'space',
  returns: Space,
  async show({ urls, db }, { space, role }, { id: revisionId, createdAt: updatedAt }) {
    return toSpace(urls, db, { ...space, revisionId, updatedAt }, role)
  },
  thing: ({ space }) => ({ type: 'space', id: space.id, label: space.title }),
  address: ({ space }) => `/spaces/${space.id}/content`,
})

const imports = importRoutes({
  path: '/v1/spaces/:spaceId/content',
  name: 'a space',
  rule: 'A locked space accepts an import only while it is empty.',
  access: onSpace('edit'),
  params: {},
  changeRequest: () => undefined,
  refuse: ({ space }, newest) => refuseLocked(space, newest),
  thing: ({ space }) => ({ type: 'space', id: space.id, label: space.title }),
  action: 'space.content.import',
  syncs: true,
})

export const importContent = imports.content
export const importContentInPageById = imports.page

export const getImportProgress = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/content/import',
  summary: 'Get the progress of imports into a space',
  description:
    'Lists imports that have not ended, oldest first. With several copies of the server, the list shows an import of another copy with a delay of about two seconds. An import that is no longer listed while its request is open is writing its revision.',
  access: onSpace('edit'),
  params: InSpace,
  returns: Type.Object({ imports: Type.Array(ImportProgress) }, { title: 'ImportProgressList' }),
  async handler({ space, imports: running }) {
    return { imports: await running.of(space.id) }
  },
})

function refuseLocked(space: Row<'space'>, { pages, files }: Row<'revision'>): void {
  if (space.editMode === 'live' || (pages === null && files === null)) return
  throw conflict(because('space-locked'))
}
