import { createHash, randomUUID } from 'node:crypto'
import type { Database, Reader, Row, Tx } from '../db/schema.ts'

/** The log of what belongs to no organization: changes by users who are in none. */
export const INSTANCE_LOG = 'instance'
/** Version of the payload's shape and of what the hash covers. */
export const AUDIT_VERSION = 1
const READ_AT_ONCE = 1000

type Entry = Omit<Row<'auditEvent'>, 'hash'>
/** What is to be logged; `payload` is JSON without secrets. */
export type NewAuditEvent = Omit<Entry, 'id' | 'sequence' | 'organizationId'>

/** Who made what nobody asked for over the API: the set-up, the command line, jobs. */
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
 * Holds the log of an organization until the transaction ends, so that a long change is not in vain because shorter
 * ones were logged meanwhile. SQLite lets in one writer at a time anyway.
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

/** Adds an entry to the log of an organization. There is nothing that changes or removes one. */
export async function appendAuditEvent(tx: Tx, organizationId: string, event: NewAuditEvent): Promise<void> {
  const last = await chainEnd(tx, organizationId)
  const entry: Entry = { ...event, id: randomUUID(), organizationId, sequence: (last?.sequence ?? 0) + 1 }
  const hash = hashEntry(entry, last?.hash ?? '')
  const end = { sequence: entry.sequence, hash }

  // The end goes first: who else writes to the log at this moment collides here, and runs again.
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

/** SHA-256 of the hash of the entry before, a line break, and the entry as a JSON array in this order. */
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

/** How the log of one organization was found. */
export interface CheckedChain {
  organizationId: string
  /** The last entry that is as it was written. */
  sequence: number
  hash: string
  /** The first entry that is not, and what is wrong with it. */
  broken?: { sequence: number; id: string | undefined; fault: string }
}

/**
 * Recomputes every log from its first entry. The organizations are asked too: each has at least the entry of its making,
 * so one with no log at all has lost it.
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
        return brokenAt(entry.sequence, entry.id, 'was changed, or the one before it was')
      }
      ;({ sequence } = entry)
      hash = kept
    }
    if (entries.length > 0) continue

    const end = await chainEnd(db, organizationId)
    if (end?.sequence === sequence && end.hash === hash) return { organizationId, sequence, hash }
    if (!end && sequence === 0) return brokenAt(1, undefined, 'is missing, with all that came after it')
    if (!end || end.sequence <= sequence)
      return brokenAt(sequence, undefined, 'is not the end that was written')
    // Either the entries up to the end are missing, or they were written since the last look.
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
