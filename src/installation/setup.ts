import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashSecret } from '../access/credentials/tokens.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config.ts'
import { CREATED } from '../jobs/sweep-blobs.ts'
import type { Database, Tx } from '../db/schema.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { appendAuditEvent, BY_SYSTEM } from '../model/audit/chain.ts'
import type { Signing } from '../model/audit/signing.ts'
import { recordFirstOrganization } from '../model/places/created-organizations.ts'
import { insertOrganization } from '../model/places/organization.ts'
import { insertAccountToken } from '../model/people/account.ts'
import { insertToken } from '../model/people/token.ts'
import type { Setup } from './setup-file.ts'

/** The data that the first start creates and prints once. */
export interface FirstStart {
  organization: { id: string; title: string; hostname: string }
  email: string
  /** The administrator's token; absent if LECTERN_ADMIN_TOKEN is set, or with a setup. */
  token: string | undefined
  /** The path of the page where the administrator sets a password; absent if LECTERN_ADMIN_TOKEN is set, or if a setup has one. */
  welcomePath: string | undefined
  /** Whether a setup has set a password. */
  hasPassword: boolean
}

/**
 * Refuses to set up a new installation where files are stored already: probably the database is missing, and the clean-up
 * of unused files would delete all of them. @throws ConfigError
 */
export async function refuseForeignFiles(db: Database, blobs: Blobs, config: Config): Promise<void> {
  if (config.keepFiles || (await db.read.selectFrom('user').select('id').limit(1).executeTakeFirst())) return
  for await (const { hash } of blobs.list()) {
    const place = config.s3 ? `the bucket "${config.s3.bucket}"` : join(config.data, 'blobs')
    throw new ConfigError([
      `The database is empty, but ${place} contains uploaded files (such as ${hash}). If the database is missing, restore it, or correct LECTERN_DATA and DATABASE_URL. For a new installation, use another place for the files, or set LECTERN_KEEP_FILES to true to leave these files where they are`,
    ])
  }
}

/**
 * When this installation was created. The clean-up of unused files leaves older files alone.
 * A database from before this was recorded is as old as its first user.
 */
async function recordCreation(tx: Tx, now: Date): Promise<void> {
  const first = await tx.selectFrom('user').select('createdAt').orderBy('id').limit(1).executeTakeFirst()
  await tx
    .insertInto('instance')
    .values({ name: CREATED, value: first?.createdAt ?? now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Creates the administrator and the first organization in an empty database. @returns undefined on later starts */
export async function setUp(
  db: Database,
  config: Config,
  signing: Signing,
  now: Date,
  newId: () => string,
): Promise<FirstStart | undefined> {
  return db.write((tx) => setUpIn(tx, config, signing, { now, newId }))
}

/** Does the same in a transaction. A setup names the organization and the administrator, and prints no token. */
export async function setUpIn(
  tx: Tx,
  config: Config,
  signing: Signing,
  { now, newId, setup }: { now: Date; newId: () => string; setup?: Setup },
): Promise<FirstStart | undefined> {
  await recordCreation(tx, now)
  if (await tx.selectFrom('user').select('id').limit(1).executeTakeFirst()) return undefined

  const email = setup?.administrator?.email ?? (config.adminEmail ?? 'admin@localhost').toLowerCase()
  const userId = newId()
  const at = now.toISOString()
  await tx
    .insertInto('user')
    .values({
      id: userId,
      displayName: setup?.administrator?.name ?? 'Administrator',
      email,
      photoUrl: null,
      createdAt: at,
      updatedAt: at,
    })
    .execute()
  const organization = await insertOrganization(tx, {
    id: newId(),
    title: setup?.organization?.title ?? 'Documentation',
    hostname: setup?.organization?.hostname ?? 'docs',
    userId,
    now,
  })
  await recordFirstOrganization(tx, organization.id)
  // Where a program sets the token, the output is probably kept in a log, which must have no secrets.
  const isPrinted = config.adminToken === undefined
  const { token } =
    setup && isPrinted
      ? { token: undefined }
      : await insertToken(tx, { id: newId(), userId, label: 'Administrator', now }, config.adminToken)
  const link = { userId, organizationId: null, mailed: false, now }
  const welcomePath =
    isPrinted && setup?.administrator?.password === undefined
      ? `/app/welcome#${await insertAccountToken(tx, { ...link, purpose: 'invitation' })}`
      : undefined
  await appendAuditEvent(tx, signing, organization.id, {
    ...BY_SYSTEM,
    occurredAt: at,
    action: 'instance.set-up',
    targetType: 'organization',
    targetId: organization.id,
    targetLabel: organization.title,
    payload: JSON.stringify({
      after: { title: organization.title, hostname: organization.hostname, email },
    }),
  })
  const hasPassword = setup?.administrator?.password !== undefined
  return { organization, email, token: isPrinted ? token : undefined, welcomePath, hasPassword }
}

/** The address of the server on this machine and a token for it, for the command line. */
export interface Local {
  /** The public URL. It may not resolve on this machine. */
  url: string
  /** The address at which the server listens; absent if an earlier version wrote the file. */
  address?: string
  token: string
}

/** Reads the file that `writeLocal` wrote; undefined if there is none. */
export function readLocal(data: string): Local | undefined {
  const file = join(data, 'local.json')
  if (!existsSync(file)) return undefined
  return JSON.parse(readFileSync(file, 'utf8')) as Local
}

/** Writes the addresses and a valid token to the data folder, with mode 0600, for the command line on this machine. */
export async function writeLocal(
  db: Database,
  { data }: Config,
  signing: Signing,
  { url, address }: Required<Pick<Local, 'url' | 'address'>>,
  now: Date,
  newId: () => string,
): Promise<void> {
  const local = readLocal(data)
  const token =
    local && (await isToken(db, local.token)) ? local.token : await localToken(db, signing, now, newId)
  if (!token || (local?.token === token && local.url === url && local.address === address)) return
  writePrivately(join(data, 'local.json'), `${JSON.stringify({ url, address, token }, null, 2)}\n`)
}

async function isToken(db: Database, token: string): Promise<boolean> {
  const row = await db.read
    .selectFrom('token')
    .select('id')
    .where('hash', '=', hashSecret(token))
    .executeTakeFirst()
  return row !== undefined
}

async function localToken(
  db: Database,
  signing: Signing,
  now: Date,
  newId: () => string,
): Promise<string | undefined> {
  return db.write(async (tx) => {
    const administrator = await tx
      .selectFrom('member')
      .select(['userId', 'organizationId'])
      .where('role', '=', 'admin')
      .where('disabled', '=', 0)
      .orderBy('userId')
      .executeTakeFirst()
    if (!administrator) return undefined
    const { userId, organizationId } = administrator
    const label = 'Command line on the server'
    const { row, token } = await insertToken(tx, { id: newId(), userId, label, now })
    await appendAuditEvent(tx, signing, organizationId, {
      ...BY_SYSTEM,
      occurredAt: row.createdAt,
      action: 'user.token.create',
      targetType: 'token',
      targetId: row.id,
      targetLabel: label,
      payload: JSON.stringify({ after: { user: userId, readOnly: false } }),
    })
    return token
  })
}

/** Writes a file that only the user of the server can read. */
export function writePrivately(file: string, content: string): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(file, content, { mode: 0o600 })
  chmodSync(file, 0o600)
}
