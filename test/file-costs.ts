/**
 * What each test file costs. `LECTERN_TEST_COSTS=costs.tsv npm test` appends a line per file to `costs.tsv`: the CPU seconds
 * of the process and all that it started, such as servers and browsers, the group, and the file. It reads `/proc`, so it
 * needs Linux. CPU time depends on the other work of a machine much less than the time of a clock does.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'

/** The kernel counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100

interface ProcessTimes {
  parent: number
  ticks: number
}

/** Runs a file of a group, and appends its line if `LECTERN_TEST_COSTS` names a file. */
export async function withCost(group: string, file: string, run: () => Promise<void>): Promise<void> {
  const path = process.env.LECTERN_TEST_COSTS
  if (!path) return run()
  const before = secondsOfTree()
  await run()
  appendFileSync(path, `${(secondsOfTree() - before).toFixed(1)}\t${group}\t${file}\n`)
}

/** The CPU seconds of this process, of those that descend from it, and of those that have ended. */
function secondsOfTree(): number {
  const times = processTimes()
  const isOfTree = (pid: number): boolean =>
    pid === process.pid || (times.has(pid) && isOfTree(times.get(pid)!.parent))
  let ticks = 0
  for (const [pid, own] of times) if (isOfTree(pid)) ticks += own.ticks
  return ticks / TICKS_PER_SECOND
}

function processTimes(): Map<number, ProcessTimes> {
  const found = new Map<number, ProcessTimes>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The name of the program may have spaces and brackets; numbers follow the last one.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      // User and system time, of the process and of those that ended and that it waited for (proc(5)).
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
      found.set(Number(name), { parent: Number(fields[1]), ticks })
    } catch {
      // The process has ended since the folder was read.
    }
  }
  return found
}
