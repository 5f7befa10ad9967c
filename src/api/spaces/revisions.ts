import { Type } from 'typebox'
import { demand, onSpace } from '../../access/checks/on.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { changesForReader } from '../../shared-routes/reader-changes.ts'
import { contentRoutes } from '../../shared-routes/content/routes.ts'
import { ApiError, conflict, invalid, notFound } from '../../http/errors.ts'
import { listOf, ListQuery } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { Id, InSpace, omitNullish } from '../../model/common.ts'
import { rulesOf } from '../../model/places/merge-rules.ts'
import { onReadableSpace, type OnReadableSpace } from '../../model/sites/published/on-reader.ts'
import { hasSameContent, needRevision, restoreContent } from '../../model/content/commit.ts'
import { listRevisionsIn } from '../../model/history/revision-list.ts'
import { mergedFromOf, RevisionSummary, toRevisionSummaries } from '../../model/history/revision.ts'
import { changesBetween, ChangesQuery, SemanticChanges } from '../../model/history/semantic-changes.ts'
import { because } from '../../core/languages/reasons.ts'

const InRevision = Type.Object({ spaceId: Id, revisionId: Id })

const family = contentRoutes({
  path: '/v1/spaces/:spaceId/revisions/:revisionId',
  access: onReadableSpace(),
  params: { revisionId: Id },
  revision: ({ params, ...subject }) => revisionIn(subject, params.revisionId ?? ''),
  immutable: true,
})

/** The revision of a URL. @throws 404 */
async function revisionIn(
  { db, space, reading }: { db: Reader } & Pick<OnReadableSpace, 'space' | 'reading'>,
  id: string,
): Promise<Row<'revision'>> {
  try {
    return await needRevision(db, space.id, id)
  } catch (error) {
    // The error may name the revision that replaced this one, which is not meant for readers of a site.
    throw reading && error instanceof ApiError ? notFound('revision') : error
  }
}

export const getRevisionById = family.revision
export const listPagesInRevisionById = family.pages
export const listPageOutlineInRevision = family.outline
export const listFilesInRevisionById = family.files
export const getFileInRevisionById = family.file
export const getPageInRevisionById = family.page
export const getPageInRevisionByPath = family.pageByPath
export const getPageDocumentInRevisionById = family.pageDocument
export const listRevisionPageMetaLinks = family.pageMetaLinks
export const listReusableContentsInRevision = family.reusableContents
export const getReusableContentInRevisionById = family.reusableContent
export const getReusableContentDocumentInRevisionById = family.reusableContentDocument

export const listRevisions = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/revisions',
  summary: 'List the revisions of the primary content of a space, newest first',
  description: 'The list includes merges, but not the revisions of change requests.',
  access: onSpace('read'),
  params: InSpace,
  query: ListQuery,
  returns: listOf(RevisionSummary),
  async handler({ db, urls, space, organizationRole, page }) {
    const list = await listRevisionsIn(db, { space }, page)
    return { ...list, items: await toRevisionSummaries(urls, db, list.items, organizationRole !== null) }
  },
})

export const getRevisionSummary = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/revisions/:revisionId/summary',
  summary: 'Get a revision without its content',
  access: onSpace('read'),
  params: InRevision,
  returns: Type.Object({
    ...RevisionSummary.properties,
    changeRequest: Type.Optional(
      Type.String({ description: 'The id of the change request whose content it is; absent for the space' }),
    ),
  }),
  async handler({ db, urls, space, organizationRole, params }) {
    const revision = await needRevision(db, space.id, params.revisionId)
    const [summary] = await toRevisionSummaries(urls, db, [revision], organizationRole !== null)
    const { changeRequestId } = revision
    return { ...summary!, ...omitNullish({ changeRequest: changeRequestId }) }
  },
})

export const getRevisionSemanticChanges = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/revisions/:revisionId/changes',
  summary: 'List the changes of a revision against its first parent',
  description:
    'Changed pages come first, in reading order, then deleted pages, files, reusable content and variables. `more` is the number of changes beyond `limit`. The site token of a preview reads the changes of the pages that its reader sees, without `blocks`.',
  access: onReadableSpace(),
  readers: true,
  params: InRevision,
  query: Type.Object({
    metadata: Type.Optional(
      Type.Boolean({ default: true, description: 'Has no effect, because changes have no `git`' }),
    ),
    computed: Type.Optional(
      Type.Boolean({ default: true, description: 'With `false`, computed content is left out' }),
    ),
    ...ChangesQuery,
  }),
  returns: SemanticChanges,
  immutable: true,
  async handler({ db, urls, space, params, query, reading }) {
    if (reading && !reading.open.visit.preview) throw notFound('revision')
    const revision = await revisionIn({ db, space, reading }, params.revisionId)
    const [parent] = JSON.parse(revision.parents) as string[]
    const before = parent === undefined ? undefined : await needRevision(db, space.id, parent)
    if (reading) return changesForReader({ db, urls }, reading, { before, after: revision }, query)
    const changes = await changesBetween(db, urls, before, revision, query)
    return { ...mergedFromOf(revision), ...changes }
  },
})

export const restoreRevision = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/revisions/:revisionId/restore',
  summary: 'Restore the content of an earlier revision',
  description:
    'Creates a new revision with the earlier content. The revisions in between stay in the history. In a locked space, restoring requires `review`, or `admin` if the space has merge rules, because there is no change request to check them against. The request fails with 409 if the current content is the same.',
  access: onSpace('edit'),
  params: InRevision,
  body: Type.Object({
    reason: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'Shown in the history after the id of the restored revision',
      }),
    ),
  }),
  returns: RevisionSummary,
  status: 201,
  async handler({ tx, me, urls, space, role, organizationRole, params, body, now, newId, audit }) {
    if (space.editMode === 'locked') {
      const guarded = (await rulesOf(tx, space)).length > 0
      demand(role, guarded ? 'admin' : 'review', 'on-space')
    }
    const earlier = await needRevision(tx, space.id, params.revisionId)
    if (earlier.changeRequestId !== null) throw invalid(because('revision-of-change-request'))
    const current = await needRevision(tx, space.id, space.revisionId)
    if (hasSameContent(earlier, current)) throw conflict(because('revision-same'))

    const message = `Restore revision ${earlier.id}${body.reason ? `: ${body.reason}` : ''}`
    const reason = { id: newId(), type: 'rollback' as const, message, userId: me.userId, now }
    const restored = await restoreContent(tx, current, earlier, reason)
    audit({
      before: { revision: current.id, from: null },
      after: { revision: restored.id, from: earlier.id },
    })
    const [summary] = await toRevisionSummaries(urls, tx, [restored], organizationRole !== null)
    return summary!
  },
})
