import type { Database, Schema } from '../../src/db/schema.ts'

/** Every table; the compiler says so when one is missing. What changes by itself is left out. */
const TABLES: Record<keyof Schema, (row: Record<string, unknown>) => unknown> = {
  instance: all,
  user: all,
  organization: all,
  member: all,
  roleLimit: all,
  // When it was last used is written now and then, by any request.
  token: (row) => ({ ...row, lastUsedAt: null }),
  space: all,
  collection: all,
  team: all,
  teamMember: all,
  grant: all,
  invite: all,
  invitationLetter: all,
  account: all,
  accountToken: all,
  customField: all,
  customFieldValue: all,
  translationSettings: all,
  auditEvent: all,
  auditChain: all,
  revision: all,
  changeRequest: all,
  mergeConflict: all,
  review: all,
  requestedReviewer: all,
  comment: all,
  commentReply: all,
  reaction: all,
  node: all,
  document: all,
  spaceBlob: all,
  upload: all,
  site: all,
  siteSpace: all,
  job: all,
}

function all(row: Record<string, unknown>): unknown {
  return row
}

/** Every row of the database, as lines that can be compared. */
export async function rowsOf(db: Database): Promise<string[]> {
  const tables = await Promise.all(
    Object.entries(TABLES).map(async ([table, shown]) => {
      const rows = await db.read
        .selectFrom(table as keyof Schema)
        .selectAll()
        .execute()
      return rows.map((row) => `${table} ${JSON.stringify(shown(row))}`)
    }),
  )
  return tables.flat().toSorted()
}

/** The rows that one has and the other has not. */
export function changes(before: string[], after: string[]): string[] {
  const [was, is] = [new Set(before), new Set(after)]
  return [
    ...before.filter((row) => !is.has(row)).map((row) => `- ${row}`),
    ...after.filter((row) => !was.has(row)).map((row) => `+ ${row}`),
  ]
}
