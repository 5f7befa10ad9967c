import { hashSecret } from '../access/credentials/tokens.ts'
import { randomText } from '../core/data/id.ts'
import type { Reader, Row, Tx } from '../db/schema.ts'
import type { Person } from './person.ts'

/** How long a person may take at the provider. */
export const REQUEST_MS = 10 * 60_000
const TICKET_LENGTH = 43

export type SignInRequest = Row<'signInRequest'>

/** Returns the purpose for which the secrets of a request are sealed. */
export const signInRequestPurpose = (id: string) => `sign-in request ${id}`

/** Remembers a sign-in that a browser begins. @param browser the value of its cookie */
export async function insertRequest(
  tx: Tx,
  fields: Pick<SignInRequest, 'id' | 'providerId' | 'returnPath'> & {
    browser: string
    sealedSecrets?: string
    now: Date
  },
): Promise<void> {
  const { id, providerId, returnPath, browser, sealedSecrets = null, now } = fields
  const at = now.toISOString()
  await tx.deleteFrom('signInRequest').where('expiresAt', '<=', at).execute()
  await tx.deleteFrom('usedAssertion').where('expiresAt', '<=', at).execute()
  await tx
    .insertInto('signInRequest')
    .values({
      id,
      providerId,
      browserHash: hashSecret(browser),
      returnPath,
      sealedSecrets,
      ticketHash: null,
      person: null,
      expiresAt: new Date(now.getTime() + REQUEST_MS).toISOString(),
    })
    .execute()
}

/** A sign-in that waits for the answer of the provider. */
export function findOpenRequest(
  db: Reader,
  providerId: string,
  id: string,
  now: Date,
): Promise<SignInRequest | undefined> {
  return db
    .selectFrom('signInRequest')
    .selectAll()
    .where('id', '=', id)
    .where('providerId', '=', providerId)
    .where('ticketHash', 'is', null)
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst()
}

/**
 * Notes the answer of the provider to a request, once. The answer came from another site, so the browser sent no cookie
 * with it: it goes on with the ticket, and only then proves that the request was its own.
 * @returns the ticket, or undefined if the request is over or was answered before
 */
export async function answerRequest(
  tx: Tx,
  { providerId, id, person, now }: { providerId: string; id: string; person: Person; now: Date },
): Promise<string | undefined> {
  const ticket = randomText(TICKET_LENGTH)
  const answered = await tx
    .updateTable('signInRequest')
    .set({ ticketHash: hashSecret(ticket), person: JSON.stringify(person) })
    .where('id', '=', id)
    .where('providerId', '=', providerId)
    .where('ticketHash', 'is', null)
    .where('expiresAt', '>', now.toISOString())
    .returning('id')
    .executeTakeFirst()
  return answered && ticket
}

/** Ends a request that was answered, for the browser that began it. @returns undefined if there is none */
export async function takeAnswered(
  tx: Tx,
  { providerId, ticket, browser, now }: { providerId: string; ticket: string; browser: string; now: Date },
): Promise<SignInRequest | undefined> {
  return tx
    .deleteFrom('signInRequest')
    .where('ticketHash', '=', hashSecret(ticket))
    .where('providerId', '=', providerId)
    .where('browserHash', '=', hashSecret(browser))
    .where('expiresAt', '>', now.toISOString())
    .returningAll()
    .executeTakeFirst()
}

/** Ends a request before its answer is known, for the browser that began it. @returns undefined if there is none */
export async function takeOpen(
  tx: Tx,
  { providerId, id, browser, now }: { providerId: string; id: string; browser: string; now: Date },
): Promise<SignInRequest | undefined> {
  return tx
    .deleteFrom('signInRequest')
    .where('id', '=', id)
    .where('providerId', '=', providerId)
    .where('ticketHash', 'is', null)
    .where('browserHash', '=', hashSecret(browser))
    .where('expiresAt', '>', now.toISOString())
    .returningAll()
    .executeTakeFirst()
}

/** Uses an assertion up. @returns false if it signed somebody in before, in this process or another */
export async function useAssertion(
  tx: Tx,
  { providerId, id, until }: { providerId: string; id: string; until: Date },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('usedAssertion')
    .values({ providerId, hash: hashSecret(id), expiresAt: until.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst()
  return inserted !== undefined
}
