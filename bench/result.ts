import { type Load, median, spread } from './measure.ts'

/** One line of the table. */
export interface Result {
  scenario: string
  ours: string
  reference: string
  /** Ours divided by the reference. */
  ratio: number
  /** The spread of ours: lowest and highest of the counted runs. */
  spread: string
  goal: string
  /** The CPU time of the server for one request, page or start, in milliseconds, where it is measured. */
  cpu?: number
}

/** A line that compares requests a second. */
export function rateLine(
  scenario: string,
  ours: readonly Load[],
  reference: readonly Load[],
  goal: string,
): Result {
  const [own, other] = [ours, reference].map((loads) => loads.map(({ rate }) => rate))
  return {
    scenario,
    ours: `${median(own!).toFixed(0)}/s`,
    reference: `${median(other!).toFixed(0)}/s`,
    ratio: median(own!) / median(other!),
    spread: spread(own!),
    goal,
    cpu: median(ours.map(({ cpu }) => cpu)),
  }
}

/** Milliseconds, or microseconds of what is faster. */
export function shownCpu(cpu: number | undefined): string {
  if (cpu === undefined || Number.isNaN(cpu)) return ''
  return cpu < 1 ? `${(cpu * 1000).toFixed(0)} µs` : `${cpu.toFixed(1)} ms`
}
