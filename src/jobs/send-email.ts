import { type Reasoned, ReasonedError } from '../core/languages/reasoned.ts'
import type { Row, Tx } from '../db/schema.ts'
import type { Services } from '../http/route.ts'
import type { EmailMessage } from '../mail/message.ts'
import { isReachable } from '../mail/reachable.ts'
import { isRefusedForGood } from '../mail/refused.ts'
import { digestEmail } from '../model/events/digest.ts'
import { emailOfSync, type SyncEmailTask } from '../model/events/sync-email.ts'
import { insertAccountToken } from '../model/people/account.ts'
import { resetInvite } from '../model/membership/invitation.ts'
import { invitationEmail, joinEmail, passwordResetEmail } from '../model/people/emails.ts'
import { countReset } from '../model/people/sent-emails.ts'
import { setFact } from '../model/installation/facts.ts'
import { languageOfUser } from '../model/people/user.ts'
import { plainError } from './queue/plain-error.ts'
import { PermanentFault } from './queue/tries.ts'

type Task =
  /** `language` is that of the user who invites, for a recipient who has chosen none. */
  | { template: 'invitation'; userId: string; organizationId: string; language?: string }
  | { template: 'join'; inviteId: string; language?: string }
  | { template: 'password-reset'; email: string }
  | { template: 'digest'; userId: string; since: string }
  | SyncEmailTask

/**
 * Writes and sends an email. The job creates the secret of the email's link, so that the queue never contains a secret.
 * A retry creates a new link, and the previous link expires.
 */
export function sendEmail({ db, urls, mail, now }: Services) {
  return async (task: Task, { id }: Pick<Row<'job'>, 'id'>): Promise<void> => {
    const email = await db.write((tx) => {
      if (task.template === 'digest') return digestEmail(tx, urls, task)
      if ('spaceId' in task) return emailOfSync(tx, urls, task)
      return write(tx, task, { id, app: urls.app, now: now() })
    })
    if (email) await deliver({ db, mail, now }, email)
  }
}

/** Sends an email, and remembers whether the mail server accepted it. */
async function deliver(
  { db, mail, now }: Pick<Services, 'db' | 'mail' | 'now'>,
  email: EmailMessage,
): Promise<void> {
  try {
    await mail.send(email)
  } catch (error) {
    // A refused recipient is no fault of the mail server.
    if (!isRefusedForGood(error))
      await db.write((tx) => setFact(tx, 'mail-failed', `${now().toISOString()} ${plainError(error)}`))
    throw asFault(error, mail.explain?.(error).why)
  }
  if (mail.configured) await db.write((tx) => setFact(tx, 'mail-sent', now().toISOString()))
}

/**
 * The error of the job, which names the step that failed if it is known.
 * @returns a PermanentFault if the mail server refused the recipient or the e-mail for good
 */
function asFault(error: unknown, explained: Reasoned | undefined): ReasonedError {
  const why = explained ?? (error instanceof Error ? error.message : String(error))
  return isRefusedForGood(error)
    ? new PermanentFault(why, { cause: error })
    : new ReasonedError(why, { cause: error })
}

async function write(
  tx: Tx,
  task: Exclude<Task, { template: 'digest' } | SyncEmailTask>,
  { id, app, now }: { id: string; app: (path: string) => string; now: Date },
): Promise<EmailMessage | undefined> {
  if (task.template === 'password-reset') {
    const user = await tx
      .selectFrom('user')
      .leftJoin('account', 'account.userId', 'user.id')
      .select(['user.id', 'user.email', 'account.passwordHash', 'account.emailVerifiedAt'])
      .where('user.email', '=', task.email)
      .executeTakeFirst()
    if (!user || !isReachable(user.email)) return undefined
    const isClaimed = user.passwordHash !== null || user.emailVerifiedAt !== null
    if (!(await countReset(tx, { id, address: user.email, isClaimed, now }))) return undefined
    const link = {
      userId: user.id,
      purpose: 'password-reset',
      organizationId: null,
      mailed: true,
      now,
    } as const
    const recipient = { to: user.email, language: await languageOfUser(tx, user.id) }
    return passwordResetEmail(recipient, app(`/password#${await insertAccountToken(tx, link)}`))
  }

  if (task.template === 'join') {
    const invite = await tx
      .selectFrom('invite')
      .innerJoin('organization', 'organization.id', 'invite.organizationId')
      .leftJoin('user', 'user.email', 'invite.email')
      .leftJoin('userSettings', 'userSettings.userId', 'user.id')
      .select(['invite.email', 'organization.id', 'organization.title', 'userSettings.language'])
      .where('invite.id', '=', task.inviteId)
      .where('invite.usedAt', 'is', null)
      .executeTakeFirst()
    if (!invite?.email) return undefined
    const secret = await resetInvite(tx, task.inviteId, now)
    const recipient = { to: invite.email, language: invite.language ?? task.language }
    return joinEmail(recipient, invite.title, app(`/join/${invite.id}#${secret}`))
  }

  // A user who was removed from the organization meanwhile gets no email.
  const user = await tx
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select(['user.email', 'organization.title'])
    .where('member.userId', '=', task.userId)
    .where('member.organizationId', '=', task.organizationId)
    .executeTakeFirst()
  if (!user?.email) return undefined
  const { userId, organizationId } = task
  const link = { userId, purpose: 'invitation', organizationId, mailed: true, now } as const
  const recipient = { to: user.email, language: (await languageOfUser(tx, userId)) ?? task.language }
  return invitationEmail(recipient, user.title, app(`/invitation#${await insertAccountToken(tx, link)}`))
}
