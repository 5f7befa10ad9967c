import type { FastifyRequest } from 'fastify'
import { SESSION_COOKIE } from '../access/credentials/sessions.ts'
import { hashSecret } from '../access/credentials/tokens.ts'
import type { Tx } from '../db/schema.ts'
import { cookieOf } from '../http/request/cookies.ts'
import type { SessionTimes } from '../http/route.ts'
import { appendAuditEvent, type NewAuditEvent } from '../model/audit/chain.ts'
import type { Signing } from '../model/audit/signing.ts'
import { appendUserEvent } from '../model/audit/user-event.ts'
import type { IdentityProvider } from '../model/membership/identity-provider.ts'
import { endProviderSessions } from '../model/membership/provider-logout.ts'
import { openSession, type SamlName } from '../model/people/session.ts'
import type { LogoutRequest } from './saml-logout.ts'
import { refuse } from './sign-in-refused.ts'

/** Opens the session of a person whom a provider signed in. @returns the value of the cookie */
export async function openSessionFor(
  tx: Tx,
  signing: Signing,
  {
    userId,
    provider,
    joined,
    samlName,
    request,
    id,
    times,
    now,
  }: {
    userId: string
    provider: IdentityProvider
    /** Whether the user has just become a member. */
    joined: boolean
    samlName: SamlName | undefined
    request: FastifyRequest
    id: string
    times: SessionTimes
    now: Date
  },
): Promise<string> {
  const { ip, headers } = request
  const cookie = await openSession(tx, {
    id,
    userId,
    method: provider.kind,
    providerId: provider.id,
    organizationId: provider.organizationId,
    samlName,
    ip,
    userAgent: headers['user-agent'],
    replaces: cookieOf(request, SESSION_COOKIE),
    times,
    now,
  })
  await log(
    tx,
    signing,
    provider.organizationId,
    { userId, request, now },
    {
      action: 'account.sso.sign-in',
      targetType: `${provider.kind}-provider`,
      targetId: provider.id,
      targetLabel: provider.label,
      payload: JSON.stringify({ after: { session: id, joined } }),
    },
  )
  return cookie
}

/** Ends the sessions of a person whom a provider signs out, and records each. */
export async function endSessionsBy(
  tx: Tx,
  signing: Signing,
  provider: IdentityProvider,
  asked: Pick<LogoutRequest, 'name' | 'sessionIndexes'>,
  { request, now }: { request: FastifyRequest; now: Date },
): Promise<void> {
  const ended = await endProviderSessions(tx, provider.id, asked.name, asked.sessionIndexes)
  for (const { id, userId } of ended)
    await log(
      tx,
      signing,
      provider.organizationId,
      { userId, request, now },
      {
        action: 'account.sso.sign-out',
        targetType: `${provider.kind}-provider`,
        targetId: provider.id,
        targetLabel: provider.label,
        payload: JSON.stringify({ before: { session: id } }),
      },
    )
}

/** Opens a session with a link that the operator made. @returns the value of the cookie @throws SignInRefused */
export async function useRecoveryLink(
  tx: Tx,
  signing: Signing,
  {
    token,
    request,
    id,
    times,
    now,
  }: { token: string; request: FastifyRequest; id: string; times: SessionTimes; now: Date },
): Promise<string> {
  const link = await tx
    .updateTable('accountToken')
    .set({ usedAt: now.toISOString() })
    .where('hash', '=', hashSecret(token))
    .where('purpose', '=', 'sign-in')
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now.toISOString())
    .returning('userId')
    .executeTakeFirst()
  if (!link) return refuse('The link of the operator is unknown, used or expired')
  const { ip, headers } = request
  const { userId } = link
  const cookie = await openSession(tx, {
    id,
    userId,
    method: 'recovery',
    ip,
    userAgent: headers['user-agent'],
    replaces: cookieOf(request, SESSION_COOKIE),
    times,
    now,
  })
  await appendUserEvent(tx, signing, userId, {
    action: 'account.recovery.sign-in',
    ip,
    requestId: request.id,
    targetType: 'session',
    targetId: id,
    now,
  })
  return cookie
}

async function log(
  tx: Tx,
  signing: Signing,
  organizationId: string,
  { userId, request, now }: { userId: string; request: FastifyRequest; now: Date },
  event: Pick<NewAuditEvent, 'action' | 'targetType' | 'targetId' | 'targetLabel' | 'payload'>,
): Promise<void> {
  const user = await tx.selectFrom('user').select('displayName').where('id', '=', userId).executeTakeFirst()
  await appendAuditEvent(tx, signing, organizationId, {
    ...event,
    occurredAt: now.toISOString(),
    actorType: 'user',
    actorId: userId,
    actorLabel: user?.displayName ?? null,
    tokenId: null,
    source: 'ui',
    ip: request.ip,
    requestId: request.id,
  })
}
