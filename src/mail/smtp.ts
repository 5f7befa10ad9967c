import type { Letter } from './mail.ts'

export interface SmtpConfig {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
  url: string
  from: string
}

/** What is used of the library; it is loaded with the first letter, so that no other start pays for it. */
interface Library {
  createTransport(url: string): {
    sendMail(
      message: Letter & { from: string; disableFileAccess: true; disableUrlAccess: true },
    ): Promise<unknown>
  }
}

const LIBRARY: string = 'nodemailer'

/** Sends through a mail server. The function rejects when the server does not take the letter. */
export function smtp({ url, from }: SmtpConfig): (letter: Letter) => Promise<void> {
  let transport: Promise<ReturnType<Library['createTransport']>> | undefined

  return async (letter) => {
    transport ??= import(LIBRARY).then(({ default: library }: { default: Library }) =>
      library.createTransport(url),
    )
    const opened = await transport
    await opened.sendMail({ ...letter, from, disableFileAccess: true, disableUrlAccess: true })
  }
}
