import type { Reader, Row, Tx } from '../../db/schema.ts'
import { tooMany } from '../../http/errors.ts'
import { omitNullish } from '../common.ts'
import { because } from '../../core/languages/reasons.ts'

/** For so long a client is present unless it says again that it is. */
const PRESENT_MS = 45_000
/** So many clients of one user can be present at once. */
const MOST_CLIENTS = 20
/** So many clients are named in one list. The others are only counted. */
const MOST_NAMED = 50

/** Records what a client of a user shows, until it expires. @throws 429 if the user has too many clients */
export async function putPresence(
  tx: Tx,
  presence: Omit<Row<'presence'>, 'since' | 'expiresAt'>,
  now: Date,
): Promise<void> {
  const { userId, client } = presence
  const at = now.toISOString()
  const mine = await tx
    .selectFrom('presence')
    .select(['client', 'spaceId', 'changeRequestId', 'since', 'expiresAt'])
    .where('userId', '=', userId)
    .execute()
  const others = mine.filter((one) => one.client !== client && one.expiresAt > at)
  if (others.length >= MOST_CLIENTS)
    throw tooMany(because('too-many-present-clients', { limit: MOST_CLIENTS }), PRESENT_MS / 1000)

  const before = mine.find((one) => one.client === client && one.expiresAt > at)
  const isStill = before?.spaceId === presence.spaceId && before.changeRequestId === presence.changeRequestId
  const since = before && isStill ? before.since : at
  const expiresAt = new Date(now.getTime() + PRESENT_MS).toISOString()
  await tx.deleteFrom('presence').where('userId', '=', userId).where('expiresAt', '<=', at).execute()
  await tx
    .insertInto('presence')
    .values({ ...presence, since, expiresAt })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'client']).doUpdateSet({ ...presence, since, expiresAt }),
    )
    .execute()
}

/** The clients that are present in these spaces, in the order in which they came. */
export function presentIn(db: Reader, spaceIds: readonly string[], now: Date): Promise<Row<'presence'>[]> {
  return db
    .selectFrom('presence')
    .selectAll()
    .where('spaceId', 'in', spaceIds)
    .where('expiresAt', '>', now.toISOString())
    .orderBy('spaceId')
    .orderBy('since')
    .orderBy('client')
    .execute()
}

/** The clients that are present, as listeners get them: all in the space, or those in a change request. */
export function presenceData(
  space: string,
  changeRequest: string | undefined,
  rows: readonly Row<'presence'>[],
) {
  const shown = rows.filter((row) => changeRequest === undefined || row.changeRequestId === changeRequest)
  const present = shown
    .slice(0, MOST_NAMED)
    .map(({ userId, client, changeRequestId, pageId, block, state }) => ({
      user: userId,
      client,
      ...omitNullish({ changeRequest: changeRequestId, page: pageId, block }),
      state,
    }))
  return { space, ...omitNullish({ changeRequest }), count: shown.length, present }
}

/** A client of a user. Two users can give their clients the same name. */
export type PresentClient = Pick<Row<'presence'>, 'userId' | 'client'>

/** Those of these clients that are recorded. Most were never present, and to write costs more than to read. */
export async function recordedOf(db: Reader, clients: readonly PresentClient[]): Promise<PresentClient[]> {
  const names = clients.map(({ client }) => client)
  const found = await db
    .selectFrom('presence')
    .select(['userId', 'client'])
    .where('client', 'in', names)
    .execute()
  return found.filter((row) => clients.some((one) => one.userId === row.userId && one.client === row.client))
}

/** Forgets clients that are gone. */
export async function deletePresence(tx: Tx, clients: readonly PresentClient[]): Promise<void> {
  for (const [userId, ofUser] of Map.groupBy(clients, (one) => one.userId)) {
    const names = ofUser.map(({ client }) => client)
    await tx.deleteFrom('presence').where('userId', '=', userId).where('client', 'in', names).execute()
  }
}

/** Deletes what has expired. */
export async function deleteExpiredPresence(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('presence').where('expiresAt', '<=', now.toISOString()).execute()
}
