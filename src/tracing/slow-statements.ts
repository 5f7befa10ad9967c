import { currentWork } from '../core/runtime/work.ts'

/** Learns of slow statements. */
export interface SlowStatementLog {
  warn(fact: object, message: string): void
}

/** The most lines of a minute. */
const MOST_LINES = 20
const MINUTE_MS = 60_000
const LONGEST_TEXT = 4_000

/**
 * Logs statements that took long: their text without the values of their parameters, and what they were for. More than 20
 * in a minute are counted in one line at its end.
 */
export function slowStatements(
  limitMs: number,
  log: () => SlowStatementLog | undefined,
  minuteMs = MINUTE_MS,
): (sql: string, ms: number) => boolean {
  let lines = 0
  let leftOut = 0
  let timer: NodeJS.Timeout | undefined

  function endMinute(): void {
    timer = undefined
    if (leftOut > 0) log()?.warn({ leftOut }, 'slow statements left out')
    lines = 0
    leftOut = 0
  }

  return (sql, ms) => {
    if (ms < limitMs) return false
    timer ??= setTimeout(endMinute, minuteMs).unref()
    if (++lines > MOST_LINES) {
      leftOut++
      return true
    }
    const work = currentWork()
    const fact = {
      sql: sql.slice(0, LONGEST_TEXT),
      ms: Math.round(ms),
      work: work?.name,
      trace: work?.traceId,
    }
    log()?.warn(fact, 'slow statement')
    return true
  }
}
