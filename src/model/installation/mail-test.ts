import { type Static, Type } from 'typebox'
import { because } from '../../core/languages/reasons.ts'
import { reasonFields } from '../../core/languages/reasoned.ts'
import type { Reader, Tx } from '../../db/schema.ts'
import { conflict } from '../../http/errors.ts'
import type { MailFault } from '../../mail/faults.ts'
import type { Mail } from '../../mail/mail.ts'
import { testEmail } from '../../mail/test-email.ts'
import { oneOf, ReasonOfMessage } from '../common.ts'
import { setFact } from './facts.ts'

/** Proxies in front of the server usually wait for a response for a minute. */
const SEND_WITHIN_MS = 30_000

const Explained = Type.Object({ message: Type.String(), ...ReasonOfMessage })

/** The outcome of a test of the mail server. */
export const MailTest = Type.Object(
  {
    object: oneOf(['mail-test']),
    email: Type.String({ description: 'The recipient' }),
    outcome: {
      ...oneOf(['accepted', 'failed']),
      description: '`accepted`: the mail server accepted the e-mail. It may still not deliver it',
    },
    fault: Type.Optional({ ...Explained, description: 'What failed, with the response of the mail server' }),
    advice: Type.Optional({ ...Explained, description: 'What an administrator can do' }),
  },
  { title: 'MailTest' },
)

/** Sends a test e-mail. @returns why it was not sent; undefined if the mail server accepted it */
export async function sendTestEmail(
  mail: Mail,
  email: string,
  url: string | undefined,
): Promise<MailFault | undefined> {
  try {
    await mail.send(testEmail(email, url), SEND_WITHIN_MS)
    return undefined
  } catch (error) {
    const fault = mail.explain?.(error)
    if (!fault) throw error
    return fault
  }
}

/** Remembers whether the mail server works, for its health check. */
export async function rememberMailTest(tx: Tx, fault: MailFault | undefined, now: Date): Promise<void> {
  const at = now.toISOString()
  if (!fault) return setFact(tx, 'mail-sent', at)
  // A refused recipient is no fault of the mail server.
  if (!fault.isPermanent) await setFact(tx, 'mail-failed', `${at} ${fault.why.message}`)
}

export const toMailTest = (email: string, fault: MailFault | undefined): Static<typeof MailTest> => ({
  object: 'mail-test',
  email,
  outcome: fault ? 'failed' : 'accepted',
  ...(fault && { fault: reasonFields(fault.why), advice: reasonFields(fault.advice) }),
})

/** The e-mail address of a user. @throws 409 if it cannot receive mail */
export async function mailAddress(db: Reader, userId: string): Promise<string> {
  const user = await db.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  // On another host, `localhost` is that host.
  if (!user.email || user.email.endsWith('@localhost')) throw conflict(because('mail-test-needs-address'))
  return user.email
}
