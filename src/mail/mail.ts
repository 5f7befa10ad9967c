import { type MailFault, mailFaultOf } from './faults.ts'
import type { EmailMessage } from './message.ts'
import { type SmtpConfig, smtp } from './smtp.ts'

/** Sends emails. If no mail server is configured, it logs the recipient and the subject instead. */
export interface Mail {
  configured: boolean
  /** @param withinMs the limit of the whole e-mail; 80 seconds by default */
  send(email: EmailMessage, withinMs?: number): Promise<void>
  /** Explains an error that `send` threw; absent if no mail server is configured. */
  explain?(error: unknown): MailFault
}

/** Where emails that are not sent are logged. */
export interface MailLog {
  warn(fact: object, message: string): void
}

/** @param log called for each email, because the log is created after the mail service */
export function openMail(config: SmtpConfig | undefined, log: () => MailLog): Mail {
  if (config) {
    const send = smtp(config)
    return {
      configured: true,
      send: async (email, withinMs) => void (await send(email, withinMs)),
      explain: (error) => mailFaultOf(error, config),
    }
  }
  return {
    configured: false,
    async send({ to, subject }) {
      log().warn({ to, subject }, 'email not sent: no mail server is configured')
    },
  }
}
