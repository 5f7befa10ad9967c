import { cpuTime } from '../../cpu.ts'

const LEAST_MS = 250
const MS_PER_CHARACTER = 0.05

/** Fails if work on an input of a length costs far more than it does for real pages. */
export function assertCheap(length: number, work: () => unknown, leastMs = LEAST_MS): void {
  const cost = () => {
    const start = cpuTime()
    work()
    return cpuTime() - start
  }
  const most = leastMs + length * MS_PER_CHARACTER
  // The first run may include the garbage of earlier ones.
  const took = cost()
  if (took > most && cost() > most) throw new Error(`${length} characters took ${took.toFixed(0)} ms`)
}
