import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

type Column = ColumnDefinitionBuilder
const required = (column: Column) => column.notNull()
const key = (column: Column) => column.notNull().primaryKey()
const unique = (column: Column) => column.notNull().unique()
const ofUser = (column: Column) => column.notNull().references('user.id')

/** Sessions of browsers, second factors and passkeys. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('session')
    .addColumn('id', 'text', key)
    .addColumn('userId', 'text', ofUser)
    .addColumn('hash', 'text', unique)
    .addColumn('method', 'text', required)
    .addColumn('providerId', 'text')
    .addColumn('organizationId', 'text')
    .addColumn('ip', 'text', required)
    .addColumn('userAgent', 'text', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('lastUsedAt', 'text', required)
    .addColumn('expiresAt', 'text', required)
    .execute()
  await schema.createIndex('session_of').on('session').columns(['userId', 'id']).execute()
  await schema.createIndex('session_expiry').on('session').column('expiresAt').execute()
  await schema.createIndex('session_provider').on('session').column('providerId').execute()

  await schema
    .createTable('secondFactor')
    .addColumn('userId', 'text', (column) => ofUser(column).primaryKey())
    .addColumn('sealedSeed', 'text', required)
    .addColumn('confirmedAt', 'text')
    .addColumn('lastStep', 'integer', required)
    .addColumn('createdAt', 'text', required)
    .execute()

  await schema
    .createTable('recoveryCode')
    .addColumn('userId', 'text', ofUser)
    .addColumn('hash', 'text', required)
    .addPrimaryKeyConstraint('recoveryCode_key', ['userId', 'hash'])
    .execute()

  await schema
    .createTable('passkey')
    .addColumn('id', 'text', key)
    .addColumn('userId', 'text', ofUser)
    .addColumn('label', 'text', required)
    .addColumn('credentialId', 'text', unique)
    .addColumn('publicKey', 'text', required)
    .addColumn('counter', 'integer', required)
    .addColumn('transports', 'text', required)
    .addColumn('backedUp', 'integer', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('lastUsedAt', 'text')
    .execute()
  await schema.createIndex('passkey_of').on('passkey').columns(['userId', 'id']).execute()

  await schema
    .createTable('signInStep')
    .addColumn('hash', 'text', key)
    .addColumn('purpose', 'text', required)
    .addColumn('userId', 'text', (column) => column.references('user.id'))
    .addColumn('payload', 'text', required)
    .addColumn('attempts', 'integer', required)
    .addColumn('expiresAt', 'text', required)
    .execute()
  await schema.createIndex('signInStep_expiry').on('signInStep').column('expiresAt').execute()
  await schema.createIndex('signInStep_of').on('signInStep').columns(['userId', 'purpose']).execute()
}
