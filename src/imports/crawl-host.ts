/** Requests to one host, one at a time and with a pause after each, also if several imports crawl the same host. */
import { setTimeout as sleep } from 'node:timers/promises'

/** The last request to each host that somebody waits for. */
const last = new Map<string, Promise<unknown>>()

/** Runs a request when the ones before it to the same host have ended, and the pause after them. */
export async function inTurnAtHost<T>(host: string, pauseMs: number, request: () => Promise<T>): Promise<T> {
  const before = last.get(host) ?? Promise.resolve()
  const own = before.then(request)
  const over = own.then(
    () => sleep(pauseMs),
    () => sleep(pauseMs),
  )
  last.set(host, over)
  void over.then(() => last.get(host) === over && last.delete(host))
  return own
}
