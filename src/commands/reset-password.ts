import { appendAuditEvent, BY_SYSTEM, INSTANCE_LOG } from '../model/audit/chain.ts'
import { insertAccountToken } from '../model/people/account.ts'
import { deleteSecondFactor } from '../model/people/second-factor.ts'
import { linkForUser } from './user-link.ts'

/**
 * Prints a link with which a user can set a new password, for installations without a mail server. It can also remove the
 * second factor of a user who has neither the authenticator app nor a recovery code.
 */
export async function resetPasswordCommand(
  args: string[],
  options: { 'remove-second-factor'?: boolean | undefined } = {},
): Promise<void> {
  const removes = options['remove-second-factor'] ?? false
  await linkForUser('reset-password', args, async (tx, signing, userId, now) => {
    await appendAuditEvent(tx, signing, INSTANCE_LOG, {
      ...BY_SYSTEM,
      occurredAt: now.toISOString(),
      action: 'user.reset-password',
      targetType: 'user',
      targetId: userId,
      targetLabel: null,
      payload: removes ? JSON.stringify({ after: { secondFactor: null } }) : '{}',
    })
    if (removes) await deleteSecondFactor(tx, userId)
    // An operator passes the link on, so using it does not prove that the user owns the address.
    const link = { userId, organizationId: null, mailed: false, now }
    const secret = await insertAccountToken(tx, { ...link, purpose: 'password-reset' })
    return `/app/password#${secret}`
  })
}
