import type { Mail } from '../src/mail/mail.ts'
import type { EmailMessage } from '../src/mail/message.ts'

/** A mail server that stores what it receives. */
export function mailbox(): Mail & { letters: EmailMessage[] } {
  const letters: EmailMessage[] = []
  return {
    configured: true,
    letters,
    async send(letter) {
      letters.push(letter)
    },
  }
}

/** The fragment of a link, after “#”. */
export const secretIn = (text: string): string => /#([0-9a-z]+)/.exec(text)?.[1] ?? ''
