import { hashPassword } from '../access/credentials/passwords.ts'
import type { Database } from '../db/schema.ts'
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
  const password = setup.administrator?.password
  const passwordHash = password === undefined ? undefined : await hashPassword(password, { ip: '127.0.0.1' })
  const keys = await keysOfProviders(db.read, setup.signIn ?? [], now)
  return db.write(async (tx) => ({
    first: await setUpIn(tx, config, signing, { now, newId, setup }),
    changes: await applySetup(tx, setup, { signing, now, newId, passwordHash, keys }),
  }))
}
