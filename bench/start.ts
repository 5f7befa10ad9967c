import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { answering, cpuOf, end, freePort, median, PACE, pinned, spread } from './measure.ts'
import type { Result } from './result.ts'
import { buildPackage } from '../tools/package/build.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SETTLE_MS = 2_000

/** The program of a package that was made from the clone, in a folder as packages are. It finds its dependencies above. */
async function packagedProgram(): Promise<string> {
  const installed = join(ROOT, '.cache/start/node_modules/lectern')
  mkdirSync(installed, { recursive: true })
  for (const name of ['bin', 'package.json'])
    cpSync(join(ROOT, name), join(installed, name), { recursive: true })
  await buildPackage(join(installed, 'dist'))
  return join(installed, 'bin/lectern.js')
}

/** From the command to the first answer, and memory when nothing happens, of a package; a bare server beside it. */
export async function start(): Promise<Result[]> {
  const program = await packagedProgram()
  const data = mkdtempSync(join(tmpdir(), 'lectern-start-'))
  const file = join(data, 'one')
  writeFileSync(file, 'x')
  const ours: Started = { times: [], cpu: [], memory: [] }
  const bare: Started = { times: [], cpu: [], memory: [] }

  for (let run = 0; run <= PACE.runs; run++) {
    const port = await freePort()
    const env = { PORT: String(port), LECTERN_DATA: data, LECTERN_LOG: 'error' }
    await measure(ours, run, [program], `http://127.0.0.1:${port}/v1`, env)
    const other = await freePort()
    await measure(
      bare,
      run,
      ['bench/reference-bytes.ts', String(other), file],
      `http://127.0.0.1:${other}`,
      {},
    )
  }
  rmSync(data, { recursive: true, force: true })
  return [
    {
      ...line('start to first answer, ms / node:http', ours.times, bare.times, '≤ 800 ms'),
      cpu: median(ours.cpu),
    },
    line('idle memory (RSS), MB / node:http', ours.memory, bare.memory, '≤ 120 MB'),
  ]
}

interface Started {
  times: number[]
  /** The CPU time until the first answer, in milliseconds. */
  cpu: number[]
  memory: number[]
}

async function measure(
  into: Started,
  run: number,
  args: string[],
  url: string,
  env: Record<string, string>,
): Promise<void> {
  const started = performance.now()
  const child = pinned('0', args, env)
  await answering(url)
  const time = performance.now() - started
  const cpu = cpuOf({ process: child })
  await wait(SETTLE_MS)
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  await end(child)
  // The first start sets up the database; what is measured is a start like any other.
  if (run === 0) return
  into.times.push(time)
  into.cpu.push(cpu)
  into.memory.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

function line(scenario: string, ours: number[], reference: number[], goal: string): Result {
  return {
    scenario,
    ours: median(ours).toFixed(0),
    reference: median(reference).toFixed(0),
    ratio: median(ours) / median(reference),
    spread: spread(ours),
    goal,
  }
}
