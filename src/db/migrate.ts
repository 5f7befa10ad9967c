import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
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
}

/** Migrates the schema to the current version. On PostgreSQL, an advisory lock admits one process at a time. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
