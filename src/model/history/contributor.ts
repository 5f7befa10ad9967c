import { type Static, Type } from 'typebox'
import type { Reader, Row } from '../../db/schema.ts'
import { oneOf, Timestamp } from '../common.ts'
import { User } from '../people/user.ts'

/** A user who contributed to a change request, with the kind, number and latest time of the contributions. */
export const Contributor = Type.Object(
  {
    updatedAt: Timestamp,
    count: Type.Integer(),
    user: User,
    actionType: oneOf(['edit', 'comment']),
  },
  { title: 'Contributor' },
)

interface Contribution {
  userId: string
  actionType: Static<typeof Contributor>['actionType']
  updatedAt: string
  count: number
}

/**
 * The users who edited a change request, suggested edits that were applied, or commented on it, the latest first, with one entry for each user and kind.
 * Updating it from the primary content is not a contribution.
 */
export async function contributionsTo(
  db: Reader,
  { id }: Pick<Row<'changeRequest'>, 'id'>,
): Promise<Contribution[]> {
  const edits = await db
    .selectFrom('revision')
    .select(['createdBy as userId'])
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('createdAt').as('updatedAt')])
    .where('changeRequestId', '=', id)
    .where('type', '!=', 'update')
    .groupBy('createdBy')
    .execute()
  const suggested = await db
    .selectFrom('revision')
    .select(['coAuthorId as userId'])
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('createdAt').as('updatedAt')])
    .where('changeRequestId', '=', id)
    .where('coAuthorId', 'is not', null)
    .groupBy('coAuthorId')
    .$narrowType<{ userId: string }>()
    .execute()
  const comments = await db
    .selectFrom('comment')
    .select(['postedBy as userId'])
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('postedAt').as('updatedAt')])
    .where('changeRequestId', '=', id)
    .groupBy('postedBy')
    .execute()
  const replies = await db
    .selectFrom('commentReply')
    .innerJoin('comment', 'comment.id', 'commentReply.commentId')
    .select(['commentReply.postedBy as userId'])
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('commentReply.postedAt').as('updatedAt')])
    .where('comment.changeRequestId', '=', id)
    .groupBy('commentReply.postedBy')
    .execute()

  const contributions: Contribution[] = [
    ...summed('edit', [...edits, ...suggested]),
    ...summed('comment', [...comments, ...replies]),
  ]
  return contributions.toSorted((a, b) => (contributionPlace(a) < contributionPlace(b) ? 1 : -1))
}

/** One contribution of each user, with the sum and the latest time of all. */
function summed(
  actionType: Contribution['actionType'],
  rows: readonly { userId: string; count: string | number | bigint; updatedAt: string }[],
): Contribution[] {
  return [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, some]) => ({
    userId,
    actionType,
    count: some.reduce((sum, { count }) => sum + Number(count), 0),
    updatedAt: some.reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), ''),
  }))
}

/** A total order of contributions. */
export function contributionPlace({ updatedAt, userId, actionType }: Omit<Contribution, 'count'>): string {
  return `${updatedAt} ${userId} ${actionType}`
}
