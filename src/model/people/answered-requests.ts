/** Requests with an `Idempotency-Key`: what they were and what the server answered, so that a repetition changes nothing. */
import { hash } from 'node:crypto'
import { because } from '../../core/languages/reasons.ts'
import type { Reader, Tx } from '../../db/schema.ts'
import { ApiError, conflict } from '../../http/errors.ts'
import type { Sealing } from '../../http/route.ts'

/** For how long an answer is kept. */
const KEPT_MS = 24 * 3_600_000
/** The longest answer that is kept, in characters of its JSON. */
const MOST_KEPT = 256 * 1024
const DELETED_AT_ONCE = 1000

/** A request that may arrive again, after its sender has not seen the answer. */
export interface RepeatableRequest {
  userId: string
  keyHash: string
  /** A hash of the operation and everything that was sent to it. */
  fingerprint: string
}

/** What is kept of a request: its fingerprint, and the JSON of its answer; null if that was too long. */
type Kept = [fingerprint: string, answer: string | null]

/**
 * Describes a request with a key.
 * @param sent the operation, and the values that it was sent
 */
export function repeatableRequest(userId: string, key: string, sent: readonly unknown[]): RepeatableRequest {
  const sha256 = (text: string) => hash('sha256', text, 'base64url')
  return { userId, keyHash: sha256(key), fingerprint: sha256(JSON.stringify(sent)) }
}

/**
 * The answer to an earlier request with the same key, as JSON; '' if it had none. Undefined if there was no such request in
 * the last day.
 * @throws 422 if the earlier one was another request; 409 if its answer was too long to keep
 */
export async function earlierAnswer(
  db: Reader,
  sealing: Sealing,
  { userId, keyHash, fingerprint }: RepeatableRequest,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('answeredRequest')
    .select(['sealedAnswer', 'createdAt'])
    .where('userId', '=', userId)
    .where('keyHash', '=', keyHash)
    .executeTakeFirst()
  if (!row?.sealedAnswer || row.createdAt <= endOfKept(now)) return undefined
  const opened = sealing.open(row.sealedAnswer, answeredRequestPurpose(`${userId} ${keyHash}`))
  // After the secret was replaced without a rotation, nobody knows whether it was the same request.
  if (opened === undefined) throw new ApiError(422, because('idempotency-key-used'))
  const [earlier, answer] = JSON.parse(opened) as Kept
  if (earlier !== fingerprint) throw new ApiError(422, because('idempotency-key-used'))
  if (answer === null) throw conflict(because('answer-not-kept'))
  return answer
}

/** Records a request at the beginning of its transaction. Another one with the same key waits for the end of that, or fails. */
export async function beginAnswering(tx: Tx, request: RepeatableRequest, now: Date): Promise<void> {
  const { userId, keyHash } = request
  // One that is older than a day, and not deleted yet.
  await tx.deleteFrom('answeredRequest').where('userId', '=', userId).where('keyHash', '=', keyHash).execute()
  await tx
    .insertInto('answeredRequest')
    .values({ userId, keyHash, sealedAnswer: null, createdAt: now.toISOString() })
    .execute()
}

/** Keeps the answer to a request in its transaction, so that there is one if, and only if, the change is made. */
export async function keepAnswer(
  tx: Tx,
  sealing: Sealing,
  { userId, keyHash, fingerprint }: RepeatableRequest,
  answer: string,
): Promise<void> {
  const kept: Kept = [fingerprint, answer.length <= MOST_KEPT ? answer : null]
  const sealedAnswer = sealing.seal(JSON.stringify(kept), answeredRequestPurpose(`${userId} ${keyHash}`))
  await tx
    .updateTable('answeredRequest')
    .set({ sealedAnswer })
    .where('userId', '=', userId)
    .where('keyHash', '=', keyHash)
    .execute()
}

/** What the answer to a request is sealed for. @param key its user and the hash of its key, with a space between */
export function answeredRequestPurpose(key: string): string {
  return `answered-request ${key}`
}

/** Deletes some of the requests of more than a day ago. @returns whether there may be more */
export async function deleteOldAnswers(tx: Tx, now: Date): Promise<boolean> {
  const old = await tx
    .selectFrom('answeredRequest')
    .select(['userId', 'keyHash'])
    .where('createdAt', '<=', endOfKept(now))
    .limit(DELETED_AT_ONCE)
    .execute()
  for (const { userId, keyHash } of old)
    await tx
      .deleteFrom('answeredRequest')
      .where('userId', '=', userId)
      .where('keyHash', '=', keyHash)
      .execute()
  return old.length >= DELETED_AT_ONCE
}

const endOfKept = (now: Date) => new Date(now.getTime() - KEPT_MS).toISOString()
