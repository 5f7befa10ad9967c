import { chunks } from '../../db/chunks.ts'
import type { Database, Reader, Row, Tx } from '../../db/schema.ts'
import type { OwnProcess, SlowRequest } from '../../http/own-process.ts'

/** How often a copy renews its row. */
export const RENEW_MS = 30_000
/** A copy whose row is older does not run any more. */
const LOST_MS = 4 * RENEW_MS
const DAY_MS = 24 * 3_600_000

/** Shows the other copies that this one runs, and writes what it has collected. */
export async function renewCopy(db: Database, own: OwnProcess, now: Date): Promise<void> {
  const failed = own.takeFailedSignIns()
  const { id, host, version, nodeVersion, startedAt } = own
  const changing = {
    seenAt: now.toISOString(),
    slowRequests: JSON.stringify(own.slowRequests(now)),
  }
  await db.write(async (tx) => {
    await tx
      .insertInto('runningCopy')
      .values({ id, host, version, nodeVersion, startedAt, ...changing })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
      .execute()
    await tx
      .deleteFrom('runningCopy')
      .where('seenAt', '<', new Date(now.getTime() - LOST_MS).toISOString())
      .execute()
    await addFailedSignIns(tx, failed, now)
  })
}

/** A copy that ends by itself is not shown as running. */
export async function endCopy(db: Database, { id }: OwnProcess): Promise<void> {
  await db.write((tx) => tx.deleteFrom('runningCopy').where('id', '=', id).execute())
}

async function addFailedSignIns(
  tx: Tx,
  failed: ReturnType<OwnProcess['takeFailedSignIns']>,
  now: Date,
): Promise<void> {
  for (const some of chunks(failed))
    await tx
      .insertInto('failedSignIn')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['hour', 'network']).doUpdateSet((eb) => ({
          count: eb('failedSignIn.count', '+', eb.ref('excluded.count')),
        })),
      )
      .execute()
  await tx
    .deleteFrom('failedSignIn')
    .where('hour', '<', new Date(now.getTime() - DAY_MS).toISOString())
    .execute()
}

/** The copies that run, oldest first, with this one. */
export async function runningCopies(
  db: Reader,
  own: OwnProcess,
  now: Date,
): Promise<(Omit<Row<'runningCopy'>, 'slowRequests'> & { slow: SlowRequest[] })[]> {
  const rows = await db
    .selectFrom('runningCopy')
    .selectAll()
    .where('seenAt', '>=', new Date(now.getTime() - LOST_MS).toISOString())
    .where('id', '!=', own.id)
    .limit(100)
    .execute()
  const { id, host, version, nodeVersion, startedAt } = own
  const others = rows.map(({ slowRequests, ...copy }) => ({
    ...copy,
    slow: JSON.parse(slowRequests) as SlowRequest[],
  }))
  const itself = { id, host, version, nodeVersion, startedAt, seenAt: now.toISOString() }
  return [...others, { ...itself, slow: own.slowRequests(now) }].toSorted((a, b) =>
    a.startedAt < b.startedAt ? -1 : 1,
  )
}
