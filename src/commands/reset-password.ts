import { readConfig } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { insertAccountToken } from '../model/account.ts'
import { appendAuditEvent, BY_SYSTEM, INSTANCE_LOG } from '../model/audit-chain.ts'
import { readLocal } from '../setup.ts'
import { UsageError } from './usage.ts'

/** Prints a link that the user with an address sets a new password with, for where no mail can bring it to them. */
export async function resetPasswordCommand([email, ...more]: string[]): Promise<void> {
  if (!email || more.length > 0) throw new UsageError('Name one address: lectern reset-password <address>')

  const config = readConfig(process.env)
  const url = config.url ?? readLocal(config.data)?.url
  if (!url) throw new UsageError('Set LECTERN_URL, or start the server once: the link leads to it')

  const db = await openDatabase(config)
  try {
    const secret = await db.write(async (tx) => {
      const now = new Date()
      const user = await tx
        .selectFrom('user')
        .select('id')
        .where('email', '=', email.toLowerCase())
        .executeTakeFirst()
      if (!user) throw new UsageError(`Nobody has the address ${email}`)
      await appendAuditEvent(tx, INSTANCE_LOG, {
        ...BY_SYSTEM,
        occurredAt: now.toISOString(),
        action: 'user.reset-password',
        targetType: 'user',
        targetId: user.id,
        targetLabel: null,
        payload: '{}',
      })
      // It is passed on by hand, so using it does not prove the address.
      const link = { userId: user.id, organizationId: null, mailed: false, now }
      return insertAccountToken(tx, { ...link, purpose: 'password-reset' })
    })
    console.log(`${url}/app/password#${secret}`)
  } finally {
    await db.close()
  }
}
