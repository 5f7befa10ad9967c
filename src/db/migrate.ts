import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Schema } from './schema.ts'
import * as foundation from './migrations/001-foundation.ts'
import * as people from './migrations/002-people.ts'
import * as change from './migrations/003-change.ts'

/** Every migration, oldest first. There are no down migrations, and a released migration never changes. */
const MIGRATIONS: Record<string, Migration> = {
  '001-foundation': foundation,
  '002-people': people,
  '003-change': change,
}

/** Migrates the schema to the current version. On PostgreSQL, an advisory lock admits one process at a time. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
