/** A limit on the time that is spent waiting: a stopwatch that aborts a signal. */
export interface Patience {
  /** Aborted with a `TimeoutError` when the time is up. */
  signal: AbortSignal
  /** Waiting begins. */
  start(): void
  /** Waiting ends. The time so far counts, until `renew`. */
  stop(): void
  /** Something came: the whole time is left again. */
  renew(): void
}

/** A limit for each step of a transfer. Unlike the timeouts of most clients, a step is not a single byte. */
export function patience(limitMs: number): Patience {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let since = 0
  let left = limitMs

  function expire() {
    controller.abort(new DOMException(`Nothing came for ${limitMs / 1000} seconds`, 'TimeoutError'))
  }
  const patient: Patience = {
    signal: controller.signal,
    start() {
      clearTimeout(timer)
      since = performance.now()
      timer = setTimeout(expire, left)
    },
    stop() {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      left = Math.max(0, left - (performance.now() - since))
    },
    renew() {
      left = limitMs
      if (timer !== undefined) patient.start()
    },
  }
  return patient
}
