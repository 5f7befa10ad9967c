/** The e-mails about the syncs of a space with its repository. */
import { visibleSpaces } from '../../access/roles/visible.ts'
import type { Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import type { EmailMessage } from '../../mail/message.ts'
import { isReachable } from '../../mail/reachable.ts'
import { syncEmail } from '../people/emails.ts'
import { languageOfUser } from '../people/user.ts'

/** An e-mail to a user, which a job writes. */
export interface SyncEmailTask {
  template: 'sync-stopped' | 'sync-resumed'
  userId: string
  spaceId: string
}

/** The e-mail for a user; undefined if the user can no longer see the space, or has no address. */
export async function emailOfSync(
  tx: Tx,
  urls: Pick<Urls, 'app'>,
  { template, userId, spaceId }: SyncEmailTask,
): Promise<EmailMessage | undefined> {
  const user = await tx.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirst()
  if (!user || !isReachable(user.email)) return undefined
  if ((await visibleSpaces(tx, { userId }, [spaceId])).size === 0) return undefined
  const { title } = await tx
    .selectFrom('space')
    .select('title')
    .where('id', '=', spaceId)
    .executeTakeFirstOrThrow()
  const recipient = { to: user.email, language: await languageOfUser(tx, userId) }
  return syncEmail(recipient, template, { space: title, link: urls.app(`/s/${spaceId}/~/sync`) })
}
