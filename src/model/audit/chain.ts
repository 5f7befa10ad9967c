import { createHash, randomUUID } from 'node:crypto'
import type { Database, Reader, Row, Tx } from '../../db/schema.ts'
import { isEndSigned, signFirstEnd, type Signing, signLogs, signNextEnd } from './signing.ts'

/** The log of changes that belong to no organization, such as those of users who are in none. */
export const INSTANCE_LOG = 'instance'
/** The version of the payload's format and of the fields that the hash covers. */
export const AUDIT_VERSION = 1
const READ_AT_ONCE = 1000
const SIGNING_BEGINS = 'instance.audit-log.sign'
/** The actions of the first entries of logs. A log that begins with another one has lost entries, so it is not signed. */
const BEGINNINGS = new Set([SIGNING_BEGINS, 'organization.create', 'instance.set-up'])

type Entry = Omit<Row<'auditEvent'>, 'hash'>
/** An entry to append; `payload` is JSON without secrets. */
export type NewAuditEvent = Omit<Entry, 'id' | 'sequence' | 'organizationId'>

/** The actor of changes that are not made through the API: the first start, the command line, and jobs. */
export const BY_SYSTEM = {
  actorType: 'system',
  actorId: 'lectern',
  actorLabel: null,
  tokenId: null,
  source: 'script',
  ip: null,
  requestId: null,
}

/**
 * Locks the log of an organization until the transaction ends. Otherwise a long transaction would fail to serialize, and
 * be repeated, whenever a shorter one appends to the log meanwhile. SQLite has one writer at a time anyway.
 */
export async function holdAuditChain(
  { dialect }: Database,
  tx: Tx,
  organizationId: string | undefined,
): Promise<void> {
  if (dialect === 'sqlite' || organizationId === undefined) return
  await tx
    .selectFrom('auditChain')
    .select('sequence')
    .where('organizationId', '=', organizationId)
    .forUpdate()
    .noWait()
    .execute()
}

/** Appends an entry to the log of an organization. Entries are never changed or deleted. */
export async function appendAuditEvent(
  tx: Tx,
  signing: Signing,
  organizationId: string,
  event: NewAuditEvent,
): Promise<void> {
  const last = await chainEnd(tx, organizationId)
  const entry: Entry = { ...event, id: randomUUID(), organizationId, sequence: (last?.sequence ?? 0) + 1 }
  const hash = hashEntry(entry, last?.hash ?? '')
  const next = { organizationId, sequence: entry.sequence, hash }
  const signature = last
    ? await signNextEnd(tx, signing, last, next)
    : BEGINNINGS.has(entry.action)
      ? signFirstEnd(signing, next)
      : ''
  const end = { ...next, signature }

  // The end of the chain is written first, so that a concurrent transaction fails here and is repeated.
  if (last) await tx.updateTable('auditChain').set(end).where('organizationId', '=', organizationId).execute()
  else await tx.insertInto('auditChain').values(end).execute()
  await tx
    .insertInto('auditEvent')
    .values({ ...entry, hash })
    .execute()
}

/** The SHA-256 of the hash of the previous entry, a line feed, and the entry as a JSON array in this order. */
function hashEntry(entry: Entry, previous: string): string {
  const text = JSON.stringify([
    AUDIT_VERSION,
    entry.organizationId,
    entry.sequence,
    entry.id,
    entry.occurredAt,
    entry.action,
    entry.actorType,
    entry.actorId,
    entry.actorLabel,
    entry.tokenId,
    entry.source,
    entry.ip,
    entry.requestId,
    entry.targetType,
    entry.targetId,
    entry.targetLabel,
    entry.payload,
  ])
  return createHash('sha256').update(`${previous}\n${text}`).digest('hex')
}

/** The result of verifying the log of one organization. */
export interface CheckedChain {
  organizationId: string
  /** The last entry that is unchanged. */
  sequence: number
  hash: string
  /** The first entry that is wrong, and why. */
  broken?: { sequence: number; id: string | undefined; fault: string }
}

/** An entry that a log had earlier, by its organization. */
export interface KnownEntry {
  organizationId: string
  sequence: number
  hash: string
}

/**
 * Recomputes the hashes of every log, or of one, from its first entry, and compares the last one with the signed end. Every
 * organization must have a log, because creating one writes an entry.
 * @param known entries that the logs must still have
 */
export async function* checkAuditChains(
  db: Reader,
  signing: Signing,
  { only, known = [] }: { only?: string | undefined; known?: KnownEntry[] } = {},
): AsyncGenerator<CheckedChain> {
  if (only !== undefined) {
    yield await checkChain(db, signing, only, known)
    return
  }
  const left = new Set(known.map(({ organizationId }) => organizationId))
  let organizationId = await nextLog(db, '')
  for (; organizationId !== undefined; organizationId = await nextLog(db, organizationId)) {
    yield await checkChain(db, signing, organizationId, known)
    left.delete(organizationId)
  }
  for (const missing of left) yield await checkChain(db, signing, missing, known)
}

/** The next organization that has entries, an end of its log, or a row of its own. */
async function nextLog(db: Reader, after: string): Promise<string | undefined> {
  const row = await db
    .selectFrom(
      db
        .selectFrom('auditChain')
        .select(({ fn }) => fn.min('organizationId').as('id'))
        .where('organizationId', '>', after)
        .unionAll(
          db
            .selectFrom('auditEvent')
            .select(({ fn }) => fn.min('organizationId').as('id'))
            .where('organizationId', '>', after),
        )
        .unionAll(
          db
            .selectFrom('organization')
            .select(({ fn }) => fn.min('id').as('id'))
            .where('id', '>', after),
        )
        .as('next'),
    )
    .select(({ fn }) => fn.min<string | null>('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? undefined
}

async function checkChain(
  db: Reader,
  signing: Signing,
  organizationId: string,
  known: KnownEntry[],
): Promise<CheckedChain> {
  let [sequence, hash] = [0, '']
  /** The last entry that is the known one. Its hash covers all before it. */
  let confirmed = 0
  const brokenAt = (at: number, id: string | undefined, fault: string): CheckedChain => {
    return { organizationId, sequence, hash, broken: { sequence: at, id, fault } }
  }
  const expected = known.filter((entry) => entry.organizationId === organizationId)
  const expectedAt = Map.groupBy(expected, (entry) => entry.sequence)

  for (;;) {
    const entries = await db
      .selectFrom('auditEvent')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where('sequence', '>', sequence)
      .orderBy('sequence')
      .limit(READ_AT_ONCE)
      .execute()
    for (const { hash: kept, ...entry } of entries) {
      if (entry.sequence !== sequence + 1) return brokenAt(sequence + 1, undefined, 'is missing')
      if (hashEntry(entry, hash) !== kept) {
        return brokenAt(entry.sequence, entry.id, 'was changed, or the event before it was')
      }
      const before = expectedAt.get(entry.sequence) ?? []
      if (before.some((one) => one.hash !== kept))
        return brokenAt(
          entry.sequence,
          entry.id,
          `had another hash: ${changedBetween(confirmed, entry.sequence)} was changed`,
        )
      if (before.length > 0) confirmed = entry.sequence
      ;({ sequence } = entry)
      hash = kept
    }
    if (entries.length > 0) continue

    const end = await chainEnd(db, organizationId)
    if (!end && sequence === 0) return brokenAt(1, undefined, 'is missing, with all events after it')
    if (!end || end.sequence < sequence || (end.sequence === sequence && end.hash !== hash))
      return brokenAt(sequence, undefined, 'is the last one, but the log had another end')
    if (end.sequence === sequence) {
      if (!(await isEndSigned(db, signing, end)))
        return brokenAt(
          sequence,
          undefined,
          `is the last one, but the server did not sign ${unsignedEnd(confirmed)}`,
        )
      const [missing] = expected
        .filter((entry) => entry.sequence > sequence)
        .toSorted((a, b) => a.sequence - b.sequence)
      if (missing) return brokenAt(sequence + 1, undefined, 'is missing')
      return { organizationId, sequence, hash }
    }
    // Either the entries up to the end are missing, or they were written after the last query.
    const next = await db
      .selectFrom('auditEvent')
      .select('id')
      .where('organizationId', '=', organizationId)
      .where('sequence', '>', sequence)
      .limit(1)
      .executeTakeFirst()
    if (!next) return brokenAt(sequence + 1, undefined, 'is missing')
  }
}

/** Which entries may have been changed, if one has another hash than the known one. */
function changedBetween(confirmed: number, sequence: number): string {
  if (confirmed === sequence - 1) return 'it'
  return confirmed === 0 ? 'it or an event before it' : `it or another event after event ${confirmed}`
}

/** What is known of a log whose hashes match each other, but whose end is not signed. */
const unsignedEnd = (confirmed: number) =>
  confirmed === 0
    ? 'this end: somebody changed, added or removed events, or changed the signature. The log alone cannot show which. Compare it with an earlier output of this command (--expect), or with events that you stored elsewhere'
    : `this end: somebody changed, added or removed events after event ${confirmed}, or changed the signature. The events up to it are unchanged`

function chainEnd(db: Reader, organizationId: string) {
  return db
    .selectFrom('auditChain')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
}

/**
 * Signs the logs if that was never done, and writes to the log of the installation that it was.
 * @returns whether this process did it
 */
export function beginSigning(db: Database, signing: Signing, now: Date): Promise<boolean> {
  return signLogs(db, signing, now, (tx) =>
    appendAuditEvent(tx, signing, INSTANCE_LOG, {
      ...BY_SYSTEM,
      occurredAt: now.toISOString(),
      action: SIGNING_BEGINS,
      targetType: 'instance',
      targetId: INSTANCE_LOG,
      targetLabel: null,
      payload: '{}',
    }),
  )
}
