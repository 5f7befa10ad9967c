import type { Kysely } from 'kysely'

/** The secret with which the host of a repository signs its webhooks. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  for (const column of ['sealedWebhookSecret', 'webhookCreatedAt', 'webhookReceivedAt'])
    await schema.alterTable('repositoryConnection').addColumn(column, 'text').execute()
}
