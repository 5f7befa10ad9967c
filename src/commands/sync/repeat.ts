/** Repeats work: at intervals, when it is asked for, and soon after it failed. */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'

/** When work is repeated. */
export interface RepeatOptions {
  /** The milliseconds from the end of a run to the next; undefined to wait until it is asked for. */
  every: number | undefined
  /** The milliseconds from a failed run to the next, if that is sooner. */
  retryAfter: number
  /** Ends the repetition after the run that takes place. */
  signal: AbortSignal
}

/** Work that is repeated. */
export interface Repeated {
  /** Asks for a run. Those who ask during a run share the next one. */
  ask(): void
  /** Resolves when the repetition has ended. */
  ended: Promise<void>
}

/** Runs work now, and again. @param run returns whether it succeeded */
export function repeat(run: () => Promise<boolean>, { every, retryAfter, signal }: RepeatOptions): Repeated {
  const asked = new EventTarget()
  let isAsked = true
  const ask = () => {
    isAsked = true
    asked.dispatchEvent(new Event('ask'))
  }
  return { ask, ended: loop() }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      isAsked = false
      const succeeded = await run()
      const longest = succeeded ? every : Math.min(retryAfter, every ?? retryAfter)
      if (!isAsked) await untilAsked(longest)
    }
  }

  async function untilAsked(longest: number | undefined): Promise<void> {
    const done = new AbortController()
    const either = { signal: AbortSignal.any([signal, done.signal]) }
    const waits: Promise<unknown>[] = [once(asked, 'ask', either)]
    if (longest !== undefined) waits.push(wait(longest, undefined, either))
    await Promise.race(waits.map((one) => one.catch(() => undefined)))
    done.abort()
  }
}
