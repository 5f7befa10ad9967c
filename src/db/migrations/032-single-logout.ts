import type { Kysely } from 'kysely'

/** Where a SAML provider signs people out, and how it named the person of a session. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema.alterTable('identityProvider').addColumn('logoutUrl', 'text').execute()
  await schema.alterTable('session').addColumn('samlNameId', 'text').execute()
  await schema.alterTable('session').addColumn('samlName', 'text').execute()
  await schema
    .createIndex('session_of_saml_name')
    .on('session')
    .columns(['providerId', 'samlNameId'])
    .execute()
}
