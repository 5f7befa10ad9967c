const WIDTH = 30
const TICK_MS = 100

export interface ProgressBar {
  /** Adds to the amount that is done. */
  add(amount: number): void
  /** Draws the bar a last time and ends its line. */
  end(): void
}

/** A progress bar if stderr is a terminal, otherwise nothing. Without a total, the bar only moves. */
export function progressBar(label: string, total?: number): ProgressBar {
  const { stderr } = process
  let count = 0
  let tick = 0

  function draw() {
    const share = total === undefined ? undefined : Math.min(1, total === 0 ? 1 : count / total)
    const bar =
      share === undefined ? moving(tick++) : '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
    const percent = share === undefined ? '' : ` ${Math.floor(share * 100)} %`
    stderr.write(`\r${label.padEnd(10)} ${bar}${percent}`)
  }
  const timer = stderr.isTTY ? setInterval(draw, TICK_MS) : undefined
  timer?.unref()

  return {
    add(amount) {
      count += amount
    },
    end() {
      clearInterval(timer)
      if (!stderr.isTTY) return
      draw()
      stderr.write('\n')
    },
  }
}

function moving(tick: number): string {
  const at = tick % WIDTH
  return `${'░'.repeat(at)}█${'░'.repeat(WIDTH - at - 1)}`
}
