import { type RawBuilder, sql, type SelectQueryBuilder } from 'kysely'
import { Type } from 'typebox'
import type { Schema } from '../../db/schema.ts'
import type { ChangeRequestStatus } from '../../db/change-tables.ts'
import { ListQuery } from '../../http/pagination.ts'
import { STATUSES } from './change-request.ts'
import { Id, oneOf } from '../common.ts'

/** The query of every list of change requests. */
export const ChangeRequestsQuery = Type.Object({
  ...ListQuery.properties,
  status: Type.Optional(
    oneOf(STATUSES, { default: 'open', description: 'Return only change requests with this status' }),
  ),
  creator: Type.Optional(Id),
  contributor: Type.Optional(Id),
})

interface Filter {
  status?: ChangeRequestStatus
  creator?: string
  contributor?: string
}

/** Adds the filters of a list to a query of change requests. */
export function filterChangeRequests<T extends keyof Schema, O>(
  query: SelectQueryBuilder<Schema, T | 'changeRequest', O>,
  { status = 'open', creator, contributor }: Filter,
): SelectQueryBuilder<Schema, T | 'changeRequest', O> {
  const conditions = [
    sql<boolean>`"changeRequest"."status" = ${status}`,
    ...(creator === undefined ? [] : [sql<boolean>`"changeRequest"."createdBy" = ${creator}`]),
    ...(contributor === undefined ? [] : [contributedBy(contributor)]),
  ]
  return query.where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
}

/** SQL condition: the user edited the change request or commented on it. Updating it from the primary content is neither. */
function contributedBy(userId: string): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select 1 from "revision" where "revision"."changeRequestId" = "changeRequest"."id"
      and "revision"."createdBy" = ${userId} and "revision"."type" <> 'update')
    or exists (select 1 from "comment" where "comment"."changeRequestId" = "changeRequest"."id"
      and ("comment"."postedBy" = ${userId} or exists (
        select 1 from "commentReply" where "commentReply"."commentId" = "comment"."id"
          and "commentReply"."postedBy" = ${userId})))
  )`
}
