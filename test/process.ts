import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { format } from 'node:util'
import { shareConsole } from './built-console.ts'

const ROOT = resolve(import.meta.dirname, '..')
export const COMMAND = join(ROOT, 'bin/lectern.js')

/** The output and exit code of a program. */
export interface Ended {
  code: number | null
  out: string
  err: string
}

/** Creates a folder for one test. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'lectern-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** A command that has not ended by then is killed, so that a test of one that should fail does not wait for ever. */
const LONGEST_MS = 120_000

/** Runs the command line to its end, without the configuration of this process. */
export async function run(
  args: string[],
  env: Record<string, string> = {},
  program = COMMAND,
): Promise<Ended> {
  const child = start(args, env, LONGEST_MS, program)
  const [out, err] = [collect(child, 'stdout'), collect(child, 'stderr')]
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out: out(), err: err() }
}

let lastCommand: Promise<unknown> = Promise.resolve()

/**
 * Runs a command of the command line in this process, after the one before it: another process takes half a second of CPU
 * time to load the code, and the server two. For commands that end by themselves, and for starts of the server that fail.
 */
export function runHere(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const ended = lastCommand.then(() => inThisProcess(args, env))
  lastCommand = ended.catch(() => undefined)
  return ended
}

async function inThisProcess(args: string[], env: Record<string, string>): Promise<Ended> {
  const { main } = await import('../src/main.ts')
  const { env: own, exitCode } = process
  const { log, error } = console
  const ended: Ended = { code: 0, out: '', err: '' }
  const { PATH = '', HOME = '' } = own
  process.env = { PATH, HOME, ...env }
  process.exitCode = 0
  console.log = (...values) => void (ended.out += `${format(...values)}\n`)
  console.error = (...values) => void (ended.err += `${format(...values)}\n`)
  const { write } = process.stdout
  // The test runner writes bytes.
  process.stdout.write = (text: string | Uint8Array, ...more: never[]) => {
    if (typeof text !== 'string') return write.call(process.stdout, text, ...more)
    ended.out += text
    return true
  }
  try {
    await main(args)
    ended.code = process.exitCode
  } finally {
    process.env = own
    process.exitCode = exitCode
    Object.assign(console, { log, error })
    process.stdout.write = write
  }
  return ended
}

/** A server in a separate process that can be killed. */
export interface Server {
  url: string
  process: ChildProcess
  /** The output so far. */
  out(): string
  /** @returns the exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the server and waits until it has printed its URL. @param program by default, that of the clone */
export async function startServer(env: Record<string, string>, program = COMMAND): Promise<Server> {
  const { LECTERN_DATA: data } = env
  if (data !== undefined && !existsSync(join(data, 'console'))) shareConsole(data)
  const child = start([], env, undefined, program)
  const [out, err] = [collect(child, 'stdout'), collect(child, 'stderr')]
  const { promise, resolve: announced, reject } = Promise.withResolvers<string>()
  child.stdout?.on('data', () => {
    const url = /Lectern is at (\S+)/.exec(out())?.[1]
    if (url) announced(url)
  })
  child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${err()}`)))
  const url = await promise

  return {
    url,
    process: child,
    out,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const ended = once(child, 'close')
      child.kill(signal)
      const [code] = (await ended) as [number | null]
      return code
    },
  }
}

function start(
  args: string[],
  env: Record<string, string>,
  timeout?: number,
  program = COMMAND,
): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  return spawn(process.execPath, [program, ...args], { cwd: ROOT, env: { PATH, HOME, ...env }, timeout })
}

function collect(child: ChildProcess, stream: 'stdout' | 'stderr'): () => string {
  let text = ''
  child[stream]?.on('data', (piece: Buffer) => (text += piece.toString()))
  return () => text
}

/** Returns a free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}
