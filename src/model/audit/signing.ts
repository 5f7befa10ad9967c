import { createHmac } from 'node:crypto'
import type { Database, Reader, Row, Tx } from '../../db/schema.ts'
import type { Sealing } from '../../http/route.ts'

/** The keys that sign the ends of logs. They are derived from the secret of the installation. */
export type Signing = Pick<Sealing, 'deriveAll' | 'deriveAllIn'>

type End = Omit<Row<'auditChain'>, 'signature'>

const PURPOSE = 'audit log'
const ENDS_AT_ONCE = 100
/** The name in the table `instance` of the time since when the logs are signed. */
const SIGNED_SINCE = 'audit-signed-since'

const signedText = ({ organizationId, sequence, hash }: End) =>
  JSON.stringify(['end', organizationId, sequence, hash])
const textOfSince = (at: string) => JSON.stringify(['since', at])

const sign = (key: string | undefined, text: string) =>
  createHmac('sha256', key ?? '')
    .update(text)
    .digest('base64url')

/**
 * The keys at the time of a transaction, and whether one of them signed a text. If it was not the current key, another
 * process may have begun a rotation that this one has not noticed, so this reads the secrets in the transaction.
 */
async function check(db: Reader, signing: Signing, text: string, signature: string) {
  let keys = signing.deriveAll(PURPOSE)
  if (sign(keys[0], text) !== signature) keys = await signing.deriveAllIn(db, PURPOSE)
  return { key: keys[0], isSigned: keys.some((key) => sign(key, text) === signature) }
}

/** Whether this installation signed the end of a log. */
export async function isEndSigned(
  db: Reader,
  signing: Signing,
  { signature, ...end }: Row<'auditChain'>,
): Promise<boolean> {
  return (await check(db, signing, signedText(end), signature)).isSigned
}

/** Signs the first end of a log. */
export function signFirstEnd(signing: Signing, end: End): string {
  return sign(signing.deriveAll(PURPOSE)[0], signedText(end))
}

/**
 * Signs the end of a log after another entry. If the end before was not signed, neither is the next one, so that somebody
 * who removed entries is not covered up for by the next change.
 */
export async function signNextEnd(
  tx: Tx,
  signing: Signing,
  { signature, ...before }: Row<'auditChain'>,
  end: End,
): Promise<string> {
  const { key, isSigned } = await check(tx, signing, signedText(before), signature)
  return isSigned ? sign(key, signedText(end)) : signature
}

/** Since when the logs are signed, as an instant; undefined if they are not, or if the stored time was changed. */
export async function signedSince(db: Reader, signing: Signing): Promise<string | undefined> {
  const [at = '', signature = ''] = (await storedSince(db))?.split(' ') ?? []
  return (await check(db, signing, textOfSince(at), signature)).isSigned ? at : undefined
}

async function storedSince(db: Reader): Promise<string | undefined> {
  const row = await db
    .selectFrom('instance')
    .select('value')
    .where('name', '=', SIGNED_SINCE)
    .executeTakeFirst()
  return row?.value
}

/**
 * Signs the ends of all logs, if that was never done: in a new database, or in one of an earlier version.
 * @param record runs in the transaction that completes it
 * @returns whether this process completed it
 */
export async function signLogs(
  db: Database,
  signing: Signing,
  now: Date,
  record: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  if ((await storedSince(db.read)) !== undefined) return false
  const signSome = (tx: Tx) => signUnsigned(tx, signing)
  while ((await db.write(signSome)) === ENDS_AT_ONCE);

  return db.write(async (tx) => {
    if ((await storedSince(tx)) !== undefined) return false
    while ((await signSome(tx)) > 0);
    const at = now.toISOString()
    const value = `${at} ${sign(signing.deriveAll(PURPOSE)[0], textOfSince(at))}`
    await tx.insertInto('instance').values({ name: SIGNED_SINCE, value }).execute()
    await record(tx)
    return true
  })
}

/** Signs the ends of some logs of an earlier version. @returns how many */
async function signUnsigned(tx: Tx, signing: Signing): Promise<number> {
  if ((await storedSince(tx)) !== undefined) return 0
  const ends = await tx
    .selectFrom('auditChain')
    .selectAll()
    .where('signature', '=', '')
    .limit(ENDS_AT_ONCE)
    .execute()
  for (const { signature: _, ...end } of ends) await setSignature(tx, end, signFirstEnd(signing, end))
  return ends.length
}

/** Logs whose end was signed with the new secret, and those whose end neither secret signed. */
export interface SignedAgain {
  count: number
  unsigned: string[]
}

/** Signs with the new secret of a rotation what the earlier one signed. It can be interrupted and repeated. */
export async function signLogsAgain(db: Database, signing: Signing): Promise<SignedAgain> {
  const all: SignedAgain = { count: 0, unsigned: [] }
  await db.write((tx) => signSinceAgain(tx, signing))
  for (let after = ''; ;) {
    const batch = await db.write(async (tx) => {
      const done: SignedAgain & { last?: string | undefined } = { count: 0, unsigned: [] }
      const ends = await endsAfter(tx, after)
      for (const { signature, ...end } of ends) {
        const next = await signedBy(tx, signing, signedText(end), signature)
        if (next === undefined) done.unsigned.push(end.organizationId)
        if (next === undefined || next === signature) continue
        await setSignature(tx, end, next)
        done.count++
      }
      return { ...done, last: ends.at(-1)?.organizationId }
    })
    all.count += batch.count
    for (const organizationId of batch.unsigned) all.unsigned.push(organizationId)
    if (batch.last === undefined) return all
    after = batch.last
  }
}

/** Whether something is signed with the earlier secret of a rotation only. */
export async function areLogsSignedOtherwise(tx: Tx, signing: Signing): Promise<boolean> {
  const [at = '', signature = ''] = (await storedSince(tx))?.split(' ') ?? []
  const isOther = async (text: string, by: string) => {
    const next = await signedBy(tx, signing, text, by)
    return next !== undefined && next !== by
  }
  if (await isOther(textOfSince(at), signature)) return true
  for (let after: string | undefined = ''; after !== undefined;) {
    const ends: Row<'auditChain'>[] = await endsAfter(tx, after)
    for (const { signature: by, ...end } of ends) if (await isOther(signedText(end), by)) return true
    after = ends.at(-1)?.organizationId
  }
  return false
}

async function signSinceAgain(tx: Tx, signing: Signing): Promise<void> {
  const [at = '', signature = ''] = (await storedSince(tx))?.split(' ') ?? []
  const next = await signedBy(tx, signing, textOfSince(at), signature)
  if (next === undefined || next === signature) return
  await tx
    .updateTable('instance')
    .set({ value: `${at} ${next}` })
    .where('name', '=', SIGNED_SINCE)
    .execute()
}

/** The signature of a text with the current key; undefined if no key signed it before. */
async function signedBy(tx: Tx, signing: Signing, text: string, signature: string) {
  const { key, isSigned } = await check(tx, signing, text, signature)
  return isSigned ? sign(key, text) : undefined
}

function endsAfter(tx: Tx, organizationId: string): Promise<Row<'auditChain'>[]> {
  return tx
    .selectFrom('auditChain')
    .selectAll()
    .where('organizationId', '>', organizationId)
    .orderBy('organizationId')
    .limit(ENDS_AT_ONCE)
    .execute()
}

async function setSignature(tx: Tx, { organizationId }: End, signature: string): Promise<void> {
  await tx.updateTable('auditChain').set({ signature }).where('organizationId', '=', organizationId).execute()
}
