import { appendAuditEvent, BY_SYSTEM } from '../model/audit/chain.ts'
import { logsOfUser } from '../model/audit/user-event.ts'
import { insertAccountToken } from '../model/people/account.ts'
import { linkForUser } from './user-link.ts'

/**
 * Prints a link that signs a user in without a password and past single sign-on, for administrators whose identity
 * provider is down.
 */
export async function signInLinkCommand(args: string[]): Promise<void> {
  await linkForUser('sign-in-link', args, async (tx, signing, userId, now) => {
    // The administrators of the organizations see that there is such a link.
    for (const organizationId of await logsOfUser(tx, userId))
      await appendAuditEvent(tx, signing, organizationId, {
        ...BY_SYSTEM,
        occurredAt: now.toISOString(),
        action: 'account.recovery.link',
        targetType: 'user',
        targetId: userId,
        targetLabel: null,
        payload: '{}',
      })
    const link = { userId, organizationId: null, mailed: false, now }
    const secret = await insertAccountToken(tx, { ...link, purpose: 'sign-in' })
    return `/sso/recover#${secret}`
  })
}
