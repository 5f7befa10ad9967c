import { workers } from '../src/jobs/workers.ts'
import { jobLoop } from '../src/jobs/queue.ts'
import type { Mail } from '../src/mail/mail.ts'
import type { EmailMessage } from '../src/mail/message.ts'
import type { World } from './world.ts'

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

/** Runs the jobs that are due, like the server’s loop. */
export async function doJobs({ db, app, clock }: World): Promise<void> {
  const fail = (fact: object, message: string) => {
    throw new Error(`${message}: ${String((fact as { err?: unknown }).err)}`)
  }
  const now = () => clock.now ?? new Date()
  await jobLoop(db, workers(app.services), now, { warn: fail, error: fail }).runDue()
}

/** The fragment of a link, after “#”. */
export const secretIn = (text: string): string => /#([0-9a-z]+)/.exec(text)?.[1] ?? ''
