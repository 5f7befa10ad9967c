import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

type Column = ColumnDefinitionBuilder
const required = (column: Column) => column.notNull()
const of = (table: string) => (column: Column) => column.notNull().references(`${table}.id`)

/** Provisioning by SCIM: the tokens of organizations, and what a provider says of its users and groups. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('scimToken')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('organizationId', 'text', of('organization'))
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('createdBy', 'text', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('lastUsedAt', 'text')
    .execute()
  await schema.createIndex('scimToken_of').on('scimToken').columns(['organizationId', 'id']).execute()

  await schema
    .createTable('scimUser')
    .addColumn('organizationId', 'text', of('organization'))
    .addColumn('userId', 'text', of('user'))
    .addColumn('userName', 'text', required)
    .addColumn('userNameKey', 'text', required)
    .addColumn('externalId', 'text')
    .addColumn('displayName', 'text')
    .addColumn('givenName', 'text')
    .addColumn('familyName', 'text')
    .addColumn('created', 'integer', required)
    .addColumn('updatedAt', 'text', required)
    .addPrimaryKeyConstraint('scimUser_key', ['organizationId', 'userId'])
    .addUniqueConstraint('scimUser_name', ['organizationId', 'userNameKey'])
    .execute()
  await schema
    .createIndex('scimUser_external')
    .on('scimUser')
    .columns(['organizationId', 'externalId'])
    .execute()

  await schema
    .createTable('scimGroup')
    .addColumn('teamId', 'text', (column) => of('team')(column).primaryKey())
    .addColumn('organizationId', 'text', of('organization'))
    .addColumn('displayName', 'text', required)
    .addColumn('externalId', 'text')
    .addColumn('updatedAt', 'text', required)
    .execute()
  await schema
    .createIndex('scimGroup_external')
    .on('scimGroup')
    .columns(['organizationId', 'externalId'])
    .execute()
}
