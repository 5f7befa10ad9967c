import { type RawBuilder, sql, type SelectQueryBuilder } from 'kysely'
import { Type } from 'typebox'
import type { Schema } from '../../db/schema.ts'
import type { ChangeRequestStatus } from '../../db/change-tables.ts'
import { ListQuery } from '../../http/pagination.ts'
import { STATUSES, SUBJECT_MAX } from './change-request.ts'
import { Id, oneOf } from '../common.ts'
import { containing } from '../people/team.ts'

/** The query of every list of change requests. */
export const ChangeRequestsQuery = Type.Object({
  ...ListQuery.properties,
  status: Type.Optional(
    oneOf(STATUSES, { default: 'open', description: 'Return only change requests with this status' }),
  ),
  creator: Type.Optional(Id),
  contributor: Type.Optional(Id),
  requestedReviewer: Type.Optional({
    ...Id,
    description: 'Return only change requests that this user was asked to review and has not reviewed since',
  }),
  query: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: SUBJECT_MAX,
      description: 'Return only change requests whose subject contains this text, ignoring case',
    }),
  ),
  orderBy: Type.Optional(
    oneOf(['createdAt', 'updatedAt'], {
      default: 'createdAt',
      description: 'With `updatedAt`, change requests that were updated last come first',
    }),
  ),
})

interface Filter {
  status?: ChangeRequestStatus
  creator?: string
  contributor?: string
  requestedReviewer?: string
  query?: string
}

/** Adds the filters of a list to a query of change requests. */
export function filterChangeRequests<T extends keyof Schema, O>(
  query: SelectQueryBuilder<Schema, T | 'changeRequest', O>,
  { status = 'open', creator, contributor, requestedReviewer, query: text }: Filter,
): SelectQueryBuilder<Schema, T | 'changeRequest', O> {
  const conditions = [
    sql<boolean>`"changeRequest"."status" = ${status}`,
    ...(creator === undefined ? [] : [sql<boolean>`"changeRequest"."createdBy" = ${creator}`]),
    ...(contributor === undefined ? [] : [contributedBy(contributor)]),
    ...(requestedReviewer === undefined ? [] : [askedToReview(requestedReviewer)]),
    ...(text === undefined ? [] : [containing(sql<string>`"changeRequest"."subject"`, text)]),
  ]
  return query.where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
}

interface UpdateOrder {
  by: ['changeRequest.updatedAt', 'changeRequest.id']
  order: 'desc'
  large: ['changeRequest.description']
}

/** The order of `orderBy=updatedAt`, for `listRows`. */
export const LAST_UPDATED_FIRST: UpdateOrder = {
  by: ['changeRequest.updatedAt', 'changeRequest.id'],
  order: 'desc',
  large: ['changeRequest.description'],
}

/** SQL condition: a review of this user is requested. */
function askedToReview(userId: string): RawBuilder<boolean> {
  return sql<boolean>`"changeRequest"."id" in (select "requestedReviewer"."changeRequestId"
    from "requestedReviewer" where "requestedReviewer"."userId" = ${userId})`
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
