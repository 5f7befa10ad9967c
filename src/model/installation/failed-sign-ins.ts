import { type Static, Type } from 'typebox'
import type { Reader } from '../../db/schema.ts'
import { oneOf, Timestamp } from '../common.ts'

const DAY_MS = 24 * 3_600_000
const MOST_NETWORKS = 100

export const FailedSignIns = Type.Object(
  {
    object: oneOf(['failed-sign-ins']),
    total: Type.Integer(),
    hours: Type.Array(Type.Object({ hour: Timestamp, count: Type.Integer() })),
    networks: Type.Array(
      Type.Object({ network: Type.String(), count: Type.Integer(), lastHour: Timestamp }),
      { description: 'The networks with the most failed sign-ins' },
    ),
  },
  { title: 'FailedSignIns' },
)

/** The failed sign-ins of the last day, by hour and by network. */
export async function failedSignIns(db: Reader, now: Date): Promise<Static<typeof FailedSignIns>> {
  const since = new Date(now.getTime() - DAY_MS).toISOString()
  const recent = db.selectFrom('failedSignIn').where('hour', '>=', since)
  const hours = await recent
    .select(['hour', (eb) => eb.fn.sum('count').as('count')])
    .groupBy('hour')
    .orderBy('hour')
    .execute()
  const networks = await recent
    .select(['network', (eb) => eb.fn.sum('count').as('count'), (eb) => eb.fn.max('hour').as('lastHour')])
    .groupBy('network')
    .orderBy((eb) => eb.fn.sum('count'), 'desc')
    .orderBy('network')
    .limit(MOST_NETWORKS)
    .execute()
  return {
    object: 'failed-sign-ins',
    total: hours.reduce((sum, { count }) => sum + Number(count), 0),
    hours: hours.map(({ hour, count }) => ({ hour, count: Number(count) })),
    networks: networks.map(({ network, count, lastHour }) => ({ network, count: Number(count), lastHour })),
  }
}
