import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Schema } from './schema.ts'
import * as foundation from './migrations/001-foundation.ts'
import * as people from './migrations/002-people.ts'
import * as change from './migrations/003-change.ts'

/** Every migration, oldest first. Forward only; a released one never changes. */
const MIGRATIONS: Record<string, Migration> = {
  '001-foundation': foundation,
  '002-people': people,
  '003-change': change,
}

/** Brings the schema up to date; on PostgreSQL one process at a time, under an advisory lock. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
