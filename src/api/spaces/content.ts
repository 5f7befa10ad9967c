import { Type } from 'typebox'
import { onSpace } from '../../access/on.ts'
import type { Row } from '../../db/schema.ts'
import { contentFamily } from '../../families/content.ts'
import { conflict } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { fetchImport } from '../../imports/fetch.ts'
import { readImport } from '../../imports/read.ts'
import { storeFiles, writeImport } from '../../imports/write.ts'
import { InSpace, oneOf, Uri } from '../../model/common.ts'
import { needRevision } from '../../model/revision.ts'

const family = contentFamily({
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

export const importContent = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/content/import',
  summary: 'Import a documentation repository as a zip archive, or one Markdown file',
  description:
    'All or nothing. Pages that were imported from the same file before are updated and keep their ids. `problems` names what the archive has and the import could not use. A locked space takes an import only while it is empty.',
  access: onSpace('edit'),
  params: InSpace,
  body: Type.Object({ url: Uri, source: oneOf(['zip', 'markdown']) }),
  returns: Type.Object(
    {
      revision: Type.String(),
      importedResources: Type.Integer(),
      totalResources: Type.Integer(),
      problems: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
    },
    { title: 'ImportResult' },
  ),
  status: 201,
  location: ({ revision }, at, { spaceId }) => at.api(`/spaces/${spaceId}/revisions/${revision}`),
  async prepare(context) {
    const { db, blobs, space, body, now } = context
    refuseLocked(space, await needRevision(db.read, space.id, space.revisionId))
    const { bytes, name } = await fetchImport(context, body.url, now)
    const plan = await readImport({ source: body.source, name, bytes })
    return { plan, files: await storeFiles(blobs, plan) }
  },
  async handler({ tx, me, space, prepared, now, newId }) {
    const parent = await needRevision(tx, space.id, space.revisionId)
    refuseLocked(space, parent)
    const { plan, files } = prepared
    const revision = await writeImport(tx, parent, plan, files, { userId: me.userId, now, newId })
    const { importedResources, totalResources, problems } = plan
    return { revision: revision.id, importedResources, totalResources, problems }
  },
})

function refuseLocked(space: Row<'space'>, { pages, files }: Row<'revision'>): void {
  if (space.editMode === 'live' || (pages === null && files === null)) return
  throw conflict(
    'This space is locked: its content changes by merging change requests, or make it "live" first',
  )
}
