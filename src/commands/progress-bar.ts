import { printable } from '../core/text/printable.ts'

/** The time between two drawings on a terminal. */
const TICK_MS = 100
/** The time between two lines elsewhere, such as in the log of a build. Short work prints none. */
const LINE_MS = 5_000
const WIDTH = 30
const CLEAR = '\r\u001b[K'

/** The current work, and how far it is. Without a total, only the amount is shown; without an amount, the time. */
export interface ProgressState {
  label: string
  done?: number | undefined
  total?: number | undefined
  /** Amounts are bytes. */
  isBytes?: boolean
}

export interface ProgressBar {
  /** Adds to the amount that is done. */
  add(amount: number): void
  show(state: ProgressState): void
  /** Removes the bar from a terminal. */
  end(): void
}

/** Where progress is shown. */
export interface ProgressOutput {
  isTTY?: boolean
  write(text: string): unknown
}

/** How progress is shown. */
export interface ProgressOptions {
  /** Shows nothing. */
  isQuiet?: boolean | undefined
  out?: ProgressOutput
  lineMs?: number
}

/** Progress on stderr: a line that is drawn again on a terminal, and a line every five seconds elsewhere. */
export function progressBar(
  start: string | ProgressState,
  { isQuiet = false, out = process.stderr, lineMs = LINE_MS }: ProgressOptions = {},
): ProgressBar {
  let state: ProgressState = typeof start === 'string' ? { label: start } : start
  let since = performance.now()
  let tick = 0
  let isDrawn = false
  const isTerminal = out.isTTY === true

  function draw() {
    const label = printable(state.label)
    const seconds = `${Math.floor((performance.now() - since) / 1000)} s`
    const amount = amountOf(state) || seconds
    if (isTerminal) out.write(`${CLEAR}${label.padEnd(10)} ${barOf(state, tick++)} ${amount}`)
    else out.write(`${label}: ${amount}\n`)
    isDrawn = true
  }
  const timer = isQuiet ? undefined : setInterval(draw, isTerminal ? TICK_MS : lineMs)
  timer?.unref()

  return {
    add(amount) {
      state.done = (state.done ?? 0) + amount
    },
    show(next) {
      if (next.label !== state.label) since = performance.now()
      state = { ...next }
    },
    end() {
      clearInterval(timer)
      if (isDrawn && isTerminal) out.write(CLEAR)
    },
  }
}

const MB = 1_000_000

function amountOf({ done, total, isBytes = false }: ProgressState): string {
  if (done === undefined) return ''
  const number = (amount: number) => (isBytes ? (amount / MB).toFixed(1) : String(amount))
  const unit = isBytes ? ' MB' : ''
  return total === undefined ? `${number(done)}${unit}` : `${number(done)} of ${number(total)}${unit}`
}

function barOf({ done = 0, total }: ProgressState, tick: number): string {
  if (total === undefined) return moving(tick)
  const share = total === 0 ? 1 : Math.min(1, done / total)
  return '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
}

function moving(tick: number): string {
  const at = tick % WIDTH
  return `${'░'.repeat(at)}█${'░'.repeat(WIDTH - at - 1)}`
}
