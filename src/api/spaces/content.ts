import { onSpace } from '../../access/on.ts'
import type { Row } from '../../db/schema.ts'
import { batchRoutes } from '../../shared-routes/batch.ts'
import { contentRoutes } from '../../shared-routes/content.ts'
import { linksRoutes } from '../../shared-routes/links.ts'
import { conflict } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { ImportBody, ImportResult, prepareImport, toImportResult } from '../../imports/content.ts'
import { writeImport } from '../../imports/write.ts'
import { InSpace } from '../../model/common.ts'
import { needRevision } from '../../model/content/commit.ts'
import { Space, toSpace } from '../../model/places/space.ts'

const family = contentRoutes({
  path: '/v1/spaces/:spaceId/content',
  access: onSpace('read'),
  params: {},
  revision: ({ db, space }) => needRevision(db, space.id, space.revisionId),
})

export const getCurrentRevision = family.revision
export const listPages = family.pages
export const listFiles = family.files
export const getFileById = family.file
export const getPageById = family.page
export const getPageByPath = family.pageByPath
export const getPageDocument = family.pageDocument
export const getReusableContentById = family.reusableContent
export const getReusableContentDocument = family.reusableContentDocument

const links = linksRoutes({ path: '/v1/spaces/:spaceId/content', access: onSpace('read'), params: {} })

export const listPageLinksInSpace = links.pageLinks
export const listSpacePageBacklinks = links.pageBacklinks
export const listSpaceFileBacklinks = links.fileBacklinks

export const updateContent = batchRoutes({
  path: '/v1/spaces/:spaceId/content',
  summary: 'Update the primary content of a space',
  description: 'The `editMode` of the space must be `live`. `revert_page` requires `revision`.',
  access: onSpace('edit'),
  params: {},
  line({ space }) {
    if (space.editMode === 'live') return { revisionId: space.revisionId }
    throw conflict(
      'This space is locked: open a change request and change the content there, or make the space "live" first',
    )
  },
  name: 'space',
  returns: Space,
  async show({ urls, db }, { space, role }, { id: revisionId, createdAt: updatedAt }) {
    return toSpace(urls, db, { ...space, revisionId, updatedAt }, role)
  },
  thing: ({ space }) => ({ type: 'space', id: space.id, label: space.title }),
  address: ({ space }) => `/spaces/${space.id}/content`,
})

export const importContent = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/content/import',
  summary: 'Import a zip archive or a Markdown file into a space',
  description:
    'If the import fails, nothing changes. Pages from an earlier import of the same file are updated and keep their ids. `problems` lists the parts of the archive that could not be imported. A locked space accepts an import only while it is empty.',
  access: onSpace('edit'),
  params: InSpace,
  body: ImportBody,
  returns: ImportResult,
  status: 201,
  location: ({ revision }, urls, { spaceId }) => urls.api(`/spaces/${spaceId}/revisions/${revision}`),
  async prepare(context) {
    const { db, space, body } = context
    refuseLocked(space, await needRevision(db.read, space.id, space.revisionId))
    return prepareImport(context, body, space.organizationId)
  },
  async handler({ tx, me, space, prepared, now, newId }) {
    const parent = await needRevision(tx, space.id, space.revisionId)
    refuseLocked(space, parent)
    const written = await writeImport(tx, parent, prepared, { userId: me.userId, now, newId })
    return toImportResult(written, prepared)
  },
})

function refuseLocked(space: Row<'space'>, { pages, files }: Row<'revision'>): void {
  if (space.editMode === 'live' || (pages === null && files === null)) return
  throw conflict(
    'This space is locked: its content changes by merging change requests, or make it "live" first',
  )
}
