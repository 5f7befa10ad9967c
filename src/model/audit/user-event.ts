import type { Reader, Tx } from '../../db/schema.ts'
import { appendAuditEvent, INSTANCE_LOG, type NewAuditEvent } from './chain.ts'
import type { Signing } from './signing.ts'

/** The logs of a change to a user's own account: those of every organization of the user. */
export async function logsOfUser(db: Reader, userId: string): Promise<string[]> {
  const memberships = await db
    .selectFrom('member')
    .select('organizationId')
    .where('userId', '=', userId)
    .orderBy('organizationId')
    .execute()
  return memberships.length > 0 ? memberships.map(({ organizationId }) => organizationId) : [INSTANCE_LOG]
}

/** Writes to the audit log what a user did with a page of the server, such as signing in. */
export async function appendUserEvent(
  tx: Tx,
  signing: Signing,
  userId: string,
  event: Pick<NewAuditEvent, 'action' | 'ip' | 'requestId' | 'targetType' | 'targetId'> & {
    now: Date
    after?: object
  },
): Promise<void> {
  const { now, after, ...fields } = event
  const user = await tx.selectFrom('user').select('displayName').where('id', '=', userId).executeTakeFirst()
  for (const organizationId of await logsOfUser(tx, userId)) {
    await appendAuditEvent(tx, signing, organizationId, {
      ...fields,
      occurredAt: now.toISOString(),
      actorType: 'user',
      actorId: userId,
      actorLabel: user?.displayName ?? null,
      tokenId: null,
      source: 'ui',
      targetLabel: null,
      payload: JSON.stringify(after ? { after } : {}),
    })
  }
}
