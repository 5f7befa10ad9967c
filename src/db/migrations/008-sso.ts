import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

type Column = ColumnDefinitionBuilder
const required = (column: Column) => column.notNull()
const key = (column: Column) => column.notNull().primaryKey()
const ofProvider = (column: Column) => column.notNull().references('identityProvider.id').onDelete('cascade')

/** Identity providers, who their users are, and sign-ins that are under way. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('identityProvider')
    .addColumn('id', 'text', key)
    .addColumn('organizationId', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('kind', 'text', required)
    .addColumn('label', 'text', required)
    .addColumn('issuer', 'text')
    .addColumn('ssoUrl', 'text')
    .addColumn('certificate', 'text')
    .addColumn('signsRequests', 'integer', required)
    .addColumn('ownCertificate', 'text')
    .addColumn('clientId', 'text')
    .addColumn('sealedSecret', 'text')
    .addColumn('allowsUnsolicited', 'integer', required)
    .addColumn('trustsEmails', 'integer', required)
    .addColumn('defaultTeam', 'text', (column) => column.references('team.id').onDelete('set null'))
    .addColumn('defaultRole', 'text')
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .execute()
  await schema
    .createIndex('identityProvider_of')
    .on('identityProvider')
    .columns(['organizationId', 'kind', 'id'])
    .execute()
  // Deleting a team looks for the providers that name it.
  await schema.createIndex('identityProvider_team').on('identityProvider').column('defaultTeam').execute()

  await schema
    .createTable('identity')
    .addColumn('providerId', 'text', ofProvider)
    .addColumn('subject', 'text', required)
    .addColumn('userId', 'text', (column) => column.notNull().references('user.id'))
    .addColumn('createdAt', 'text', required)
    .addPrimaryKeyConstraint('identity_key', ['providerId', 'subject'])
    .execute()
  await schema.createIndex('identity_of').on('identity').column('userId').execute()

  await schema
    .createTable('signInRequest')
    .addColumn('id', 'text', key)
    .addColumn('providerId', 'text', ofProvider)
    .addColumn('browserHash', 'text', required)
    .addColumn('returnPath', 'text', required)
    .addColumn('sealedSecrets', 'text')
    .addColumn('ticketHash', 'text', (column) => column.unique())
    .addColumn('person', 'text')
    .addColumn('expiresAt', 'text', required)
    .execute()
  await schema.createIndex('signInRequest_of').on('signInRequest').column('providerId').execute()
  await schema.createIndex('signInRequest_expiry').on('signInRequest').column('expiresAt').execute()

  await schema
    .createTable('usedAssertion')
    .addColumn('providerId', 'text', ofProvider)
    .addColumn('hash', 'text', required)
    .addColumn('expiresAt', 'text', required)
    .addPrimaryKeyConstraint('usedAssertion_key', ['providerId', 'hash'])
    .execute()
  await schema.createIndex('usedAssertion_expiry').on('usedAssertion').column('expiresAt').execute()

  await schema
    .alterTable('token')
    .addColumn('organizationId', 'text', (column) => column.references('organization.id'))
    .execute()
}
