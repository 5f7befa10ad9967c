import { hashSecret } from '../../access/credentials/tokens.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'

/** How long a browser can go on. */
export const STEP_MS = 10 * 60_000
/** The unfinished steps of a user for one purpose. Beginning another one ends the oldest. */
const STEPS_MAX = 5

type Purpose = Row<'signInStep'>['purpose']

/** Stores what the next request of a browser is checked against, for ten minutes. @param secret by which it goes on */
export async function beginStep(
  tx: Tx,
  fields: { secret: string; purpose: Purpose; userId: string | null; payload?: object; now: Date },
): Promise<void> {
  const { secret, purpose, userId, payload = {}, now } = fields
  await tx.deleteFrom('signInStep').where('expiresAt', '<=', now.toISOString()).execute()
  if (userId !== null) {
    const oldest = tx
      .selectFrom('signInStep')
      .select('hash')
      .where('userId', '=', userId)
      .where('purpose', '=', purpose)
      .orderBy('expiresAt', 'desc')
      .offset(STEPS_MAX - 1)
      .limit(STEPS_MAX)
    await tx.deleteFrom('signInStep').where('hash', 'in', oldest).execute()
  }
  await tx
    .insertInto('signInStep')
    .values({
      hash: hashSecret(secret),
      purpose,
      userId,
      payload: JSON.stringify(payload),
      attempts: 0,
      expiresAt: new Date(now.getTime() + STEP_MS).toISOString(),
    })
    .execute()
}

/** A step that a browser may go on with, by its secret. */
export function findStep(
  db: Reader,
  { secret, purpose, now }: { secret: string; purpose: Purpose; now: Date },
): Promise<Row<'signInStep'> | undefined> {
  return db
    .selectFrom('signInStep')
    .selectAll()
    .where('hash', '=', hashSecret(secret))
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst()
}

/** Takes a step, so that it cannot be taken again. @returns undefined if it is unknown, taken or expired */
export async function takeStep(
  tx: Tx,
  { secret, purpose, now }: { secret: string; purpose: Purpose; now: Date },
): Promise<Row<'signInStep'> | undefined> {
  return tx
    .deleteFrom('signInStep')
    .where('hash', '=', hashSecret(secret))
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now.toISOString())
    .returningAll()
    .executeTakeFirst()
}

/** Puts a step back after a wrong answer, unless there were too many. @returns whether another answer is possible */
export async function retryStep(tx: Tx, step: Row<'signInStep'>, most: number): Promise<boolean> {
  const attempts = step.attempts + 1
  if (attempts >= most) return false
  await tx
    .insertInto('signInStep')
    .values({ ...step, attempts })
    .execute()
  return true
}
