import { unavailable } from '../errors.ts'
import type { Counted, Network } from './networks.ts'
import { because } from '../../core/languages/reasons.ts'

/** How many bytes may be in memory at once, because clients have not read them or not sent them all. */
export interface Bounds {
  /** All callers together. */
  total: number
  /**
   * One caller. A single answer that is larger has to be the only one of its caller. Larger networks have one and a half,
   * and two shares.
   */
  share: number
  /** All requests together that wait for room. */
  waiting: number
  /** How long a request waits, in milliseconds. */
  waitMs: number
}

/** Gives back what was taken. A second call does nothing. */
export type Release = () => void

/** Counts the bytes in flight. */
export interface InFlight {
  /**
   * Takes room for some bytes. Over a bound, the caller waits for its turn. The result is a promise only then, because
   * nearly all requests find room at once.
   * @throws 503 if there is no room in time, or if too many bytes wait already
   */
  take(caller: Counted, bytes: number): Release | Promise<Release>
}

interface Waiting {
  caller: readonly Network[]
  bytes: number
  grant: (release: Release) => void
}

const RETRY_S = 5
const SHARES = [1, 1.5, 2] as const

/** Creates a count with its own bounds. @param what names the bytes in the message to the client */
export function inFlight({ total, share, waiting, waitMs }: Bounds, what: string): InFlight {
  const held = new Map<string, number>()
  const queue = new Set<Waiting>()
  let taken = 0
  let queued = 0

  const over = () => unavailable(because('too-many-bytes-in-flight', { what }), RETRY_S)
  const sum = (name: string) => held.get(name) ?? 0
  const fits = (before: number, bytes: number, bound: number) => before === 0 || before + bytes <= bound
  const hasRoom = (caller: readonly Network[], bytes: number) =>
    fits(taken, bytes, total) &&
    caller.every(({ name, level }) => fits(sum(name), bytes, SHARES[level] * share))

  function add(caller: readonly Network[], bytes: number): void {
    taken += bytes
    for (const { name } of caller) {
      const now = sum(name) + bytes
      if (now > 0) held.set(name, now)
      else held.delete(name)
    }
  }

  function hold(caller: readonly Network[], bytes: number): Release {
    add(caller, bytes)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      add(caller, -bytes)
      admitNext()
    }
  }

  /** In the order of arrival; a caller whose own share is used up does not hold up the others. */
  function admitNext(): void {
    for (const one of queue) {
      if (!hasRoom(one.caller, one.bytes)) continue
      queue.delete(one)
      queued -= one.bytes
      one.grant(hold(one.caller, one.bytes))
    }
  }

  function wait(caller: readonly Network[], bytes: number): Promise<Release> {
    if (!fits(queued, bytes, waiting)) throw over()
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const one = { caller, bytes, grant: resolve }
    queue.add(one)
    queued += bytes
    const timer = setTimeout(() => {
      if (!queue.delete(one)) return
      queued -= bytes
      reject(over())
    }, waitMs)
    return promise.finally(() => clearTimeout(timer))
  }

  return {
    take(counted, bytes) {
      const caller = typeof counted === 'string' ? [{ name: counted, level: 0 as const }] : counted
      return hasRoom(caller, bytes) ? hold(caller, bytes) : wait(caller, bytes)
    },
  }
}
