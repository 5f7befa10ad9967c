import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

type Column = ColumnDefinitionBuilder
const required = (column: Column) => column.notNull()
const key = (column: Column) => column.notNull().primaryKey()
const ofSpace = (column: Column) => column.notNull().references('space.id')
const ofUser = (column: Column) => column.notNull().references('user.id')

/** Change requests with their conflicts and reviews, and the discussion. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db

  await schema
    .createTable('changeRequest')
    .addColumn('id', 'text', key)
    .addColumn('spaceId', 'text', ofSpace)
    .addColumn('number', 'integer', required)
    .addColumn('status', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('description', 'text')
    .addColumn('revisionId', 'text', required)
    .addColumn('revisionInitial', 'text', required)
    .addColumn('revisionMergedAncestor', 'text')
    .addColumn('revisionMerged', 'text')
    .addColumn('createdBy', 'text', ofUser)
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .addUniqueConstraint('changeRequest_number', ['spaceId', 'number'])
    .execute()
  await schema
    .createIndex('changeRequest_of')
    .on('changeRequest')
    .columns(['spaceId', 'status', 'number'])
    .execute()

  await schema
    .createTable('mergeConflict')
    .addColumn('id', 'text', key)
    .addColumn('spaceId', 'text', ofSpace)
    .addColumn('changeRequestId', 'text', required)
    .addColumn('key', 'text', required)
    .addColumn('data', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('resolution', 'text')
    .addColumn('createdAt', 'text', required)
    .addColumn('resolvedAt', 'text')
    .addColumn('resolvedBy', 'text')
    .execute()
  await schema
    .createIndex('mergeConflict_of')
    .on('mergeConflict')
    .columns(['changeRequestId', 'status', 'id'])
    .execute()

  await schema
    .createTable('review')
    .addColumn('id', 'text', key)
    .addColumn('spaceId', 'text', ofSpace)
    .addColumn('changeRequestId', 'text', required)
    .addColumn('revisionId', 'text', required)
    .addColumn('reviewerId', 'text', ofUser)
    .addColumn('requestedBy', 'text')
    .addColumn('status', 'text', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .execute()
  await schema.createIndex('review_of').on('review').columns(['changeRequestId', 'id']).execute()
  await schema
    .createIndex('review_by')
    .on('review')
    .columns(['changeRequestId', 'reviewerId', 'id'])
    .execute()

  await schema
    .createTable('requestedReviewer')
    .addColumn('spaceId', 'text', ofSpace)
    .addColumn('changeRequestId', 'text', required)
    .addColumn('userId', 'text', ofUser)
    .addColumn('revisionId', 'text', required)
    .addColumn('requestedBy', 'text', ofUser)
    .addColumn('createdAt', 'text', required)
    .addPrimaryKeyConstraint('requestedReviewer_key', ['changeRequestId', 'userId'])
    .execute()

  await createDiscussion(db)
}

async function createDiscussion(db: Kysely<never>): Promise<void> {
  const { schema } = db

  await schema
    .createTable('comment')
    .addColumn('id', 'text', key)
    .addColumn('spaceId', 'text', ofSpace)
    .addColumn('changeRequestId', 'text')
    .addColumn('reviewId', 'text')
    .addColumn('revisionId', 'text', required)
    .addColumn('pageId', 'text')
    .addColumn('page', 'text')
    .addColumn('nodeId', 'text')
    .addColumn('nodePreview', 'text')
    .addColumn('body', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('postedBy', 'text', ofUser)
    .addColumn('postedAt', 'text', required)
    .addColumn('editedAt', 'text')
    .addColumn('resolvedAt', 'text')
    .addColumn('resolvedBy', 'text')
    .execute()
  // The comments of a space are those that are of none of its change requests.
  await sql`create index "comment_of_space" on "comment" ("spaceId", "status", "id") where "changeRequestId" is null`.execute(
    db,
  )
  await sql`create index "comment_in_space" on "comment" ("spaceId", "id") where "changeRequestId" is null`.execute(
    db,
  )
  await schema
    .createIndex('comment_of_change')
    .on('comment')
    .columns(['changeRequestId', 'status', 'id'])
    .execute()
  await schema.createIndex('comment_in_change').on('comment').columns(['changeRequestId', 'id']).execute()
  await schema.createIndex('comment_on_page').on('comment').columns(['pageId', 'id']).execute()

  await schema
    .createTable('commentReply')
    .addColumn('id', 'text', key)
    .addColumn('spaceId', 'text', ofSpace)
    .addColumn('commentId', 'text', (column) => column.notNull().references('comment.id').onDelete('cascade'))
    .addColumn('body', 'text', required)
    .addColumn('postedBy', 'text', ofUser)
    .addColumn('postedAt', 'text', required)
    .addColumn('editedAt', 'text')
    .execute()
  await schema.createIndex('commentReply_of').on('commentReply').columns(['commentId', 'id']).execute()

  await schema
    .createTable('reaction')
    .addColumn('spaceId', 'text', ofSpace)
    .addColumn('subjectId', 'text', required)
    .addColumn('emoji', 'text', required)
    .addColumn('userId', 'text', ofUser)
    .addColumn('reactedAt', 'text', required)
    .addPrimaryKeyConstraint('reaction_key', ['subjectId', 'emoji', 'userId'])
    .execute()
}
