import type { EmailMessage } from './message.ts'

export interface SmtpConfig {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
  url: string
  from: string
}

/** The part of nodemailer that is used. The library is loaded with the first email, to keep the start fast. */
interface Library {
  createTransport(options: { url: string } & typeof WITHIN_MS): {
    sendMail(
      message: EmailMessage & { from: string; disableFileAccess: true; disableUrlAccess: true },
    ): Promise<unknown>
  }
}

/** Without these limits, a mail server that accepts a connection and never responds would hold an email for minutes. */
const WITHIN_MS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
}

const LIBRARY: string = 'nodemailer'

/** Sends by SMTP. The returned function rejects if the server does not accept the email. */
export function smtp({ url, from }: SmtpConfig): (email: EmailMessage) => Promise<void> {
  let transport: Promise<ReturnType<Library['createTransport']>> | undefined

  return async (email) => {
    transport ??= import(LIBRARY).then(({ default: library }: { default: Library }) =>
      library.createTransport({ url, ...WITHIN_MS }),
    )
    const opened = await transport
    await opened.sendMail({ ...email, from, disableFileAccess: true, disableUrlAccess: true })
  }
}
