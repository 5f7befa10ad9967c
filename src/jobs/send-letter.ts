import type { Tx } from '../db/schema.ts'
import type { Services } from '../http/route.ts'
import type { Letter } from '../mail/mail.ts'
import { insertAccountToken } from '../model/account.ts'
import { renewInvite } from '../model/invitation.ts'
import { invitationLetter, joinLetter, resetLetter } from '../model/letters.ts'

type Task =
  | { letter: 'invitation'; userId: string; organizationId: string }
  | { letter: 'join'; inviteId: string }
  | { letter: 'password-reset'; email: string }

/**
 * Writes a letter and hands it in. The secret of its link is made here and not where the letter was asked for, so that
 * no secret waits in the queue; a letter tried again has a link of its own, and the one before ends.
 */
export function sendLetter({ db, at, mail, now }: Services) {
  return async (task: Task): Promise<void> => {
    const letter = await db.write((tx) => write(tx, task, at.app, now()))
    if (letter) await mail.send(letter)
  }
}

async function write(
  tx: Tx,
  task: Task,
  app: (path: string) => string,
  now: Date,
): Promise<Letter | undefined> {
  if (task.letter === 'password-reset') {
    const user = await tx
      .selectFrom('user')
      .select(['id', 'email'])
      .where('email', '=', task.email)
      .executeTakeFirst()
    if (!user?.email) return undefined
    const link = {
      userId: user.id,
      purpose: 'password-reset',
      organizationId: null,
      mailed: true,
      now,
    } as const
    return resetLetter(user.email, app(`/password#${await insertAccountToken(tx, link)}`))
  }

  if (task.letter === 'join') {
    const invite = await tx
      .selectFrom('invite')
      .innerJoin('organization', 'organization.id', 'invite.organizationId')
      .select(['invite.email', 'organization.id', 'organization.title'])
      .where('invite.id', '=', task.inviteId)
      .where('invite.usedAt', 'is', null)
      .executeTakeFirst()
    if (!invite?.email) return undefined
    const secret = await renewInvite(tx, task.inviteId, now)
    return joinLetter(invite.email, invite.title, app(`/join/${invite.id}#${secret}`))
  }

  // Whoever was removed meanwhile gets no letter.
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
  return invitationLetter(user.email, user.title, app(`/invitation#${await insertAccountToken(tx, link)}`))
}
