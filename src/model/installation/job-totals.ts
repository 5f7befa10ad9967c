import type { Reader } from '../../db/schema.ts'
import { omitNullish } from '../common.ts'

/** How many jobs wait and failed, of each kind and in total. */
export interface JobTotals {
  waiting: number
  failed: number
  /** Since when the oldest job is due that has not run; absent if none is. */
  oldestDueAt?: string
  kinds: { kind: string; waiting: number; failed: number; oldestDueAt?: string }[]
}

export async function jobTotals(db: Reader, now: Date): Promise<JobTotals> {
  const at = now.toISOString()
  const rows = await db
    .selectFrom('job')
    .select(['kind', 'state', (eb) => eb.fn.countAll().as('count')])
    .groupBy(['kind', 'state'])
    .orderBy('kind')
    .execute()
  // One that runs is not late, however long it takes.
  const due = await db
    .selectFrom('job')
    .select(['kind', (eb) => eb.fn.min('runAt').as('oldest')])
    .where('state', '=', 'waiting')
    .where('runAt', '<=', at)
    .where((eb) => eb.or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<', at)]))
    .groupBy('kind')
    .execute()
  const oldestOf = new Map(due.map(({ kind, oldest }) => [kind, oldest]))
  const countOf = (kind: string, state: 'waiting' | 'failed') =>
    Number(rows.find((row) => row.kind === kind && row.state === state)?.count ?? 0)
  const kinds = [...new Set(rows.map(({ kind }) => kind))].map((kind) => ({
    kind,
    waiting: countOf(kind, 'waiting'),
    failed: countOf(kind, 'failed'),
    ...omitNullish({ oldestDueAt: oldestOf.get(kind) }),
  }))
  const oldest = due.map((row) => row.oldest).toSorted()[0]
  return {
    waiting: kinds.reduce((sum, { waiting }) => sum + waiting, 0),
    failed: kinds.reduce((sum, { failed }) => sum + failed, 0),
    ...omitNullish({ oldestDueAt: oldest }),
    kinds,
  }
}
