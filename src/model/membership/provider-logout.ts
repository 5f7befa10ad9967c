import type { Reader, Tx } from '../../db/schema.ts'
import type { Sealing } from '../../http/route.ts'
import type { SamlName } from '../people/session.ts'
import type { IdentityProvider } from './identity-provider.ts'

const TICKET_MS = 5 * 60_000

/** The purpose of a ticket that signs a person out at a provider. */
const ticketPurpose = (providerId: string) => `sign-out at ${providerId}`

/** Whether a person can be signed out at a provider: it has an address for that, and this service a key to sign with. */
export const signsOut = ({ kind, logoutUrl, ownCertificate }: IdentityProvider): boolean =>
  kind === 'saml' && Boolean(logoutUrl) && ownCertificate !== null

/**
 * The path that signs a person out at the provider which signed them in, for the next five minutes. Call it before the
 * session ends, and send the browser there afterwards.
 * @returns undefined if the provider of the session does not take part in single logout
 */
export async function providerSignOutPath(
  db: Reader,
  sealing: Sealing,
  sessionId: string,
  now: Date,
): Promise<string | undefined> {
  const session = await db
    .selectFrom('session')
    .select(['providerId', 'samlName'])
    .where('id', '=', sessionId)
    .executeTakeFirst()
  if (!session?.providerId || session.samlName === null) return undefined
  const provider = await db
    .selectFrom('identityProvider')
    .selectAll()
    .where('id', '=', session.providerId)
    .executeTakeFirst()
  if (!provider || !signsOut(provider)) return undefined
  const content = JSON.stringify([session.samlName, now.getTime() + TICKET_MS])
  const ticket = sealing.seal(content, ticketPurpose(provider.id))
  return `/sso/${provider.id}/sign-out?ticket=${encodeURIComponent(ticket)}`
}

/** The person in a ticket for a provider; undefined if it is not valid, or no longer. */
export function readSignOutTicket(
  sealing: Sealing,
  providerId: string,
  ticket: string,
  now: Date,
): SamlName | undefined {
  const text = sealing.open(ticket, ticketPurpose(providerId))
  if (text === undefined) return undefined
  const [name, until] = JSON.parse(text) as [string, number]
  return until > now.getTime() ? (JSON.parse(name) as SamlName) : undefined
}

/**
 * Ends the sessions of a person that a provider opened.
 * @param sessionIndexes of the provider; if there are any, only the sessions of these end, and those without one
 * @returns the sessions that ended
 */
export async function endProviderSessions(
  tx: Tx,
  providerId: string,
  { nameID, format }: SamlName,
  sessionIndexes: readonly string[],
): Promise<{ id: string; userId: string }[]> {
  const found = await tx
    .selectFrom('session')
    .select(['id', 'userId', 'samlName'])
    .where('providerId', '=', providerId)
    .where('samlNameId', '=', nameID)
    .execute()
  const ended = found.filter(({ samlName }) => {
    const name = JSON.parse(samlName ?? '{}') as Partial<SamlName>
    const isOther = format !== undefined && name.format !== undefined && format !== name.format
    const { sessionIndex } = name
    const isNamed = sessionIndexes.length === 0 || !sessionIndex || sessionIndexes.includes(sessionIndex)
    return !isOther && isNamed
  })
  for (const { id } of ended) await tx.deleteFrom('session').where('id', '=', id).execute()
  return ended.map(({ id, userId }) => ({ id, userId }))
}
