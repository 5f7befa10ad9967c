/** Counts and times that a process keeps in memory, and writes to the database periodically. */
import type { FastifyBaseLogger } from 'fastify'
import { isBusy } from '../db/errors.ts'
import type { Metering } from './callers.ts'

const FLUSH_MS = 10_000
const EXCHANGE_MS = 1_000

/** Work that a server repeats, and does a last time when it closes. */
export interface RepeatedWork {
  run(): Promise<unknown>
  /** Repeats it no longer. */
  stop(): void
}

function repeat(run: () => Promise<unknown>, ms: number): RepeatedWork {
  const timer = setInterval(() => void run(), ms)
  timer.unref()
  return { run, stop: () => clearInterval(timer) }
}

/** Writes when tokens and sessions were used, and the events of visitors. */
export function flushing(
  { tokens, scimTokens, sessions, services }: Metering,
  log: FastifyBaseLogger,
): RepeatedWork {
  const collected = [tokens, scimTokens, sessions, services.insights]
  const run = () =>
    Promise.all(collected.map((one) => one.flush())).catch((error: unknown) => {
      if (!isBusy(error)) return log.error(error)
      log.warn(
        'The database is locked, so the times at which tokens and sessions were used, and the events of visitors, are written later',
      )
    })
  return repeat(run, FLUSH_MS)
}

/** Exchanges the counts and the imports of this copy with the others. Without the database, it goes on counting for itself. */
export function exchanging({ services }: Metering, log: FastifyBaseLogger): RepeatedWork {
  let isApart = false
  const run = async () => {
    try {
      await Promise.all([services.rates.exchange(), services.imports.publish()])
      isApart = false
    } catch (err) {
      if (!isApart)
        log.warn({ err }, 'this copy cannot tell the others what it has counted and imports; it will retry')
      isApart = true
    }
  }
  return repeat(run, EXCHANGE_MS)
}
