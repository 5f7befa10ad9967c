import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database, Schema } from '../../src/db/schema.ts'

/** Every table, checked by the compiler. Columns that change by themselves are omitted. */
const TABLES: Record<keyof Schema, (row: Record<string, unknown>) => unknown> = {
  instance: all,
  user: all,
  userSettings: all,
  organization: all,
  member: all,
  roleLimit: all,
  // Any request may update the time of the last use.
  token: (row) => ({ ...row, lastUsedAt: null }),
  session: (row) => ({ ...row, lastUsedAt: null }),
  secondFactor: all,
  recoveryCode: all,
  passkey: all,
  signInStep: all,
  tokenAuthorization: all,
  scimToken: (row) => ({ ...row, lastUsedAt: null }),
  scimUser: all,
  scimGroup: all,
  space: all,
  spaceSource: all,
  repositoryConnection: all,
  repositorySync: all,
  collection: all,
  team: all,
  teamMember: all,
  grant: all,
  invite: all,
  sentEmail: all,
  account: all,
  accountToken: all,
  customField: all,
  customFieldValue: all,
  favourite: all,
  translationSettings: all,
  glossaryEntry: all,
  pageTemplate: all,
  openapiSpec: all,
  openapiVersion: all,
  openapiPart: all,
  auditEvent: all,
  auditChain: all,
  eventLine: all,
  spaceEvent: all,
  presence: all,
  runningImport: all,
  // The server writes them by itself.
  runningCopy: () => null,
  failedSignIn: () => null,
  answeredRequest: all,
  // Any request may be counted.
  sharedCount: () => null,
  notification: all,
  notificationSettings: all,
  // The server writes them when a space is cloned.
  commitNames: () => null,
  // A push over git writes them.
  pushedCommit: () => null,
  revision: all,
  changeRequest: all,
  mergeConflict: all,
  review: all,
  requestedReviewer: all,
  reviewDraft: all,
  comment: all,
  commentReply: all,
  reaction: all,
  node: all,
  document: all,
  contentImport: all,
  importedDocument: all,
  replacedRevision: all,
  replacedPage: all,
  burstContent: all,
  spaceBlob: all,
  upload: all,
  site: all,
  siteSpace: all,
  siteSectionGroup: all,
  siteExternalLink: all,
  siteSection: all,
  siteShareLink: all,
  siteMcpServer: all,
  sitePublishingAuth: all,
  siteAdaptiveSchema: all,
  siteCustomization: all,
  font: all,
  fontFile: all,
  siteOldPath: all,
  siteOldBasename: all,
  siteRedirect: all,
  customHostname: all,
  // Events are written together a while after their requests, which their own tests look at.
  insightEvent: () => undefined,
  insightSalt: () => undefined,
  job: all,
  searchIndex: all,
  searchEntry: all,
  searchWord: all,
  searchTask: all,
  searchSpec: all,
  externalLink: all,
  externalLinkScan: all,
  identityProvider: all,
  identity: all,
  signInRequest: all,
  usedAssertion: all,
}

/** The columns to read of a large table: the hash of an event covers its other columns. */
const COLUMNS: Partial<Record<keyof Schema, string[]>> = {
  auditEvent: ['organizationId', 'sequence', 'hash'],
}

function all(row: Record<string, unknown>): unknown {
  return row
}

let last: { version: string; rows: string[] } | undefined

/** Every row of the database as comparable lines. They are cached until the next write. */
export async function rowsOf(db: Database): Promise<string[]> {
  const reader = db.read as Kysely<Schema>
  const version = await versionOf(db.dialect, reader)
  if (last?.version === version) return last.rows
  const tables = await Promise.all(
    Object.entries(TABLES).map(async ([table, shown]) => {
      const columns = COLUMNS[table as keyof Schema]
      const selected = columns ? sql.join(columns.map((column) => sql.ref(column))) : sql`*`
      const { rows } = await sql<
        Record<string, unknown>
      >`select ${selected} from ${sql.table(table)}`.execute(reader)
      return rows.flatMap((row) => {
        const one = shown(row)
        return one === undefined ? [] : [`${table} ${JSON.stringify(one)}`]
      })
    }),
  )
  last = { version, rows: tables.flat().toSorted() }
  return last.rows
}

/** Changes with each committed write to this database. */
async function versionOf(dialect: Database['dialect'], reader: Kysely<Schema>): Promise<string> {
  const query =
    dialect === 'sqlite'
      ? sql<{ version: string }>`select data_version as version from pragma_data_version`
      : postgresVersion()
  const { rows } = await query.execute(reader)
  return rows.map(({ version }) => version).join(' ')
}

/**
 * For each table, the number of its rows and the last transaction that wrote one. What PostgreSQL itself knows about
 * transactions counts those of all its databases, which other tests write.
 */
function postgresVersion(): RawBuilder<{ version: string }> {
  const tables = Object.keys(TABLES).map(
    (table) =>
      sql`select count(*) || ':' || coalesce(max(xmin::text::bigint), 0) as version from ${sql.table(table)}`,
  )
  return sql`${sql.join(tables, sql` union all `)}`
}

/** The rows that are in only one of the two. */
export function changes(before: string[], after: string[]): string[] {
  if (before === after) return []
  const [was, is] = [new Set(before), new Set(after)]
  return [
    ...before.filter((row) => !is.has(row)).map((row) => `- ${row}`),
    ...after.filter((row) => !was.has(row)).map((row) => `+ ${row}`),
  ]
}
