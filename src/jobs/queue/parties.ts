import type { SelectQueryBuilder } from 'kysely'
import type { Row, Schema } from '../../db/schema.ts'

/** The columns of a job that say for whom it is done. */
export type JobParty = Pick<Row<'job'>, 'askedBy' | 'organizationId'>

/** How many users' last organizations are remembered. */
const MOST_REMEMBERED = 1000

/**
 * Whose turn is next: parties come in the order of their ids, so finding the next one takes one look into an index,
 * however many wait.
 */
export function turnsOfParties() {
  const lastUser = new Map<string, string>()
  const lastOrganization = new Map<string, string>()

  return {
    async next(kind: string, due: SelectQueryBuilder<Schema, 'job', object>): Promise<JobParty | undefined> {
      const askedBy = await following(due, 'askedBy', lastUser.get(kind))
      if (askedBy === undefined) return undefined
      const key = `${kind} ${askedBy}`
      const ofUser = due.where('askedBy', '=', askedBy)
      const organizationId = await following(ofUser, 'organizationId', lastOrganization.get(key))
      if (organizationId === undefined) return undefined
      if (lastOrganization.size >= MOST_REMEMBERED) lastOrganization.clear()
      lastUser.set(kind, askedBy)
      lastOrganization.set(key, organizationId)
      return { askedBy, organizationId }
    },
  }
}

/** The first value of due jobs after the last one, or else the first of all. */
async function following(
  due: SelectQueryBuilder<Schema, 'job', object>,
  column: keyof JobParty,
  last: string | undefined,
): Promise<string | undefined> {
  const first = due.select(`${column} as value`).orderBy(column).limit(1)
  const next = last === undefined ? undefined : await first.where(column, '>', last).executeTakeFirst()
  return (next ?? (await first.executeTakeFirst()))?.value
}
