import type { EmailMessage } from './message.ts'
import { type SmtpConfig, smtp } from './smtp.ts'

/** Sends emails. If no mail server is configured, it logs the recipient and the subject instead. */
export interface Mail {
  configured: boolean
  send(email: EmailMessage): Promise<void>
}

/** Where emails that are not sent are logged. */
export interface MailLog {
  warn(fact: object, message: string): void
}

/** @param log called for each email, because the log is created after the mail service */
export function openMail(config: SmtpConfig | undefined, log: () => MailLog): Mail {
  if (config) return { configured: true, send: smtp(config) }
  return {
    configured: false,
    async send({ to, subject }) {
      log().warn({ to, subject }, 'email not sent: no mail server is configured')
    },
  }
}
