import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { VERSION } from '../core/runtime/version.ts'
import { SchemaError } from './errors.ts'
import type { Schema } from './schema.ts'
import * as foundation from './migrations/001-foundation.ts'
import * as people from './migrations/002-people.ts'
import * as change from './migrations/003-change.ts'
import * as sites from './migrations/004-sites.ts'
import * as search from './migrations/005-search.ts'
import * as links from './migrations/006-links.ts'
import * as sessions from './migrations/007-sessions.ts'
import * as sso from './migrations/008-sso.ts'
import * as scim from './migrations/009-scim.ts'
import * as openapi from './migrations/010-openapi.ts'
import * as spaceSource from './migrations/011-space-source.ts'
import * as computedSearch from './migrations/012-computed-search.ts'
import * as reviewing from './migrations/013-reviewing.ts'
import * as events from './migrations/014-events.ts'
import * as userSettings from './migrations/015-user-settings.ts'
import * as bursts from './migrations/016-bursts.ts'
import * as anchors from './migrations/017-anchors.ts'
import * as reopening from './migrations/018-reopening.ts'
import * as createdBy from './migrations/019-created-by.ts'
import * as causes from './migrations/020-causes.ts'
import * as tokenAuthorizations from './migrations/021-token-authorizations.ts'
import * as jobParties from './migrations/022-job-parties.ts'
import * as copies from './migrations/023-copies.ts'
import * as signedLogs from './migrations/024-signed-logs.ts'
import * as steering from './migrations/025-steering.ts'
import * as lostLeases from './migrations/026-lost-leases.ts'
import * as pageLanguages from './migrations/027-page-languages.ts'
import * as jobCauses from './migrations/028-job-causes.ts'
import * as languageTags from './migrations/029-language-tags.ts'
import * as answeredRequests from './migrations/030-answered-requests.ts'
import * as draftsOfSites from './migrations/031-drafts-of-sites.ts'
import * as singleLogout from './migrations/032-single-logout.ts'
import * as externalLinks from './migrations/033-external-links.ts'
import * as siteLevels from './migrations/034-site-levels.ts'
import * as fonts from './migrations/035-fonts.ts'
import * as siteMcpServers from './migrations/036-site-mcp-servers.ts'
import * as commitNames from './migrations/037-commit-names.ts'
import * as glossary from './migrations/038-glossary.ts'
import * as favourites from './migrations/039-favourites.ts'
import * as firstSteps from './migrations/040-first-steps.ts'
import * as pushedCommits from './migrations/041-pushed-commits.ts'
import * as repositoryConnections from './migrations/042-repository-connections.ts'
import * as sectionIds from './migrations/043-section-ids.ts'
import * as pageTemplates from './migrations/044-page-templates.ts'
import * as repositoryWebhooks from './migrations/045-repository-webhooks.ts'
import * as syncNotices from './migrations/046-sync-notices.ts'

/** Every migration, oldest first. There are no down migrations, and a released migration never changes. */
const MIGRATIONS: Record<string, Migration> = {
  '001-foundation': foundation,
  '002-people': people,
  '003-change': change,
  '004-sites': sites,
  '005-search': search,
  '006-links': links,
  '007-sessions': sessions,
  '008-sso': sso,
  '009-scim': scim,
  '010-openapi': openapi,
  '011-space-source': spaceSource,
  '012-computed-search': computedSearch,
  '013-reviewing': reviewing,
  '014-events': events,
  '015-user-settings': userSettings,
  '016-bursts': bursts,
  '017-anchors': anchors,
  '018-reopening': reopening,
  '019-created-by': createdBy,
  '020-causes': causes,
  '021-token-authorizations': tokenAuthorizations,
  '022-job-parties': jobParties,
  '023-copies': copies,
  '024-signed-logs': signedLogs,
  '025-steering': steering,
  '026-lost-leases': lostLeases,
  '027-page-languages': pageLanguages,
  '028-job-causes': jobCauses,
  '029-language-tags': languageTags,
  '030-answered-requests': answeredRequests,
  '031-drafts-of-sites': draftsOfSites,
  '032-single-logout': singleLogout,
  '033-external-links': externalLinks,
  '034-site-levels': siteLevels,
  '035-fonts': fonts,
  '036-site-mcp-servers': siteMcpServers,
  '037-commit-names': commitNames,
  '038-glossary': glossary,
  '039-favourites': favourites,
  '040-first-steps': firstSteps,
  '041-pushed-commits': pushedCommits,
  '042-repository-connections': repositoryConnections,
  '043-section-ids': sectionIds,
  '044-page-templates': pageTemplates,
  '045-repository-webhooks': repositoryWebhooks,
  '046-sync-notices': syncNotices,
}

/** The name of the row of `instance` with the version that ran the newest migration. */
const MIGRATED_BY = 'migratedBy'

/** The migrations that a database records, compared with those of this version. */
export interface MigrationState {
  /** The migrations of this version that the database lacks. */
  pending: string[]
  /** The migrations that the database has and this version does not know. */
  unknown: string[]
  /** The version that ran the newest migration; undefined if the database does not record it. */
  migratedBy: string | undefined
}

/** Reads which migrations a database records. A new database records none. */
export async function readMigrationState(db: Kysely<Schema>): Promise<MigrationState> {
  const known = Object.keys(MIGRATIONS)
  const found = await sql<{ name: string | null }>`${
    db.getExecutor().adapter instanceof PostgresAdapter
      ? sql`select relname as "name" from pg_class where relnamespace = current_schema()::regnamespace`
      : sql`select "name" from sqlite_schema`
  }`.execute(db)
  const has = (table: string) => found.rows.some(({ name }) => name === table)
  if (!has('kysely_migration')) return { pending: known, unknown: [], migratedBy: undefined }
  const { rows } = await sql<{ name: string }>`select "name" from "kysely_migration"`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  const row = has('instance')
    ? await db.selectFrom('instance').select('value').where('name', '=', MIGRATED_BY).executeTakeFirst()
    : undefined
  return {
    pending: known.filter((name) => !done.has(name)),
    unknown: [...done].filter((name) => !(name in MIGRATIONS)).toSorted(),
    migratedBy: row?.value,
  }
}

/** Why this version cannot migrate a database, and what to do; undefined if it can. */
export function migrationFault({ pending, unknown, migratedBy }: MigrationState): string | undefined {
  const [first] = unknown
  if (first !== undefined) {
    const other =
      migratedBy === undefined || migratedBy === VERSION
        ? 'another version of Lectern'
        : `Lectern ${migratedBy}`
    return `The database was migrated by ${other}: it has the migration "${first}", which this version (${VERSION}) does not know. Start the version that migrated it, or a later one, or restore a backup from before that update`
  }
  const newest = Object.keys(MIGRATIONS).findLast((name) => !pending.includes(name))
  const skipped = pending.find((name) => newest !== undefined && name < newest)
  if (skipped === undefined) return undefined
  return `The database has the migration "${newest}" but not the earlier "${skipped}". A development version of Lectern made it; use a new database, or restore a backup from before "${newest}"`
}

/**
 * Migrates the schema to the current version. On PostgreSQL, an advisory lock admits one process at a time.
 * @throws SchemaError if a newer version has migrated it
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const state = await readMigrationState(db)
  const fault = migrationFault(state)
  if (fault !== undefined) throw new SchemaError(fault)
  if (state.pending.length === 0) return
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  await db
    .insertInto('instance')
    .values({ name: MIGRATED_BY, value: VERSION })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: VERSION }))
    .execute()
}
