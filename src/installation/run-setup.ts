import { hashPassword } from '../access/credentials/passwords.ts'
import type { Database, Reader } from '../db/schema.ts'
import type { Sealing } from '../http/route.ts'
import type { Signing } from '../model/audit/signing.ts'
import { keysOfProviders } from './apply-provider.ts'
import { applySetup } from './apply-setup.ts'
import type { Config } from './config.ts'
import { type FirstStart, setUpIn } from './setup.ts'
import type { Setup } from './setup-file.ts'

/** What a setup did. */
export interface SetupResult {
  /** What the first start created; undefined on later ones. */
  first: FirstStart | undefined
  /** A line for each other change. */
  changes: string[]
}

/** Creates an installation if the database is empty, and makes it what a setup declares, in one transaction. */
export async function runSetup(
  db: Database,
  config: Config,
  signing: Signing & Sealing,
  { setup, now, newId }: { setup: Setup; now: Date; newId: () => string },
): Promise<SetupResult> {
  const passwordHash = await missingPassword(db.read, setup)
  const keys = await keysOfProviders(db.read, setup.signIn ?? [], now)
  return db.write(async (tx) => ({
    first: await setUpIn(tx, config, signing, { now, newId, setup }),
    changes: await applySetup(tx, setup, { signing, now, newId, passwordHash, keys }),
  }))
}

/** The hash of the administrator's password; undefined if there is no password to set, because hashing takes long. */
async function missingPassword(db: Reader, { administrator }: Setup): Promise<string | undefined> {
  if (administrator?.password === undefined) return undefined
  const account = await db
    .selectFrom('account')
    .innerJoin('user', 'user.id', 'account.userId')
    .select('account.passwordHash')
    .where('user.email', '=', administrator.email)
    .executeTakeFirst()
  return account?.passwordHash ? undefined : hashPassword(administrator.password, { ip: '127.0.0.1' })
}
