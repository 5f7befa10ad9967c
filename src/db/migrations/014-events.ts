import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

type Column = ColumnDefinitionBuilder
const required = (column: Column) => column.notNull()
const ofSpace = (column: Column) => column.notNull().references('space.id').onDelete('cascade')

/** The events of spaces, for the clients that listen; the presence of users; and the notifications of users. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('eventLine')
    .addColumn('spaceId', 'text', (column) => ofSpace(column).primaryKey())
    .addColumn('sequence', 'integer', required)
    .execute()

  await schema
    .createTable('spaceEvent')
    .addColumn('spaceId', 'text', ofSpace)
    .addColumn('sequence', 'integer', required)
    .addColumn('changeRequestId', 'text')
    .addColumn('kind', 'text', required)
    .addColumn('data', 'text', required)
    .addColumn('occurredAt', 'text', required)
    .addPrimaryKeyConstraint('spaceEvent_key', ['spaceId', 'sequence'])
    .execute()
  await schema.createIndex('spaceEvent_age').on('spaceEvent').column('occurredAt').execute()

  await schema
    .createTable('presence')
    .addColumn('userId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('client', 'text', required)
    .addColumn('spaceId', 'text', ofSpace)
    .addColumn('changeRequestId', 'text')
    .addColumn('pageId', 'text')
    .addColumn('block', 'text')
    .addColumn('state', 'text', required)
    .addColumn('since', 'text', required)
    .addColumn('expiresAt', 'text', required)
    .addPrimaryKeyConstraint('presence_key', ['userId', 'client'])
    .execute()
  await schema.createIndex('presence_of').on('presence').columns(['spaceId', 'since']).execute()
  await schema.createIndex('presence_client').on('presence').column('client').execute()

  await schema
    .createTable('notification')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('userId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('kind', 'text', required)
    .addColumn('actorId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('spaceId', 'text', ofSpace)
    .addColumn('changeRequestId', 'text')
    .addColumn('commentId', 'text')
    .addColumn('replyId', 'text')
    .addColumn('reviewId', 'text')
    .addColumn('createdAt', 'text', required)
    .addColumn('readAt', 'text')
    .execute()
  await schema.createIndex('notification_of').on('notification').columns(['userId', 'id']).execute()
  // Deleting a comment, a space or a user looks for the notifications that name it.
  await schema.createIndex('notification_comment').on('notification').column('commentId').execute()
  await schema.createIndex('notification_space').on('notification').column('spaceId').execute()
  await schema.createIndex('notification_actor').on('notification').column('actorId').execute()
  await schema.createIndex('notification_age').on('notification').column('createdAt').execute()

  await schema
    .createTable('notificationSettings')
    .addColumn('userId', 'text', (column) =>
      column.notNull().primaryKey().references('user.id').onDelete('cascade'),
    )
    .addColumn('digest', 'text', required)
    .addColumn('digestedAt', 'text', required)
    .execute()
}
