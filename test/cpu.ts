/**
 * The CPU time of this process so far, in milliseconds. Tests of cost compare it and not the clock, because other
 * processes on a busy machine do not add to it.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
