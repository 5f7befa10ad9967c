import { because } from '../core/languages/reasons.ts'
import type { Reasoned } from '../core/languages/reasoned.ts'
import type { Mail } from '../mail/mail.ts'
import { isRefusedForGood } from '../mail/refused.ts'

/** Mail that knows how its last attempt ended. */
export interface WatchedMail extends Mail {
  /** Why the mail server did not accept the last e-mail; undefined if it did, or if it refused only this one. */
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
    async send(email, withinMs) {
      try {
        await mail.send(email, withinMs)
        fault = undefined
      } catch (error) {
        fault = isRefusedForGood(error) ? undefined : because('mail-failing')
        throw error
      }
    },
    fault: () => fault,
  }
}
