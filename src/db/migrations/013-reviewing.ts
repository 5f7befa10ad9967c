import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

type Column = ColumnDefinitionBuilder
const required = (column: Column) => column.notNull()

/** Lists of change requests by update and by requested reviewer, and reviews with several comments and their drafts. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .createIndex('changeRequest_updated')
    .on('changeRequest')
    .columns(['spaceId', 'status', 'updatedAt', 'id'])
    .execute()
  await schema
    .createIndex('requestedReviewer_by')
    .on('requestedReviewer')
    .columns(['userId', 'changeRequestId'])
    .execute()

  // Until now, a review had at most one comment.
  await schema.alterTable('review').addColumn('commentId', 'text').execute()
  await schema.createIndex('comment_of_review').on('comment').columns(['reviewId', 'id']).execute()
  await sql`update "review" set "commentId" =
    (select min("id") from "comment" where "comment"."reviewId" = "review"."id")`.execute(db)

  await schema
    .createTable('reviewDraft')
    .addColumn('spaceId', 'text', (column) => column.notNull().references('space.id'))
    .addColumn('changeRequestId', 'text', required)
    .addColumn('userId', 'text', (column) => column.notNull().references('user.id'))
    .addColumn('revisionId', 'text', required)
    .addColumn('data', 'text', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .addPrimaryKeyConstraint('reviewDraft_key', ['changeRequestId', 'userId'])
    .execute()
}
