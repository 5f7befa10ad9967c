/** Waits in a test for what happens elsewhere, such as in a server or at the other end of a connection. */
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'

const PATIENCE_MS = 60_000

/** Waits until a condition holds. Fails after a minute. @param what what did not happen, for the message */
export async function until(isTrue: () => boolean, what: string | (() => string)): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !isTrue(); await wait(5))
    assert(Date.now() < end, typeof what === 'string' ? what : what())
}
