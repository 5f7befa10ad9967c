import { type Static, Type } from 'typebox'
import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import type { Choice, Conflict } from '../../../core/content/merge/model.ts'
import { inverseOf } from '../../../core/content/merge/reopen.ts'
import type { Reader, Row } from '../../../db/schema.ts'
import { conflict, invalid, notFound } from '../../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../../http/pagination.ts'
import { route } from '../../../http/route.ts'
import { ancestorOf, InChangeRequest, refuseClosed } from '../../../model/proposals/change-request.ts'
import { Id, oneOf } from '../../../model/common.ts'
import { ReadingProblemSchema } from '../../../model/content/documents/reading-problem.ts'
import {
  closeConflict,
  isReopenable,
  parseChoice,
  parseConflict,
  MergeConflict,
  reopenConflict,
  toMergeConflicts,
} from '../../../model/proposals/merge-conflict.ts'
import { applyResolution, prepareResolution } from '../../../model/proposals/resolving.ts'
import { because } from '../../../core/languages/reasons.ts'

export const listMergeConflicts = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/conflicts',
  summary: 'List the conflicts between a change request and the primary content',
  description:
    'By default, only open conflicts are listed. A change request cannot be merged while a conflict is open.',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  query: Type.Object({
    ...ListQuery.properties,
    status: Type.Optional(oneOf(['open', 'resolved'], { default: 'open' })),
  }),
  returns: listOf(MergeConflict),
  async handler({ db, urls, space, changeRequest, organizationRole, query, page }) {
    const conflicts = db
      .selectFrom('mergeConflict')
      .selectAll()
      .where('changeRequestId', '=', changeRequest.id)
      .where('status', '=', query.status ?? 'open')
    const list = await listRows(conflicts, page, { by: ['id'], large: ['data', 'resolution'] })
    return {
      ...list,
      items: await toMergeConflicts(urls, db, { space, organizationRole }, changeRequest, list.items),
    }
  },
})

const ResolutionBody = Type.Object({
  side: Type.Optional(oneOf(['primary', 'own'])),
  content: Type.Optional(Type.Unknown()),
})

/** @throws 400 unless the body has either a side or content */
function choiceOf({ side, content }: Static<typeof ResolutionBody>): Choice {
  if ((content !== undefined) === (side !== undefined)) throw invalid(because('side-or-content'))
  return side === undefined ? { content } : { side }
}

/** @throws 404, 409 if it is resolved already */
async function openConflict(db: Reader, changeRequestId: string, id: string): Promise<Row<'mergeConflict'>> {
  const row = await conflictOf(db, changeRequestId, id)
  if (row.status === 'resolved') throw conflict(because('conflict-resolved'))
  return row
}

/** @throws 404, 409 if it is open, or if the change request was updated since */
async function reopenable(
  db: Reader,
  changeRequest: Row<'changeRequest'>,
  id: string,
): Promise<Row<'mergeConflict'>> {
  const row = await conflictOf(db, changeRequest.id, id)
  if (row.status === 'open') throw conflict(because('conflict-open'))
  if (!isReopenable(changeRequest, row)) throw conflict(because('conflict-outdated'))
  return row
}

/** @throws 404 */
async function conflictOf(db: Reader, changeRequestId: string, id: string): Promise<Row<'mergeConflict'>> {
  const row = await db
    .selectFrom('mergeConflict')
    .selectAll()
    .where('id', '=', id)
    .where('changeRequestId', '=', changeRequestId)
    .executeTakeFirst()
  if (!row) throw notFound('conflict')
  return row
}

const ResolvedMergeConflict = Type.Object(
  {
    ...MergeConflict.properties,
    problems: Type.Optional(
      Type.Array(ReadingProblemSchema, {
        description:
          'Only if you sent Markdown as `content`: what sites do not show of the text as it was meant, such as what follows a tag that only looks like a condition',
      }),
    ),
  },
  { title: 'ResolvedMergeConflict' },
)

export const resolveMergeConflict = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/conflicts/:conflictId/resolve',
  summary: 'Resolve a conflict of a change request',
  description:
    'Send `side` to take one side, or `content` to replace both. For a conflict of kind `body`, `content` is the Markdown of the block; for one of front matter, the lines of the entry; for one of kind `field`, the value, by the rules of a batch. `null` removes it. `content` is accepted for the fields `title`, `linkTitle`, `slug`, `emoji`, `icon`, `description`, `condition`, `hidden`, `noIndex`, `noRobotsIndex`, `tags`, `variables`, `redirects` and the `name` of a file. Other fields and the kinds `existence` and `place` require `side`. The result is a new revision of the change request. The request fails with 409 if the conflict is already resolved, or if the content has changed since the conflict was found.',
  access: onChangeRequest('edit'),
  params: Type.Object({ ...InChangeRequest.properties, conflictId: Id }),
  bodyLimit: 2 * 1024 * 1024,
  body: ResolutionBody,
  returns: ResolvedMergeConflict,
  async prepare(context) {
    const { db, space, changeRequest, params, body } = context
    const choice = choiceOf(body)
    refuseClosed(changeRequest)
    const row = await openConflict(db.read, changeRequest.id, params.conflictId)
    return prepareResolution(
      { ...context, db: db.read },
      { space, changeRequest },
      parseConflict(row),
      choice,
    )
  },
  async handler(context) {
    const { tx, me, urls, space, changeRequest, organizationRole, params, prepared, now, newId, audit } =
      context
    const choice = choiceOf(context.body)
    refuseClosed(changeRequest)
    const row = await openConflict(tx, changeRequest.id, params.conflictId)
    const found = parseConflict(row)

    const by = { userId: me.userId, now, newId, message: 'Resolve a conflict' }
    const { revision, problems } = await applyResolution(
      tx,
      { space, changeRequest },
      found,
      choice,
      prepared,
      by,
    )
    const resolved = await closeConflict(tx, row.id, choice, by, ancestorOf(changeRequest))
    audit({
      target: { type: 'merge-conflict', id: row.id, label: found.title },
      before: { status: 'open', revision: changeRequest.revisionId },
      after: { status: 'resolved', revision },
    })
    const [shown] = await toMergeConflicts(urls, tx, { space, organizationRole }, changeRequest, [resolved])
    return { ...shown!, ...(problems.length > 0 && { problems: [...problems] }) }
  },
})

export const reopenMergeConflict = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/conflicts/:conflictId/reopen',
  summary: 'Undo the resolution of a conflict of a change request',
  description:
    'The conflict is open again, and the change request gets its own value back, as a new revision if the resolution changed the content. The request fails with 409 if the conflict is open, if the change request was updated from the primary content since, if it is archived or merged, or if the content has changed since the conflict was resolved.',
  access: onChangeRequest('edit'),
  params: Type.Object({ ...InChangeRequest.properties, conflictId: Id }),
  returns: MergeConflict,
  async prepare(context) {
    const { db, space, changeRequest, params } = context
    refuseClosed(changeRequest)
    const row = await reopenable(db.read, changeRequest, params.conflictId)
    const [found, back] = takenBack(row)
    return prepareResolution({ ...context, db: db.read }, { space, changeRequest }, found, back)
  },
  async handler(context) {
    const { tx, me, urls, space, changeRequest, organizationRole, params, prepared, now, newId, audit } =
      context
    refuseClosed(changeRequest)
    const row = await reopenable(tx, changeRequest, params.conflictId)
    const [found, back] = takenBack(row)

    const refused = because('conflict-not-reopened')
    const by = { userId: me.userId, now, newId, message: 'Reopen a conflict', refused }
    const { revision } = await applyResolution(tx, { space, changeRequest }, found, back, prepared, by)
    const reopened = await reopenConflict(tx, row.id)
    audit({
      target: { type: 'merge-conflict', id: row.id, label: found.title },
      before: { status: 'resolved', revision: changeRequest.revisionId },
      after: { status: 'open', revision },
    })
    const [shown] = await toMergeConflicts(urls, tx, { space, organizationRole }, changeRequest, [reopened])
    return shown!
  },
})

/** The conflict and the choice that put its own side back. If the own side was chosen, there is nothing to write. */
function takenBack(row: Row<'mergeConflict'>): [Conflict, Choice] {
  const [found, choice] = [parseConflict(row), parseChoice(row)]
  const isOwn = 'side' in choice && choice.side === 'own'
  return [inverseOf(found, choice), { side: isOwn ? 'own' : 'primary' }]
}
