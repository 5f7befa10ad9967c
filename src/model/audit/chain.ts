import { createHash, randomUUID } from 'node:crypto'
import type { Database, Reader, Row, Tx } from '../../db/schema.ts'

/** The log of changes that belong to no organization, such as those of users who are in none. */
export const INSTANCE_LOG = 'instance'
/** The version of the payload's format and of the fields that the hash covers. */
export const AUDIT_VERSION = 1
const READ_AT_ONCE = 1000

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
export async function appendAuditEvent(tx: Tx, organizationId: string, event: NewAuditEvent): Promise<void> {
  const last = await chainEnd(tx, organizationId)
  const entry: Entry = { ...event, id: randomUUID(), organizationId, sequence: (last?.sequence ?? 0) + 1 }
  const hash = hashEntry(entry, last?.hash ?? '')
  const end = { sequence: entry.sequence, hash }

  // The end of the chain is written first, so that a concurrent transaction fails here and is repeated.
  if (last) await tx.updateTable('auditChain').set(end).where('organizationId', '=', organizationId).execute()
  else
    await tx
      .insertInto('auditChain')
      .values({ organizationId, ...end })
      .execute()
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

/**
 * Recomputes the hashes of every log from its first entry. Every organization must have a log, because creating one
 * writes an entry.
 */
export async function* checkAuditChains(db: Reader): AsyncGenerator<CheckedChain> {
  const ids = await db
    .selectFrom('auditChain')
    .select('organizationId')
    .union(db.selectFrom('auditEvent').select('organizationId').distinct())
    .union(db.selectFrom('organization').select('id as organizationId'))
    .orderBy('organizationId')
    .execute()
  for (const { organizationId } of ids) yield await checkChain(db, organizationId)
}

async function checkChain(db: Reader, organizationId: string): Promise<CheckedChain> {
  let [sequence, hash] = [0, '']
  const brokenAt = (at: number, id: string | undefined, fault: string): CheckedChain => {
    return { organizationId, sequence, hash, broken: { sequence: at, id, fault } }
  }

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
      ;({ sequence } = entry)
      hash = kept
    }
    if (entries.length > 0) continue

    const end = await chainEnd(db, organizationId)
    if (end?.sequence === sequence && end.hash === hash) return { organizationId, sequence, hash }
    if (!end && sequence === 0) return brokenAt(1, undefined, 'is missing, with all events after it')
    if (!end || end.sequence <= sequence)
      return brokenAt(sequence, undefined, 'is the last one, but the log had another end')
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

function chainEnd(db: Reader, organizationId: string) {
  return db
    .selectFrom('auditChain')
    .select(['sequence', 'hash'])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
}
