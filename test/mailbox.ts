import { workers } from '../src/jobs/workers.ts'
import { runDue } from '../src/jobs/queue.ts'
import type { Letter, Mail } from '../src/mail/mail.ts'
import type { World } from './world.ts'

/** A mail server that keeps what it is given. */
export function mailbox(): Mail & { letters: Letter[] } {
  const letters: Letter[] = []
  return {
    configured: true,
    letters,
    async send(letter) {
      letters.push(letter)
    },
  }
}

/** Does the jobs that are due, as the server's loop would. */
export async function doJobs({ db, app, clock }: World): Promise<void> {
  const fail = (fact: object, message: string) => {
    throw new Error(`${message}: ${String((fact as { err?: unknown }).err)}`)
  }
  const now = () => clock.now ?? new Date()
  while ((await runDue(db, workers(app.services), now, { warn: fail, error: fail })) > 0);
}

/** What a link has after “#”. */
export const secretIn = (text: string): string => /#([0-9a-z]+)/.exec(text)?.[1] ?? ''
