import type { Reader, Row } from '../../db/schema.ts'
import type { Services } from '../../http/route.ts'
import { needAccountToken } from './account.ts'
import { tryPassword } from './sign-in.ts'

/** A link that sets a password, and the password. */
export interface PasswordLink {
  secret: string
  purpose: Row<'accountToken'>['purpose']
  password: string
}

/**
 * The stored form of a password that a link sets. A client with a valid link has proven something, so its password does
 * not wait for those of strangers. An attempt with an unknown link counts as well.
 * @throws 404 if the link is unknown or expired, 429, 503 if too many passwords wait
 */
export async function hashForLink(
  { db, attempt }: { db: Reader } & Pick<Services, 'attempt'>,
  { secret, purpose, password }: PasswordLink,
  { ip, now, signal }: { ip: string; now: Date; signal?: AbortSignal },
): Promise<string> {
  const counted = { ip, by: 'link' as const }
  const { userId } = await needAccountToken(db, secret, purpose, now).catch(async (error: unknown) => {
    await attempt(counted, now)
    throw error
  })
  return tryPassword({ attempt }, { counted, known: userId, now, signal }, ({ hash }) => hash(password))
}
