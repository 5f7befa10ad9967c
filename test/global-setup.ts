/** What all processes of a test run share: one migrated database to copy. */
import { createPostgresTemplate } from './postgres.ts'
import { createSqliteTemplate } from './sqlite.ts'

let template: { drop(): Promise<void> } | undefined

export async function globalSetup(): Promise<void> {
  // The processes of the run load this file too.
  if (process.env.NODE_TEST_CONTEXT) return
  template = (await createPostgresTemplate()) ?? (await createSqliteTemplate())
}

export async function globalTeardown(): Promise<void> {
  await template?.drop()
}
