import { Type } from 'typebox'
import { onChangeRequest } from '../../../access/on-change-request.ts'
import { conflict, invalid, notFound } from '../../../http/errors.ts'
import { listOf, listPage, ListQuery, textAfter } from '../../../http/page.ts'
import { route } from '../../../http/route.ts'
import { InChangeRequest, refuseClosed } from '../../../model/change-request.ts'
import { Id, oneOf } from '../../../model/common.ts'
import { closeConflict, conflictOf, MergeConflict, toMergeConflicts } from '../../../model/merge-conflict.ts'
import { settleConflict } from '../../../model/merging.ts'

export const listMergeConflicts = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/conflicts',
  summary: 'What a change request and the primary content contradict each other in',
  description: 'Those that are open, unless `status` says otherwise. Nothing is merged while one is open.',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  query: Type.Object({
    ...ListQuery.properties,
    status: Type.Optional(oneOf(['open', 'resolved'], { default: 'open' })),
  }),
  returns: listOf(MergeConflict),
  async handler({ db, at, space, changeRequest, organizationRole, query, page }) {
    const conflicts = db
      .selectFrom('mergeConflict')
      .where('changeRequestId', '=', changeRequest.id)
      .where('status', '=', query.status ?? 'open')
    const { count } = await conflicts.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    const rows = await conflicts
      .selectAll()
      .$if(page.after !== undefined, (some) => some.where('id', '>', textAfter(page) ?? ''))
      .orderBy('id')
      .limit(page.limit + 1)
      .execute()
    const shown = await toMergeConflicts(at, db, { space, organizationRole }, rows)
    return listPage(shown, Number(count), page, ({ id }) => [id])
  },
})

export const resolveMergeConflict = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/conflicts/:conflictId/resolve',
  summary: 'Settle a conflict of a change request',
  description:
    'As one `side` has it, or with `content`: Markdown for a block of kind `body`, of an entry of front matter its lines, null for none; for a conflict of kind `field` the value, null for none, by the rules of a batch. Content is taken for the fields `title`, `linkTitle`, `slug`, `emoji`, `icon`, `description`, `condition`, `hidden`, `noIndex`, `noRobotsIndex`, `tags`, `variables`, `redirects` and the `name` of a file; other fields and the kinds `existence` and `place` take a side (400). What that changes is a new revision of the change request. 409 for a conflict that is resolved already, and where the content of the change request is not as it was when the conflict was found.',
  access: onChangeRequest('edit'),
  params: Type.Object({ ...InChangeRequest.properties, conflictId: Id }),
  body: Type.Object({
    side: Type.Optional(oneOf(['primary', 'own'])),
    content: Type.Optional(Type.Unknown()),
  }),
  returns: MergeConflict,
  async handler({ tx, me, at, space, changeRequest, organizationRole, params, body, now, newId, audit }) {
    const hasContent = body.content !== undefined
    if (hasContent === (body.side !== undefined)) throw invalid('Send "side" or "content", and not both')
    const choice = body.side === undefined ? { content: body.content } : { side: body.side }
    refuseClosed(changeRequest)
    const row = await tx
      .selectFrom('mergeConflict')
      .selectAll()
      .where('id', '=', params.conflictId)
      .where('changeRequestId', '=', changeRequest.id)
      .executeTakeFirst()
    if (!row) throw notFound()
    if (row.status === 'resolved') throw conflict('This conflict is resolved already')

    const by = { userId: me.userId, now, newId }
    const revision = await settleConflict(tx, { space, changeRequest }, conflictOf(row), choice, by)
    const resolved = await closeConflict(tx, row.id, choice, by)
    audit({
      target: { type: 'merge-conflict', id: row.id, label: conflictOf(row).title },
      before: { status: 'open', revision: changeRequest.revisionId },
      after: { status: 'resolved', revision },
    })
    const [shown] = await toMergeConflicts(at, tx, { space, organizationRole }, [resolved])
    return shown!
  },
})
