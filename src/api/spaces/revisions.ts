import { Type } from 'typebox'
import { demand, onSpace } from '../../access/on.ts'
import { contentFamily } from '../../families/content.ts'
import { conflict, invalid } from '../../http/errors.ts'
import { listOf, listPage, ListQuery, numberAfter } from '../../http/page.ts'
import { route } from '../../http/route.ts'
import { Id, InSpace } from '../../model/common.ts'
import { rulesOf } from '../../model/merge-rules.ts'
import { hasSameContent, needRevision, restoreContent } from '../../model/revision.ts'
import { mergedFromOf, RevisionSummary, toRevisionSummaries } from '../../model/revision-summary.ts'
import { changesBetween, ChangesLimit, SemanticChanges } from '../../model/semantic-changes.ts'

const InRevision = Type.Object({ spaceId: Id, revisionId: Id })

const family = contentFamily({
  path: '/v1/spaces/:spaceId/revisions/:revisionId',
  access: onSpace('read'),
  params: { revisionId: Id },
  revision: ({ db, space, params }) => needRevision(db, space.id, params.revisionId ?? ''),
  immutable: true,
})

export const getRevisionById = family.revision
export const listPagesInRevisionById = family.pages
export const listFilesInRevisionById = family.files
export const getFileInRevisionById = family.file
export const getPageInRevisionById = family.page
export const getPageInRevisionByPath = family.pageByPath
export const getPageDocumentInRevisionById = family.pageDocument
export const getReusableContentInRevisionById = family.reusableContent
export const getReusableContentDocumentInRevisionById = family.reusableContentDocument

export const listRevisions = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/revisions',
  summary: 'The history of a space: the revisions of its primary content, newest first',
  description: 'Revisions of change requests are not in it, but the merges that brought them in are.',
  access: onSpace('read'),
  params: InSpace,
  query: ListQuery,
  returns: listOf(RevisionSummary),
  async handler({ db, at, space, organizationRole, page }) {
    const before = numberAfter(page)
    const primary = db
      .selectFrom('revision')
      .where('spaceId', '=', space.id)
      .where('changeRequestId', 'is', null)
    const rows = await primary
      .select([
        'id',
        'spaceId',
        'type',
        'parents',
        'message',
        'mergedFrom',
        'createdBy',
        'createdAt',
        'sequence',
      ])
      .$if(before !== undefined, (revisions) => revisions.where('sequence', '<', before ?? 0))
      .orderBy('sequence', 'desc')
      .limit(page.limit + 1)
      .execute()
    // They are numbered without gaps and none is ever removed, so the last number is how many there are.
    const { count } = await primary
      .select((eb) => eb.fn.max('sequence').as('count'))
      .executeTakeFirstOrThrow()
    const list = listPage(rows, count, page, ({ sequence }) => [String(sequence)])
    return { ...list, items: await toRevisionSummaries(at, db, list.items, organizationRole !== null) }
  },
})

export const getRevisionSemanticChanges = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/revisions/:revisionId/changes',
  summary: 'What a revision changed: pages, files, reusable contents and variables, beside its first parent',
  description:
    'Pages are in reading order, then those that were deleted, files, reusable contents and variables. `more` says how many changes `limit` left out.',
  access: onSpace('read'),
  params: InRevision,
  query: Type.Object({
    metadata: Type.Optional(Type.Boolean({ default: true, description: 'Changes have no `git` either way' })),
    computed: Type.Optional(
      Type.Boolean({ default: true, description: 'Do not produce computed content with false' }),
    ),
    limit: ChangesLimit,
  }),
  returns: SemanticChanges,
  immutable: true,
  async handler({ db, at, space, params, query }) {
    const revision = await needRevision(db, space.id, params.revisionId)
    const [parent] = JSON.parse(revision.parents) as string[]
    const before = parent === undefined ? undefined : await needRevision(db, space.id, parent)
    const changes = await changesBetween(db, at, before, revision, query.limit ?? 10)
    return { ...mergedFromOf(revision), ...changes }
  },
})

export const restoreRevision = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/revisions/:revisionId/restore',
  summary: 'Make the content of an earlier revision the current one, as a new revision',
  description:
    'Nothing is lost: what came between stays in the history, and can be restored too. A locked space changes as by a merge, so there it needs the permission "review", and "admin" where merge rules guard the space: no change request is there to hold them against. 409 if the current content is the same.',
  access: onSpace('edit'),
  params: InRevision,
  body: Type.Object({
    reason: Type.Optional(
      Type.String({ maxLength: 500, description: 'Shown in the history, after which revision was restored' }),
    ),
  }),
  returns: RevisionSummary,
  status: 201,
  async handler({ tx, me, at, space, role, organizationRole, params, body, now, newId, audit }) {
    if (space.editMode === 'locked') {
      const guarded = (await rulesOf(tx, space)).length > 0
      demand(role, guarded ? 'admin' : 'review', 'on this space')
    }
    const earlier = await needRevision(tx, space.id, params.revisionId)
    if (earlier.changeRequestId !== null)
      throw invalid('This is a revision of a change request; merge the change request instead')
    const current = await needRevision(tx, space.id, space.revisionId)
    if (hasSameContent(earlier, current))
      throw conflict('The current content is that of this revision already')

    const message = `Restore revision ${earlier.id}${body.reason ? `: ${body.reason}` : ''}`
    const reason = { id: newId(), type: 'rollback' as const, message, userId: me.userId, now }
    const restored = await restoreContent(tx, current, earlier, reason)
    audit({
      before: { revision: current.id, from: null },
      after: { revision: restored.id, from: earlier.id },
    })
    const [summary] = await toRevisionSummaries(at, tx, [restored], organizationRole !== null)
    return summary!
  },
})
