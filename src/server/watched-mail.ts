import { because } from '../core/languages/reasons.ts'
import type { Reasoned } from '../core/languages/reasoned.ts'
import type { Mail } from '../mail/mail.ts'

/** Mail that knows how its last attempt ended. */
export interface WatchedMail extends Mail {
  /** Why the mail server did not accept the last email; undefined if it did, or if it refused only this one. */
  fault(): Reasoned | undefined
}

/** Remembers how the last attempt of this process ended, for `/readyz`, which sends nothing itself. */
export function watchedMail(mail: Mail): WatchedMail {
  let fault: Reasoned | undefined

  return {
    ...mail,
    get configured() {
      return mail.configured
    },
    async send(email) {
      try {
        await mail.send(email)
        fault = undefined
      } catch (error) {
        fault = isOfEmail(error) ? undefined : because('mail-failing')
        throw error
      }
    },
    fault: () => fault,
  }
}

/** Whether the server works, but does not accept this email for ever (RFC 5321, 4.2.1), such as for its recipient. */
function isOfEmail(error: unknown): boolean {
  const { responseCode = 0, code } = error as { responseCode?: number; code?: string }
  return code === 'EENVELOPE' && responseCode >= 500
}
