import { readConfig } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { insertAccountToken } from '../model/people/account.ts'
import { appendAuditEvent, BY_SYSTEM, INSTANCE_LOG } from '../model/audit/chain.ts'
import { readLocal } from '../setup.ts'
import { UsageError } from './usage.ts'

/** Prints a link with which a user can set a new password, for installations without a mail server. */
export async function resetPasswordCommand([email, ...more]: string[]): Promise<void> {
  if (!email || more.length > 0)
    throw new UsageError('Name one email address: lectern reset-password <email>')

  const config = readConfig(process.env)
  const url = config.url ?? readLocal(config.data)?.url
  if (!url)
    throw new UsageError(
      'The address of the server is unknown, but the link needs it. Set LECTERN_URL, or start the server once',
    )

  const db = await openDatabase(config)
  try {
    const secret = await db.write(async (tx) => {
      const now = new Date()
      const user = await tx
        .selectFrom('user')
        .select('id')
        .where('email', '=', email.toLowerCase())
        .executeTakeFirst()
      if (!user) throw new UsageError(`No user has the email address ${email}`)
      await appendAuditEvent(tx, INSTANCE_LOG, {
        ...BY_SYSTEM,
        occurredAt: now.toISOString(),
        action: 'user.reset-password',
        targetType: 'user',
        targetId: user.id,
        targetLabel: null,
        payload: '{}',
      })
      // An operator passes the link on, so using it does not prove that the user owns the address.
      const link = { userId: user.id, organizationId: null, mailed: false, now }
      return insertAccountToken(tx, { ...link, purpose: 'password-reset' })
    })
    console.log(`${url}/app/password#${secret}`)
  } finally {
    await db.close()
  }
}
