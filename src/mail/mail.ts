import { type SmtpConfig, smtp } from './smtp.ts'

export interface Letter {
  to: string
  subject: string
  /** Plain text; may hold a secret, so it is never logged. */
  text: string
}

/** Sends letters, or, where no mail server is configured, says in the log what was not sent. */
export interface Mail {
  configured: boolean
  send(letter: Letter): Promise<void>
}

/** Where it is told what was not sent. */
export interface MailLog {
  warn(fact: object, message: string): void
}

/** @param log read at each use, because the log is there only after the server */
export function openMail(config: SmtpConfig | undefined, log: () => MailLog): Mail {
  if (config) return { configured: true, send: smtp(config) }
  return {
    configured: false,
    async send({ to, subject }) {
      log().warn({ to, subject }, 'not sent: no mail server is configured')
    },
  }
}
