import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const ROOT = resolve(import.meta.dirname, '..')
/** The core of the server that is measured, and of its references. */
export const SERVER_CORE = '0'
/** The core of what makes the load. */
export const LOAD_CORE = '1'
/** How often a measurement is repeated after its warm-up, and how many seconds each run of load takes. */
export const PACE = { runs: 5, seconds: 4 }
const CONNECTIONS = 32

/** A Lectern whose API can be called. */
export interface Connection {
  url: string
  /** Calls the API as the administrator. */
  call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
}

/** A running Lectern with an empty data folder. */
export interface Running extends Connection, AsyncDisposable {
  port: number
  token: string
  data: string
  process: ChildProcess
}

const TOKEN = 'benchmark-token-0123456789'

/** Starts the server as a user would, pinned to one core, or to those that are named. */
export async function startLectern(
  env: Record<string, string> = {},
  cores: string = SERVER_CORE,
): Promise<Running> {
  const data = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
  const port = await freePort()
  const child = pinned(cores, ['bin/lectern.js'], {
    PORT: String(port),
    LECTERN_DATA: data,
    LECTERN_LOG: 'error',
    LECTERN_RATE_LIMIT: '100000000',
    LECTERN_ADMIN_TOKEN: TOKEN,
    ...env,
  })
  const url = `http://127.0.0.1:${port}`
  await answering(`${url}/v1`)

  return {
    url,
    port,
    token: TOKEN,
    data,
    process: child,
    async call(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as Record<string, unknown>
    },
    async [Symbol.asyncDispose]() {
      await end(child)
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Runs one of the scripts beside this file as the reference server. */
export async function startReference(script: string, args: string[]): Promise<Served & AsyncDisposable> {
  const port = await freePort()
  const child = pinned(SERVER_CORE, [join('bench', script), String(port), ...args])
  const url = `http://127.0.0.1:${port}`
  await answering(url)
  return { url, process: child, [Symbol.asyncDispose]: () => end(child) }
}

/** A server that is measured. */
interface Served {
  url: string
  process?: ChildProcess
}

/** What to request. */
interface Target {
  server: Served
  /** The address, if it is not that of the server. */
  url?: string
  headers?: Record<string, string>
}

/** Requests each address in turn, so that what the machine does meanwhile hits all of them. @returns the loads of each */
export async function compare(targets: Target[], connections = CONNECTIONS): Promise<Load[][]> {
  const loads: Load[][] = targets.map(() => [])
  for (let run = 0; run <= PACE.runs; run++) {
    for (const [i, target] of targets.entries()) {
      const load = await runWrk(target, connections, [])
      // The first run warms up and does not count.
      if (run > 0) loads[i]?.push(load)
    }
  }
  return loads
}

/** Many addresses of a server, requested in this order. */
export interface Paths {
  server: Served
  headers: Record<string, string>
  paths: readonly string[]
  /** Is awaited before each run. */
  before?: () => Promise<unknown>
  /** Whether no run may request a path twice. */
  isOnce?: boolean
}

/** The figures of one run: requests a second, and milliseconds. */
export interface Load {
  rate: number
  p50: number
  p99: number
  /** The CPU time of the server for one request. It moves little with what else the machine does. */
  cpu: number
}

/** Requests the paths of each in turn, like `compare`. Each has enough of them for one run, or begins again. */
export async function comparePaths(targets: readonly Paths[], connections = 8): Promise<Load[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-paths-'))
  try {
    const scripts = targets.map(({ paths }, i) => {
      const list = join(folder, `${i}.txt`)
      const script = join(folder, `${i}.lua`)
      writeFileSync(list, `${paths.join('\n')}\n`)
      writeFileSync(
        script,
        `local paths, at = {}, 0
for path in io.lines("${list}") do paths[#paths + 1] = path end
request = function() at = at % #paths + 1; return wrk.format(nil, paths[at]) end
`,
      )
      return script
    })
    const loads: Load[][] = targets.map(() => [])
    for (let run = 0; run <= PACE.runs; run++)
      for (const [i, { server, headers, before, paths, isOnce }] of targets.entries()) {
        await before?.()
        const one = await runWrk({ server, headers }, connections, ['--latency', '-s', scripts[i]!])
        if (isOnce && one.rate * PACE.seconds > paths.length) throw new Error('A run needs more paths')
        if (run > 0) loads[i]!.push(one)
      }
    return loads
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runWrk(
  { server, url = server.url, headers = {} }: Target,
  connections: number,
  options: string[],
): Promise<Load> {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const given = ['-t1', `-c${connections}`, `-d${PACE.seconds}s`, ...options, ...named, url]
  const before = cpuOf(server)
  const child = spawn('taskset', ['-c', LOAD_CORE, 'wrk', ...given], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const piece of child.stdout) output += String(piece)
  if (/Non-2xx/.test(output)) throw new Error(`${url} answered errors:\n${output}`)
  const within = (part: string) => {
    const [, number, unit] = new RegExp(`\\s${part}%\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? []
    return Number(number) * ({ us: 0.001, ms: 1, s: 1000 }[unit ?? 'ms'] ?? 1)
  }
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
  const requests = Number(/([\d]+) requests in/.exec(output)?.[1])
  return { rate, p50: within('50'), p99: within('99'), cpu: (cpuOf(server) - before) / requests }
}

/** Linux counts the CPU time of a process in ticks, of which a second has so many. */
const TICKS = 100

/** The CPU time of all threads of a server so far, in milliseconds, user and system; NaN for a server without a process. */
export function cpuOf({ process: child }: Pick<Served, 'process'>): number {
  if (child === undefined) return Number.NaN
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
  // The name of the program, in parentheses, can have spaces.
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14)
  return ((Number(user) + Number(system)) * 1000) / TICKS
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

export function spread(values: number[], digits = 0): string {
  return `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`
}

/** Starts a Node script on one core, in this repository. */
export function pinned(core: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn('taskset', ['-c', core, process.execPath, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // What follows would otherwise only say that nobody listens.
  return child.on('exit', (code, signal) => {
    if (!child.killed) console.error(`${args.join(' ')} ended by itself: ${code ?? signal}`)
  })
}

export async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  await ended
}

/** Waits until an address answers. @returns milliseconds that took */
export async function answering(url: string): Promise<number> {
  const started = performance.now()
  for (;;) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) return performance.now() - started
    if (performance.now() - started > 60_000) throw new Error(`${url} does not answer`)
    await wait(5)
  }
}

export async function freePort(): Promise<number> {
  const { promise, resolve: found } = Promise.withResolvers<number>()
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => found(typeof address === 'object' && address ? address.port : 0))
  })
  return promise
}

/** The memory of the server that is not shared with others, in megabytes (Linux). */
export function memoryOf({ process: { pid } }: Running): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** The address on the host of the API of a site, from the one it was published at. */
export function onApiHost({ url }: Running, published: string): string {
  const { host, pathname } = new URL(published)
  return `${url}/sites/${host.split('.')[0]}${pathname}`
}

/** The value below which this part of all values is: 1 for the largest. */
export function quantile(values: readonly number[], part: number): number {
  return (
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
    Number.NaN
  )
}
