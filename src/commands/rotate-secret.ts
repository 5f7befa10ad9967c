import { setTimeout as wait } from 'node:timers/promises'
import { sealedBy } from '../access/credentials/sealing.ts'
import { type Config, readConfig } from '../installation/config.ts'
import { openDatabase } from '../db/open.ts'
import type { Database, Tx } from '../db/schema.ts'
import { appendAuditEvent, BY_SYSTEM, INSTANCE_LOG } from '../model/audit/chain.ts'
import { areLogsSignedOtherwise, type Signing, signLogsAgain } from '../model/audit/signing.ts'
import { storeDerivedKeys } from '../model/sites/publishing-auth.ts'
import { columnSealedOtherwise, sealAgain, signColumnsAgain } from '../installation/sealed-columns.ts'
import {
  announceRotation,
  beginRotation,
  endRotation,
  type LiveKeyring,
  newSecret,
  openKeyring,
  type OpenRotation,
  replaceSecret,
} from '../installation/secrets.ts'
import { UsageError } from './usage.ts'
import { printError, printLines } from './print.ts'

/** Three times as long as a running server takes to notice a change. */
const NOTICED_AFTER_MS = 3000
const SITES_AT_ONCE = 100

/** Replaces the secret of the installation while servers run, or forgets the earlier one. */
export async function rotateSecretCommand(
  rest: string[],
  { finish = false }: { finish?: boolean | undefined },
): Promise<void> {
  if (rest.length > 0) throw new UsageError('The command takes no names: lectern rotate-secret [--finish]')
  const config = readConfig(process.env)
  const db = await openDatabase(config)
  try {
    const keyring = await openKeyring(db, config)
    await (finish ? finishRotation(db, config, keyring) : rotate(db, config, keyring))
  } finally {
    await db.close()
  }
}

/** Each step is repeated by the next call of the command if this one is interrupted. */
async function rotate(db: Database, config: Config, keyring: LiveKeyring): Promise<void> {
  const announced = await announce(db, config, keyring)
  if (announced.phase === 'announced') {
    printLines('The new secret is announced to the running servers.')
    await wait(NOTICED_AFTER_MS)
    await begin(db, keyring)
  }
  // Also if another run began it, perhaps a moment ago: servers that have not noticed still seal with the earlier secret.
  await wait(NOTICED_AFTER_MS)
  if (config.secret === undefined) replaceSecret(config.data, announced.to)

  const sealed = await sealAll(db, keyring)
  const signed = await signColumnsAgain(db, announced.from, announced.to)
  const { count, unsigned } = await signLogsAgain(db, sealedBy(keyring))
  printLines(
    `${sealed} stored secrets are sealed, and ${signed} stored addresses and the ends of ${count} audit logs signed, with the new secret.`,
  )
  if (unsigned.length > 0)
    printError(
      `The ends of ${unsigned.length} audit logs, such as that of ${unsigned[0]}, were not signed with the earlier secret. Run "lectern audit verify"`,
    )
  if (config.secret === undefined) {
    printLines(
      ...'The file "secret" has the new secret. What the earlier one signed stays valid until you run\n\n  lectern rotate-secret --finish'.split(
        '\n',
      ),
    )
    return
  }
  printLines(
    ...'Set LECTERN_SECRET to the new secret for each copy of the server, and restart the copies one by one. Then run, with the new LECTERN_SECRET,\n\n  lectern rotate-secret --finish'.split(
      '\n',
    ),
  )
}

/** Announces the new secret, unless that was done. @throws UsageError if no new secret is given, or another one */
async function announce(db: Database, config: Config, keyring: LiveKeyring): Promise<OpenRotation> {
  const [current] = keyring.secrets()
  if (!keyring.rotation()) {
    const to = config.newSecret ?? (config.secret === undefined ? newSecret() : undefined)
    if (to === undefined)
      throw new UsageError(
        'Set LECTERN_NEW_SECRET to the new secret, of at least 32 characters, because LECTERN_SECRET has the current one',
      )
    if (to === current) throw new UsageError('LECTERN_NEW_SECRET must differ from the current secret')
    await db.write((tx) => announceRotation(tx, current, to, new Date()))
    await keyring.reload()
  }

  const rotation = keyring.rotation()
  if (!rotation) throw new UsageError('Another process has just finished this rotation')
  if (config.newSecret !== undefined && config.newSecret !== rotation.to)
    throw new UsageError(
      'A rotation to another secret is under way. Run "lectern rotate-secret" without LECTERN_NEW_SECRET to continue it, and "lectern rotate-secret --finish" to end it',
    )
  return rotation
}

/** Lets the new secret seal and sign. What sites derived from the earlier one is stored before that. */
async function begin(db: Database, keyring: LiveKeyring): Promise<void> {
  const sealing = sealedBy(keyring)
  const store = (tx: Tx, most: number) => storeDerivedKeys(tx, sealing, new Date(), most)
  while ((await db.write((tx) => store(tx, SITES_AT_ONCE))) === SITES_AT_ONCE);

  await db.write(async (tx) => {
    if (!(await beginRotation(tx))) return
    while ((await store(tx, SITES_AT_ONCE)) > 0);
    await record(tx, sealing, 'instance.secret.rotate')
  })
  await keyring.reload()
}

/** @throws UsageError if there is a value that no secret opens */
async function sealAll(db: Database, keyring: LiveKeyring): Promise<number> {
  const { count, unopened } = await sealAgain(db, keyring)
  if (unopened.length === 0) return count
  const [first] = unopened
  throw new UsageError(
    `${unopened.length} stored secrets were sealed with an unknown secret, such as that of ${first}. Delete or renew what they belong to, and run the command again. Until then, the earlier secret is kept`,
  )
}

async function finishRotation(db: Database, config: Config, keyring: LiveKeyring): Promise<void> {
  const rotation = keyring.rotation()
  if (!rotation) throw new UsageError('No rotation is under way; begin one with "lectern rotate-secret"')
  if (rotation.phase === 'announced')
    throw new UsageError('The rotation is incomplete; run "lectern rotate-secret" again to complete it')
  if (config.secret === rotation.from)
    throw new UsageError(
      'LECTERN_SECRET is the earlier secret. Set it to the new one for each copy of the server, restart the copies, and run this command with it too',
    )
  if (config.secret === undefined) replaceSecret(config.data, rotation.to)

  let isDone = false
  while (!isDone) {
    await sealAll(db, keyring)
    await signColumnsAgain(db, rotation.from, rotation.to)
    await signLogsAgain(db, sealedBy(keyring))
    isDone = await db.write(async (tx) => {
      if (await columnSealedOtherwise(tx, keyring)) return false
      if (await areLogsSignedOtherwise(tx, sealedBy(keyring))) return false
      if (await endRotation(tx)) await record(tx, sealedBy(keyring), 'instance.secret.forget')
      return true
    })
  }
  printLines('The earlier secret is forgotten.')
}

async function record(tx: Tx, signing: Signing, action: string): Promise<void> {
  await appendAuditEvent(tx, signing, INSTANCE_LOG, {
    ...BY_SYSTEM,
    occurredAt: new Date().toISOString(),
    action,
    targetType: 'instance',
    targetId: INSTANCE_LOG,
    targetLabel: null,
    payload: '{}',
  })
}
