/** The addresses outside this installation in the primary content of spaces, and what their checks found. */
import { keyAt, type LinkIndex, targetAt, usesFrom, usesOf } from '../../core/content/link-index.ts'
import { keysToAddress } from '../../core/content/link-resolving.ts'
import { documentHash } from '../../core/content/hash.ts'
import { giveTurn } from '../../core/runtime/turns.ts'
import { chunks } from '../../db/chunks.ts'
import type { Database, Reader, Tx } from '../../db/schema.ts'
import type { Enqueue } from '../../http/route.ts'
import type { Urls } from '../../http/urls.ts'
import { needRevision } from '../content/commit.ts'
import { linksOfRevision } from './link-index.ts'
import type { LinkReader } from './outside-targets.ts'
import { ownHostsAmong, usesByHost } from './web-hosts.ts'

/** Why an external address counts as broken. */
export const EXTERNAL_FAILURES = ['not-found', 'gone', 'unknown-host'] as const
export type ExternalFailure = (typeof EXTERNAL_FAILURES)[number]

/** The result of a check. If an address is `unknown`, the next check may find more. */
export type ExternalResult = ExternalFailure | 'ok' | 'unknown'

/** The kind of the job that checks the external links of an organization. */
const CHECK_LINKS = 'check-links'
/** The time between two runs of the job. */
const PERIOD_MS = 10 * 60_000
const DAY_MS = 24 * 3_600_000
const HOUR_MS = 3_600_000
/** The most addresses of one space that are checked. */
const MOST_OF_SPACE = 20_000
const LONGEST_ADDRESS = 2048

/** Adds the next run of the job, unless a run at about that time is waiting. */
export async function askForLinkChecks(
  tx: Tx,
  enqueue: Enqueue,
  { organizationId, runAt }: { organizationId: string; runAt: Date },
): Promise<void> {
  const period = Math.floor(runAt.getTime() / PERIOD_MS)
  await enqueue(
    tx,
    CHECK_LINKS,
    { organizationId },
    { runAt, dedupe: `${CHECK_LINKS}:${organizationId}:${period}`, organization: organizationId },
  )
}

/**
 * Begins a run: adds the next one, or deletes the results if the organization does not ask for checks any more.
 * @returns whether it asks for them
 */
export async function beginLinkChecks(
  tx: Tx,
  enqueue: Enqueue,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<boolean> {
  const organization = await tx
    .selectFrom('organization')
    .select('checkExternalLinks')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (organization?.checkExternalLinks) {
    await askForLinkChecks(tx, enqueue, { organizationId, runAt: new Date(now.getTime() + PERIOD_MS) })
    return true
  }
  const spaces = tx.selectFrom('space').select('id').where('organizationId', '=', organizationId)
  await tx.deleteFrom('externalLink').where('spaceId', 'in', spaces).execute()
  await tx.deleteFrom('externalLinkScan').where('spaceId', 'in', spaces).execute()
  return false
}

/** Forgets the addresses of a space. */
export async function forgetExternalLinks(tx: Tx, spaceId: string): Promise<void> {
  await tx.deleteFrom('externalLink').where('spaceId', '=', spaceId).execute()
  await tx.deleteFrom('externalLinkScan').where('spaceId', '=', spaceId).execute()
}

/** Finds the external addresses of the spaces that have changed since the last run. */
export async function scanSpaces(
  db: Database,
  urls: Urls,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<void> {
  const changed = await db.read
    .selectFrom('space')
    .leftJoin('externalLinkScan', 'externalLinkScan.spaceId', 'space.id')
    .select(['space.id', 'space.revisionId', 'externalLinkScan.revisionId as scanned'])
    .where('space.organizationId', '=', organizationId)
    .where('space.deletedAt', 'is', null)
    .execute()
  for (const { id, revisionId, scanned } of changed) {
    if (!revisionId || revisionId === scanned) continue
    const revision = await needRevision(db.read, id, revisionId)
    const { index } = await linksOfRevision(db.read, urls, revision)
    await storeAddresses(db, id, await externalAddresses(db.read, urls, index), now)
    await db.write((tx) =>
      tx
        .insertInto('externalLinkScan')
        .values({ spaceId: id, revisionId })
        .onConflict((conflict) => conflict.column('spaceId').doUpdateSet({ revisionId }))
        .execute(),
    )
  }
}

/** The web addresses of an index that do not lead to this installation, by their hash. */
async function externalAddresses(db: Reader, urls: Urls, index: LinkIndex): Promise<Map<string, string>> {
  const runs = await usesByHost(index, usesOf(index))
  const own = await ownHostsAmong(
    db,
    urls,
    runs.map(({ host }) => host),
  )
  const found = new Map<string, string>()
  for (const { host, uses } of runs) {
    if (own.has(host)) continue
    for (const use of uses) {
      const target = targetAt(index, use)
      if (target.kind !== 'url' || !/^https?:/i.test(target.url)) continue
      if (target.url.length <= LONGEST_ADDRESS) found.set(documentHash(target.url), target.url)
      if (found.size === MOST_OF_SPACE) return found
      await giveTurn()
    }
  }
  return found
}

async function storeAddresses(
  db: Database,
  spaceId: string,
  found: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  const known = await db.read
    .selectFrom('externalLink')
    .select('hash')
    .where('spaceId', '=', spaceId)
    .execute()
  const before = new Set(known.map(({ hash }) => hash))
  const dueAt = now.toISOString()
  const added = [...found].filter(([hash]) => !before.has(hash))
  for (const some of chunks(added)) {
    const rows = some.map(([hash, url]) => ({ spaceId, hash, url, result: null, dueAt }))
    await db.write((tx) =>
      tx
        .insertInto('externalLink')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
  }
  for (const some of chunks([...before].filter((hash) => !found.has(hash))))
    await db.write((tx) =>
      tx.deleteFrom('externalLink').where('spaceId', '=', spaceId).where('hash', 'in', some).execute(),
    )
}

/** The addresses of an organization that are due for a check, each once, those that wait longest first. */
export async function dueAddresses(
  db: Reader,
  { organizationId, now, most }: { organizationId: string; now: Date; most: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('externalLink')
    .innerJoin('space', 'space.id', 'externalLink.spaceId')
    .select('externalLink.url')
    .where('space.organizationId', '=', organizationId)
    .where('space.deletedAt', 'is', null)
    .where('externalLink.dueAt', '<=', now.toISOString())
    .orderBy('externalLink.dueAt')
    .limit(most)
    .execute()
  return [...new Set(rows.map(({ url }) => url))]
}

/** Stores what the check of an address found, for all spaces of the organization. */
export async function storeResult(
  tx: Tx,
  {
    organizationId,
    url,
    result,
    now,
  }: { organizationId: string; url: string; result: ExternalResult; now: Date },
): Promise<void> {
  const dueAt = new Date(now.getTime() + (result === 'unknown' ? HOUR_MS : DAY_MS)).toISOString()
  await tx
    .updateTable('externalLink')
    .set({ result, dueAt })
    .where('hash', '=', documentHash(url))
    .where('spaceId', 'in', (eb) =>
      eb.selectFrom('space').select('id').where('organizationId', '=', organizationId),
    )
    .execute()
}

/** The uses of external addresses that the last check found broken, if the organization asks for checks. */
export async function brokenExternally(
  { db, space }: LinkReader,
  index: LinkIndex,
): Promise<Map<number, ExternalFailure>> {
  const rows = await db
    .selectFrom('externalLink')
    .innerJoin('space', 'space.id', 'externalLink.spaceId')
    .innerJoin('organization', 'organization.id', 'space.organizationId')
    .select(['externalLink.url', 'externalLink.result'])
    .where('externalLink.spaceId', '=', space.id)
    .where('externalLink.result', 'in', EXTERNAL_FAILURES)
    .where('organization.checkExternalLinks', '=', 1)
    .execute()
  const broken = new Map<number, ExternalFailure>()
  for (const { url, result } of rows) {
    const beginning = keysToAddress(url)
    for (const use of usesFrom(index, beginning))
      if (!keyAt(index, use).slice(beginning.length).includes(' ')) broken.set(use, result as ExternalFailure)
    await giveTurn()
  }
  return broken
}
