import { type RawBuilder, sql } from 'kysely'
import { sealedBy, SEALED_PREFIX_LENGTH, sealedPrefix } from '../access/credentials/sealing.ts'
import type { Keyring } from '../access/credentials/keyring.ts'
import type { Database, Reader, Schema, Tx } from '../db/schema.ts'
import { answeredRequestPurpose } from '../model/people/answered-requests.ts'
import { secondFactorPurpose } from '../model/people/second-factor.ts'
import { providerSecretPurpose } from '../model/membership/provider-changes.ts'
import { repositoryPurpose, webhookPurpose } from '../model/proposals/repository-connection.ts'
import { visitorKeyPurpose } from '../model/sites/publishing-auth.ts'
import { mcpHeadersPurpose } from '../model/sites/mcp/mcp-server.ts'
import { outdatePages } from '../model/sites/site.ts'
import { shareKeyPurpose } from '../model/sites/share-link.ts'
import { signInRequestPurpose } from '../sso/sign-in-requests.ts'
import { signAgain } from './urls.ts'

/** The rows that one transaction changes, so that servers wait only for a moment. */
const ROWS_AT_ONCE = 100

interface StoredColumn {
  table: keyof Schema
  /** The columns that name a row. */
  keys: [string, ...string[]]
  column: string
  /** Runs in the transaction that changes a value, with the values of its `keys`, joined by spaces. */
  onChange?: (tx: Tx, key: string) => Promise<void>
}

/** A column with values of `sealing.seal`, or null. */
export interface SealedColumn extends StoredColumn {
  /** The `of` with which the value of a row was sealed, from the values of its `keys`, joined by spaces. */
  purpose(key: string): string
}

/** Every column with sealed values. A rotation of the secret seals them again; a value of another column would be lost. */
export const SEALED_COLUMNS: SealedColumn[] = [
  { table: 'siteShareLink', keys: ['id'], column: 'sealedKey', purpose: shareKeyPurpose },
  {
    table: 'identityProvider',
    keys: ['id'],
    column: 'sealedSecret',
    purpose: providerSecretPurpose,
  },
  {
    table: 'signInRequest',
    keys: ['id'],
    column: 'sealedSecrets',
    purpose: signInRequestPurpose,
  },
  { table: 'siteMcpServer', keys: ['id'], column: 'sealedHeaders', purpose: mcpHeadersPurpose },
  { table: 'sitePublishingAuth', keys: ['siteId'], column: 'sealedKey', purpose: visitorKeyPurpose },
  {
    table: 'answeredRequest',
    keys: ['userId', 'keyHash'],
    column: 'sealedAnswer',
    purpose: answeredRequestPurpose,
  },
  {
    table: 'repositoryConnection',
    keys: ['spaceId'],
    column: 'sealedAuthorization',
    purpose: repositoryPurpose,
  },
  {
    table: 'repositoryConnection',
    keys: ['spaceId'],
    column: 'sealedWebhookSecret',
    purpose: webhookPurpose,
  },
  { table: 'secondFactor', keys: ['userId'], column: 'sealedSeed', purpose: secondFactorPurpose },
]

/** Every column that may contain signed addresses of files which the server has to recognize again. */
const SIGNED_COLUMNS: StoredColumn[] = [
  {
    table: 'siteCustomization',
    keys: ['siteId', 'siteSpaceId'],
    column: 'settings',
    // Running servers cache the settings, with addresses that they would not recognize after the rotation.
    onChange: (tx, key) => outdatePages(tx, key.split(' ')[0]!),
  },
  { table: 'organization', keys: ['id'], column: 'logo' },
  { table: 'user', keys: ['id'], column: 'photoUrl' },
]

/** The result of sealing the stored values again. */
export interface Resealed {
  /** How many values were sealed with the current secret. */
  count: number
  /** Where there are values that no known secret opens, such as `siteShareLink abc`. */
  unopened: string[]
}

/**
 * Seals every stored value with the current secret that is not yet. It can be interrupted at any time, and run again;
 * servers may read and write meanwhile.
 */
export async function sealAgain(db: Database, keyring: Keyring): Promise<Resealed> {
  const sealing = sealedBy(keyring)
  const all: Resealed = { count: 0, unopened: [] }
  for (const column of SEALED_COLUMNS) {
    const due = sql<boolean>`${isSealedOtherwise(column, sealedPrefix(keyring))}`
    const { count, skipped } = await changeColumn(db, column, due, (sealed, key) => {
      const of = column.purpose(key)
      const text = sealing.open(sealed, of)
      return text === undefined ? undefined : sealing.seal(text, of)
    })
    all.count += count
    for (const key of skipped) all.unopened.push(`${column.table} ${key}`)
  }
  return all
}

/** Signs stored addresses of files with the new secret. */
export async function signColumnsAgain(db: Database, from: string, to: string): Promise<number> {
  let sum = 0
  for (const column of SIGNED_COLUMNS) {
    const due = sql<boolean>`${sql.ref(column.column)} like '%?signature=%'`
    const { count } = await changeColumn(db, column, due, (text) => signAgain(text, from, to))
    sum += count
  }
  return sum
}

/** The first column with a value that another secret than the current one sealed. */
export async function columnSealedOtherwise(db: Reader, keyring: Keyring): Promise<SealedColumn | undefined> {
  const prefix = sealedPrefix(keyring)
  for (const column of SEALED_COLUMNS) {
    const row = await db
      .selectFrom(column.table)
      .select(sql`1`.as('one'))
      .where(isSealedOtherwise(column, prefix))
      .limit(1)
      .executeTakeFirst()
    if (row) return column
  }
  return undefined
}

function isSealedOtherwise({ column }: SealedColumn, prefix: string): RawBuilder<boolean> {
  const name = sql.ref(column)
  return sql`${name} is not null and substr(${name}, 1, ${sql.lit(SEALED_PREFIX_LENGTH)}) <> ${prefix}`
}

/**
 * Changes the values of a column in small transactions. A value that a server has changed meanwhile stays as it is.
 * @param change returns undefined to skip a value
 */
async function changeColumn(
  db: Database,
  { table, keys, column, onChange }: StoredColumn,
  due: RawBuilder<boolean>,
  change: (value: string, key: string) => string | undefined,
): Promise<{ count: number; skipped: string[] }> {
  const name = sql.ref(column)
  const key = sql<string>`${sql.join(
    keys.map((one) => sql.ref(one)),
    sql` || ' ' || `,
  )}`
  let [after, count] = ['', 0]
  const skipped: string[] = []
  for (;;) {
    const batch = await db.write(async (tx) => {
      const { rows } = await sql<{ key: string; value: string }>`
        select ${key} as "key", ${name} as "value" from ${sql.table(table)}
        where ${due} and ${key} > ${after} order by ${key} limit ${sql.lit(ROWS_AT_ONCE)}`.execute(tx)
      const done = { changed: 0, skipped: [] as string[], last: rows.at(-1)?.key }
      for (const row of rows) {
        const value = change(row.value, row.key)
        if (value === undefined) done.skipped.push(row.key)
        if (value === undefined || value === row.value) continue
        await sql`update ${sql.table(table)} set ${name} = ${value} where ${key} = ${row.key}`.execute(tx)
        await onChange?.(tx, row.key)
        done.changed++
      }
      return done
    })
    count += batch.changed
    for (const one of batch.skipped) skipped.push(one)
    if (batch.last === undefined) return { count, skipped }
    after = batch.last
  }
}
