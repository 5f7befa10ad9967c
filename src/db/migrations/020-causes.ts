import type { Kysely } from 'kysely'

/** Who causes e-mails. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema.dropTable('invitationLetter').execute()
  await schema
    .createTable('sentEmail')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('mailbox', 'text', (column) => column.notNull())
    .addColumn('userId', 'text')
    .addColumn('organizationId', 'text')
    .addColumn('sentAt', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('sentEmail_at').on('sentEmail').column('sentAt').execute()
  await schema.createIndex('sentEmail_to').on('sentEmail').columns(['mailbox', 'sentAt']).execute()
  await schema.createIndex('sentEmail_by').on('sentEmail').columns(['userId', 'sentAt']).execute()
  await schema.createIndex('sentEmail_of').on('sentEmail').columns(['organizationId', 'sentAt']).execute()
}
