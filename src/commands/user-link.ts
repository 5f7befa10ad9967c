import { sealedBy } from '../access/credentials/sealing.ts'
import { readConfig } from '../installation/config.ts'
import { openDatabase } from '../db/open.ts'
import type { Tx } from '../db/schema.ts'
import type { Signing } from '../model/audit/signing.ts'
import { openKeyring } from '../installation/secrets.ts'
import { readLocal } from '../installation/setup.ts'
import { UsageError } from './usage.ts'
import { printLines } from './print.ts'

/**
 * Prints a link for the user with an e-mail address.
 * @param make makes the link in a transaction @returns its path
 */
export async function linkForUser(
  command: string,
  [email, ...more]: string[],
  make: (tx: Tx, signing: Signing, userId: string, now: Date) => Promise<string>,
): Promise<void> {
  if (!email || more.length > 0) throw new UsageError(`Name one email address: lectern ${command} <email>`)

  const config = readConfig(process.env)
  const url = config.url ?? readLocal(config.data)?.url
  if (!url)
    throw new UsageError(
      'The address of the server is unknown, but the link needs it. Set LECTERN_URL, or start the server once',
    )

  const db = await openDatabase(config)
  try {
    const signing = sealedBy(await openKeyring(db, config))
    const path = await db.write(async (tx) => {
      const user = await tx
        .selectFrom('user')
        .select('id')
        .where('email', '=', email.toLowerCase())
        .executeTakeFirst()
      if (!user) throw new UsageError(`No user has the email address ${email}`)
      return make(tx, signing, user.id, new Date())
    })
    printLines(url + path)
  } finally {
    await db.close()
  }
}
